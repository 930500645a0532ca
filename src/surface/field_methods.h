#pragma once

#include <cmath>
#include <cstring>
#include <numbers>

#include "core/simd.h"
#include "surface/field.h"
#include "surface/stretch_eigenvalue.h"

/// What the methods of surfaces sum, at the nodes of a grid (field.cpp) and at any point (field_points.cpp).
namespace thixo {

inline constexpr Lanes lane_numbers{0, 1, 2, 3, 4, 5, 6, 7};

inline void add_lanes(float* sums, Lanes value) {
    const Lanes total = load(sums) + value;
    std::memcpy(sums, &total, sizeof total);
}

// A method sums `sums` numbers per node from the particles in reach and makes φ of them. Lengths are in
// cells, and d = xⱼ − x points from the node to the particle. A particle adds to eight nodes of a row at a
// time.

/// φ = (iso − Σⱼ Vⱼ W(x−xⱼ, Hⱼ)) s. Vⱼ = mⱼ/ρⱼ = Vⱼ⁰/fillingⱼ, so that drops of few particles do not vanish.
/// s makes a distance of it: across a flat surface the sum falls by 1.23 in the length H.
struct DensitySum {
    static constexpr int sums = 1;
    View<const float> weight, support;
    float slope;  ///< s, m

    struct Particle {
        Vec3f x, reach;
        float weight, k;
    };
    Particle particle(Index row, const Vec3f& x, float inverse_cell) const {
        const float h = support[row] * inverse_cell;
        return {x, {h, h, h}, weight[row], 1 / (h * h)};
    }
    static void add_row(const Particle& p, Lanes dx, float dy, float dz, float* out) {
        const float rest = 1 - (dy * dy + dz * dz) * p.k;
        if (rest <= 0) return;
        const Lanes u = larger(rest - dx * dx * p.k, Lanes{});
        add_lanes(out, p.weight * (u * u * u));
    }
    Lanes value(const float* in, float, float) const { return (iso_filling - load(in)) * slope; }
};

/// [Yu & Turk 2013, eq. 11]: φ = (iso − Σⱼ Vⱼ det(Gⱼ) P(|Gⱼ(x − x̄ⱼ)|)) s.
struct AnisotropicSum {
    static constexpr int sums = 1;
    View<const float> weight;
    View<const Sym3f> metric;
    View<const Vec3f> reach;
    float cell;
    float slope;

    struct Particle {
        Vec3f x, reach;
        float weight;
        Sym3f a;
    };
    Particle particle(Index row, const Vec3f& x, float inverse_cell) const {
        const float c2 = cell * cell;
        Sym3f a = metric[row];
        for (float* e : {&a.xx, &a.yy, &a.zz, &a.xy, &a.xz, &a.yz}) *e *= c2;
        return {x, reach[row] * inverse_cell, weight[row], a};
    }
    static void add_row(const Particle& p, Lanes dx, float dy, float dz, float* out) {
        const float rest = 1 - (p.a.yy * dy * dy + p.a.zz * dz * dz + 2 * p.a.yz * dy * dz);
        const float along = 2 * (p.a.xy * dy + p.a.xz * dz);
        const Lanes u = larger(rest - dx * (p.a.xx * dx + along), Lanes{});
        add_lanes(out, p.weight * (u * u * u));
    }
    Lanes value(const float* in, float, float) const { return (iso_filling - load(in)) * slope; }
};

/// [Zhu & Bridson 2005], for particles of several sizes: φ = |x − x̄| − R̄, x̄ = Σ xⱼWⱼ/ΣWⱼ, R̄ = Σ RⱼWⱼ/ΣWⱼ.
/// Kernels are not normalised: a particle counts by its volume then, whatever its size.
struct MeanSum {
    static constexpr int sums = 5;
    View<const float> radius;

    struct Particle {
        Vec3f x, reach;
        float size, k;
    };
    Particle particle(Index row, const Vec3f& x, float inverse_cell) const;
    static void add_row(const Particle& p, Lanes dx, float dy, float dz, float* out) {
        const float rest = 1 - (dy * dy + dz * dz) * p.k;
        if (rest <= 0) return;
        const Lanes u = larger(rest - dx * dx * p.k, Lanes{}), w = u * u * u;
        add_lanes(out, w);
        add_lanes(out + block_nodes, w * dx);
        add_lanes(out + 2 * block_nodes, w * dy);
        add_lanes(out + 3 * block_nodes, w * dz);
        add_lanes(out + 4 * block_nodes, w * p.size);
    }
    Lanes value(const float* in, float cell, float outside) const {
        const Lanes s = load(in);
        const LaneMask reached = s > least_weight;
        const Lanes inverse = 1 / larger(s, spread<Lanes>(least_weight));
        const Vec3<Lanes> mean{load(in + block_nodes) * inverse, load(in + 2 * block_nodes) * inverse,
                               load(in + 3 * block_nodes) * inverse};
        const Lanes phi = square_root(norm2(mean)) - load(in + 4 * block_nodes) * inverse;
        return reached ? phi * cell : spread<Lanes>(outside);
    }
    static constexpr float least_weight = 1e-12f;
};

/// Influence radius and radius of a single drop, in radii. At a flat surface the mean is 0.246 influence
/// radii inside, a drop of a particle's volume 8r³ has the radius 1.24 r: with this pair both have the right
/// volume.
inline constexpr float influence_radii = 5, drop_radii = 1.24f;

inline MeanSum::Particle MeanSum::particle(Index row, const Vec3f& x, float inverse_cell) const {
    const float r = radius[row] * inverse_cell, h = influence_radii * r;
    return {x, {h, h, h}, drop_radii * r, 1 / (h * h)};
}

/// [SSP07, eq. 22–26]: φ = |x − x̄| − R̄ f. f falls from 1 to 0 where the largest eigenvalue of G = ∂x̄/∂x
/// grows: there x̄ moves faster than x, between particles that have nothing to do with each other.
///   G = (M − (x̄−x) gᵀ)/S,   S = ΣWⱼ,   g = Σ∇Wⱼ,   M = Σ d ∇Wⱼᵀ,   ∇Wⱼ = 6 (1−q²)² d/H²
struct EigenvalueSum {
    static constexpr int sums = 14;
    MeanSum mean;

    using Particle = MeanSum::Particle;
    Particle particle(Index row, const Vec3f& x, float inverse_cell) const {
        return mean.particle(row, x, inverse_cell);
    }
    static void add_row(const Particle& p, Lanes dx, float dy, float dz, float* out) {
        const float rest = 1 - (dy * dy + dz * dz) * p.k;
        if (rest <= 0) return;
        MeanSum::add_row(p, dx, dy, dz, out);
        const Lanes u = larger(rest - dx * dx * p.k, Lanes{}), slope = (6 * p.k) * u * u;
        const Vec3<Lanes> gradient{slope * dx, slope * dy, slope * dz};
        out += 5 * block_nodes;
        add_lanes(out, gradient.x);
        add_lanes(out + block_nodes, gradient.y);
        add_lanes(out + 2 * block_nodes, gradient.z);
        add_lanes(out + 3 * block_nodes, gradient.x * dx);
        add_lanes(out + 4 * block_nodes, gradient.y * dy);
        add_lanes(out + 5 * block_nodes, gradient.z * dz);
        add_lanes(out + 6 * block_nodes, gradient.x * dy);
        add_lanes(out + 7 * block_nodes, gradient.x * dz);
        add_lanes(out + 8 * block_nodes, gradient.y * dz);
    }
    Lanes value(const float* in, float cell, float outside) const {
        Lanes phi = mean.value(in, cell, outside);
        for (Index l = 0; l < lane_count; ++l) {
            const auto sum = [&](int k) { return in[k * block_nodes + l]; };
            const float s = sum(0);
            if (!(s > MeanSum::least_weight)) continue;
            const Vec3f to_mean = Vec3f{sum(1), sum(2), sum(3)} / s, g{sum(5), sum(6), sum(7)};
            const Mat3f m{
                {sum(8), sum(11), sum(12)}, {sum(11), sum(9), sum(13)}, {sum(12), sum(13), sum(10)}};
            const float f = solenthaler_factor(largest_real_eigenvalue((m - outer(to_mean, g)) * (1 / s)));
            phi[l] += (1 - f) * cell * sum(4) / s;
        }
        return phi;
    }
};

/// How far each row acts: a ball around its kernel's centre.
struct KernelBalls {
    std::vector<float> x, y, z, reach2;  ///< with room for whole lanes behind the last row
    std::vector<double>
        margin;  ///< of each level: from the position it is sorted by to the end of the kernel

    KernelBalls(const Device& device, const FieldParticles& p, View<const Vec3f> center,
                View<const float> reach)
        : x(center.size() + lane_count), y(x.size()), z(x.size()), reach2(x.size(), -1.f) {
        launch(device, static_cast<Index>(center.size()), [=, this](Index i) {
            x[i] = center[i].x;
            y[i] = center[i].y;
            z[i] = center[i].z;
            reach2[i] = reach[i] * reach[i];
        });
        margin = largest_of_levels(
            p.cells, [&](Index i) { return 1.001f * (reach[i] + norm(center[i] - p.position[i])); });
    }

    /// Of the rows from j on: the lanes of those that reach the box, one bit each.
    unsigned reaching(Index j, Index end, const Vec3f& low, const Vec3f& high) const {
        const auto away = [&](const std::vector<float>& column, float a, float b) {
            const Lanes c = load(column.data() + j);
            return larger(larger(a - c, c - b), Lanes{});
        };
        const Lanes dx = away(x, low.x, high.x), dy = away(y, low.y, high.y), dz = away(z, low.z, high.z);
        const unsigned hit = bits(dx * dx + dy * dy + dz * dz <= load(reach2.data() + j));
        return end - j < lane_count ? hit & ((1u << (end - j)) - 1) : hit;
    }
};

inline constexpr float poly6_constant = static_cast<float>(315 / (64 * std::numbers::pi));

/// Across a flat surface the sum of kernels falls by 1.23 per support radius.
inline constexpr float steepness = 315.0f / 256;

/// Columns that a method reads beside those of the particles.
struct MethodColumns {
    std::vector<float> weight, reach;
    std::vector<Vec3f> extent;  ///< `anisotropic`: half the box around the kernel
};

/// Calls use(method, centres of the kernels, outside, inside) with columns made ready; `columns.reach` is how
/// far each row acts. `cell`: m, the unit of lengths.
template <class Use>
auto with_method(const Device& device, const FieldParticles& p, SurfaceMethod method, float cell,
                 MethodColumns& columns, const Use& use) {
    const auto n = static_cast<Index>(p.position.size());
    const float radius = -reduce_max(device, n, -1e30f, [&](Index i) { return -p.radius[i]; });
    columns.weight.resize(n);
    columns.reach.resize(n);
    if (method == SurfaceMethod::density || method == SurfaceMethod::active) {
        launch(device, n,
               [r = View<const float>(p.radius), v = View<const float>(p.volume),
                filling = View<const float>(p.filling), w = View(columns.weight),
                h = View(columns.reach)](Index i) {
                   h[i] = support_radii * r[i];
                   w[i] = poly6_constant * v[i] / (h[i] * h[i] * h[i] * filling[i]);
               });
        const float slope = support_radii * radius / steepness;
        return use(DensitySum{columns.weight, columns.reach, slope}, View<const Vec3f>(p.position),
                   iso_filling * slope, (iso_filling - 1) * slope);
    }
    if (method == SurfaceMethod::anisotropic) {
        columns.extent.resize(n);
        launch(device, n,
               [v = View<const float>(p.volume), metric = View<const Sym3f>(p.metric),
                w = View(columns.weight), out = View(columns.extent), most = View(columns.reach)](Index i) {
                   // The ellipsoid dᵀA d < 1 ends at √(A⁻¹)ₖₖ along axis k; none of its points is farther
                   // than the root of the trace.
                   const Mat3d a = to_double(metric[i].full());
                   const Mat3d inverse = inverse_of_symmetric(a);
                   out[i] = {static_cast<float>(std::sqrt(inverse.x.x)),
                             static_cast<float>(std::sqrt(inverse.y.y)),
                             static_cast<float>(std::sqrt(inverse.z.z))};
                   most[i] = norm(out[i]);
                   w[i] = static_cast<float>(poly6_constant * v[i] * std::sqrt(determinant(a)));
               });
        const float slope = anisotropic_radii / most_stretch * radius / steepness;
        return use(AnisotropicSum{columns.weight, p.metric, columns.extent, cell, slope},
                   View<const Vec3f>(p.center), iso_filling * slope, (iso_filling - 1) * slope);
    }
    for (std::size_t i = 0; i < n; ++i) columns.reach[i] = influence_radii * p.radius[i];
    const float outside = (influence_radii - drop_radii) * radius, inside = -drop_radii * radius;
    const MeanSum mean{p.radius};
    if (method == SurfaceMethod::zhu_bridson)
        return use(mean, View<const Vec3f>(p.position), outside, inside);
    return use(EigenvalueSum{mean}, View<const Vec3f>(p.position), outside, inside);
}

}  // namespace thixo
