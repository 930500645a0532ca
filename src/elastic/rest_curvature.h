#pragma once

#include <cmath>

#include "core/eight.h"
#include "core/mat3.h"
#include "core/real.h"
#include "core/symmetric_eigen.h"
#include "elastic/elastic_block.h"
#include "elastic/reference.h"

namespace thixo {

/// Layers and rods that are curved while nothing is deformed. Xⱼᵢ then has a part n (n·X) out of the
/// directions in which neighbours spread, which F = A M⁺ leaves out: the residual of F would pull every layer
/// flat. With
///
///     G = F + b nᵀ
///
/// the residual xⱼᵢ − G Xⱼᵢ is zero at rest. n is the eigenvector of M with the next eigenvalue λ; both are
/// found when they are needed, as nearly all neighbourhoods are those of solids and should not pay for them
/// in memory.
///
/// In a layer b is the unit normal of the deformed plane, (F t₁) × (F t₂) with n = t₁ × t₂: a layer knows the
/// side to which it is curved. b follows F, so that forces remain the gradient of the energy only with
///
///     Q = −κ (G − b (M⁺ c)ᵀ),   c = (FᵀF)⁺ Fᵀ A n.
///
/// A rod has no such normal. b = A n/|A n| is where its bend points to now, which may turn around the rod as
/// this method has no torsion; |A n| is smoothed, since a bent rod that is pulled straight has no direction.
template <class Real>
struct RestCurvature {
    Vec3<Real> b;       ///< where n is now
    Vec3<Real> follow;  ///< M⁺ c
};

/// n and λ of an index while nothing is deformed.
struct RestBend {
    Vec3d normal;         ///< n; zero where nothing is curved
    double bend = 0;      ///< λ
    bool is_rod = false;  ///< in space; in 2D rods are strips of layers
};

/// Below this fraction of all of M a layer is flat: a sheet that is bent to a radius of a hundred spacings is
/// above it, what rounding makes of a flat one far below.
constexpr double flat = 1e-6;

/// `span` projects on the directions in which neighbours spread, and on z in 2D.
inline RestBend rest_bend(const Reference& reference, Index s, const Mat3d& span, double inverse_volume) {
    RestBend out;
    const double rank = trace(span);
    if (rank < 0.5 || rank > 2.5) return out;
    const Mat3d rest = identity<double>() - span;
    Mat3d spread{};
    double all = 0;
    reference.for_each_block(s, [&](const ReferenceBlock& block) {
        for (Index k = 0; k < lane_count; ++k) {
            const Vec3d X{block.x[k], block.y[k], block.z[k]}, beyond = rest * X;
            spread += outer(beyond, beyond) * (double{block.weight[k]} * inverse_volume);
            all += double{block.weight[k]} * inverse_volume * norm2(X);
        }
    });
    if (!(trace(spread) > flat * all)) return out;
    const SymmetricEigen axes = symmetric_eigen(spread);
    out.normal = axes.vectors.x;
    out.bend = axes.values.x;
    out.is_rod = rank < 1.5;
    return out;
}

/// The same of eight indices.
struct RestBends {
    Vec3<Lanes> normal{};
    Lanes bend{};
    LaneMask rod{};
    bool any = false;

    RestBends(const Reference& reference, Index first, const ElasticBlock& here) {
        const Lanes rank = trace(here.span.full());
        for (Index l = 0; l < lane_count && first + l < reference.size(); ++l) {
            if (rank[l] < 0.5f || rank[l] > 2.5f) continue;
            const RestBend found =
                rest_bend(reference, first + l, to_double(lane(here.span.full(), l)), here.inverse_volume[l]);
            if (found.bend == 0) continue;
            any = true;
            normal.x[l] = static_cast<float>(found.normal.x);
            normal.y[l] = static_cast<float>(found.normal.y);
            normal.z[l] = static_cast<float>(found.normal.z);
            bend[l] = static_cast<float>(found.bend);
            rod[l] = found.is_rod ? -1 : 0;
        }
    }
};

/// Of the bend λ of a rod at rest: where it is straightened below this fraction, b becomes shorter.
constexpr double straight = 0.05;

/// `along` = A n.
template <class Real>
Vec3<Real> rod_bend(const Vec3<Real>& along, Real lambda) {
    constexpr auto least = static_cast<float>(straight * straight), whole = 1 + least;
    const Real square = norm2(along) + lambda * lambda * least + 1e-30f;
    return along * (square_root(Real{} + whole) / square_root(square));
}

/// H⁻¹ with H = FᵀF + n nᵀ, which the identity keeps finite where nothing spreads.
template <class Real>
Mat3<Real> inverse_stretch(const Mat3<Real>& f, const Vec3<Real>& n) {
    Mat3<Real> h = transposed(f) * f + outer(n, n);
    h.x.x += 1e-6f, h.y.y += 1e-6f, h.z.z += 1e-6f;
    const Mat3<Real> cofactors{cross(h.y, h.z), cross(h.z, h.x), cross(h.x, h.y)};
    return cofactors * ((Real{} + 1) / dot(h.x, cofactors.x));
}

template <class Real>
RestCurvature<Real> layer_bend(const Mat3<Real>& f, const Vec3<Real>& n, const Vec3<Real>& along,
                               const Mat3<Real>& fit) {
    const Mat3<Real> columns = transposed(f);
    const Vec3<Real> normal = cross(columns.y, columns.z) * n.x + cross(columns.z, columns.x) * n.y +
                              cross(columns.x, columns.y) * n.z;
    return {normal * ((Real{} + 1) / square_root(norm2(normal) + 1e-20f)),
            fit * (inverse_stretch(f, n) * (columns * along))};
}

/// The rate of b by that of F.
template <class Real>
Vec3<Real> layer_bend_rate(const Mat3<Real>& f, const Vec3<Real>& n, const Vec3<Real>& b,
                           const Mat3<Real>& f_rate) {
    return f * (inverse_stretch(f, n) * (transposed(f_rate) * b)) * (Real{} - 1);
}

/// The rate of b by that of A n, while |A n| is not small.
template <class Real>
Vec3<Real> rod_bend_rate(const Vec3<Real>& along, Real lambda, const Vec3<Real>& b,
                         const Vec3<Real>& along_rate) {
    constexpr auto least = static_cast<float>(straight * straight), whole = 1 + least;
    const Real square = norm2(along) + lambda * lambda * least + 1e-30f;
    return along_rate * (square_root(Real{} + whole) / square_root(square)) -
           b * (dot(along, along_rate) / square);
}

/// ½ κ times this is the energy of a rod beside that of the residual of F, and ½ κ λ has been counted there:
/// zero at rest, and its derivative with respect to A n is that of the residual of G.
inline double rod_residual(double along, double lambda) {
    constexpr double e = straight * straight;
    return lambda * (1 + 2 * e) - 2 * std::sqrt((1 + e) * (along * along + e * lambda * lambda));
}

}  // namespace thixo
