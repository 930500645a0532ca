#include "skin/carriers.h"

#include <algorithm>
#include <map>

#include "core/rotation.h"
#include "core/symmetric_eigen.h"

namespace thixo {

namespace {

std::vector<Vec3d> relative_to(std::vector<Vec3d> points, const Vec3d& origin) {
    for (Vec3d& x : points) x -= origin;
    return points;
}

Vec3d middle_of(const std::vector<Vec3d>& points) {
    Vec3d low{1e300, 1e300, 1e300}, high = -low;
    for (const Vec3d& x : points) {
        low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
        high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    }
    return points.empty() ? Vec3d{} : 0.5 * (low + high);
}

/// The rotation that brings the unit vector a to b by the shortest way.
Mat3d shortest_turn(const Vec3d& a, const Vec3d& b) {
    const Vec3d axis = cross(a, b);
    const double c = dot(a, b);
    if (c < -0.9999999) {
        const Vec3d n = normalized(cross(a, std::abs(a.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1}));
        return 2. * outer(n, n) - identity<double>();
    }
    const Mat3d k{{0, -axis.z, axis.y}, {axis.z, 0, -axis.x}, {-axis.y, axis.x, 0}};
    return identity<double>() + k + (1 / (1 + c)) * (k * k);
}

/// An eigenvalue of the moments below this fraction of the largest means: flat, or thin. Two layers of a
/// lattice have 0.2.
constexpr double flat_moment = 0.02;

/// Σ x Xᵀ (Σ X Xᵀ)⁻¹ along the directions that have moments; across them unit vectors go on as unit vectors:
/// the normal of a sheet is that of its image, a rod does not turn about itself.
struct LocalMotion {
    Mat3d a = identity<double>();
    Mat3d across{};  ///< projection on the directions that have no moments
    bool complete = false;

    LocalMotion(const Mat3d& moved, const Mat3d& moments, CarrierKind kind) : across(identity<double>()) {
        // λ₃/λ₁ ≥ 4 λ₁λ₂λ₃/(λ₁ + λ₂ + λ₃)³: mostly this is enough, and eigenvalues are not needed.
        const double sum = trace(moments);
        if (kind == CarrierKind::solid && 4 * determinant(moments) > flat_moment * sum * sum * sum) {
            a = moved * inverse_of_symmetric(moments);
            across = {};
            complete = true;
            return;
        }
        const SymmetricEigen e = symmetric_eigen(moments);
        const double largest = e.values.x;
        if (!(largest > 0)) return;
        if (kind == CarrierKind::solid && e.values.z > flat_moment * largest) {
            a = moved * inverse_of_symmetric(moments);
            across = {};
            complete = true;
            return;
        }
        const Vec3d t = e.vectors.x, s = e.vectors.y, n = e.vectors.z;
        const Vec3d to_t = (moved * t) / e.values.x;
        if (!(norm(to_t) > 1e-6)) return;
        if (e.values.y > flat_moment * largest) {
            const Vec3d to_s = (moved * s) / e.values.y, normal = cross(to_t, to_s);
            if (norm(normal) > 1e-6) {
                a = outer(to_t, t) + outer(to_s, s) + outer(normalized(normal), n);
                across = outer(n, n);
                return;
            }
        }
        const Mat3d turn = shortest_turn(t, normalized(to_t));
        a = outer(to_t, t) + outer(turn * s, s) + outer(turn * n, n);
        across = outer(s, s) + outer(n, n);
    }
};

}  // namespace

Carriers::Carriers(std::vector<Vec3d> position, double spacing, CarrierKind kind)
    : spacing_(spacing),
      kind_(kind),
      origin_(middle_of(position)),
      grid_(relative_to(std::move(position), origin_), carrier_support * spacing) {
    first_.push_back(0);
    for (Index i = 0; i < size(); ++i) {
        grid_.for_each_within(rest()[i], support(), [&](Index j, double d2) {
            if (j == i) return;
            others_.push_back(j);
            weight_.push_back(static_cast<float>(carrier_weight(d2, support())));
        });
        first_.push_back(static_cast<Index>(others_.size()));
    }
}

Carriers::Fit Carriers::fit(Index i, View<const Vec3f> position, const SkinGrip& grip,
                            const std::vector<float>& trust) const {
    Mat3d moved{}, moments{};
    double squares = 0, all = 0;
    int neighbours = 0;
    const Vec3d x = to_double(position[i]), X = rest()[i];
    for (Index k = first_[i]; k < first_[i + 1]; ++k) {
        const Index j = others_[k];
        if (grip.piece[j] != grip.piece[i]) continue;
        const double w = double{weight_[k]} * grip.firmness[j] * (trust.empty() ? 1 : trust[j]);
        if (!(w > 0)) continue;
        const Vec3d r = rest()[j] - X, d = to_double(position[j]) - x;
        moments += outer(w * r, r);
        moved += outer(w * d, r);
        squares += w * norm2(d);
        all += w * norm2(r);
        ++neighbours;
    }
    const LocalMotion motion(moved, moments, kind_);
    Fit out{motion.a, 0, motion.across, motion.complete};
    if (neighbours == 0) return out;
    // Σ w |d − A r|² = Σ w |d|² − 2 tr(Aᵀ moved) + tr(A moments Aᵀ)
    const Mat3d &a = out.a, am = a * moments;
    const double cross_term = dot(a.x, moved.x) + dot(a.y, moved.y) + dot(a.z, moved.z);
    const double own = dot(am.x, a.x) + dot(am.y, a.y) + dot(am.z, a.z);
    // Relative to the distances at the start or now, whichever are larger: a bend of what is stretched is no
    // tear.
    out.residual = std::max(0.0, squares - 2 * cross_term + own) / std::max(all, squares);
    // Torn, or turned inside out: what is left of it turns as a whole.
    if (!(determinant(a) > 0.02) || !(norm2(a) < 48))
        out = {closest_rotation(moved, identity<double>(), false), out.residual, {}, true};
    return out;
}

/// Thin parts of a solid, such as the tip of a tail: the directions across move as they do where there are
/// neighbours in all directions.
void Carriers::complete(const Device& device, const SkinGrip& grip, std::vector<Fit>& fits) const {
    constexpr int most_passes = 4;
    for (int pass = 0; pass < most_passes; ++pass) {
        if (std::all_of(fits.begin(), fits.end(), [](const Fit& f) { return f.complete; })) return;
        std::vector<Fit> next = fits;
        launch<small_grain>(device, size(),
                            [this, &grip, fits = View<const Fit>(fits), next = View(next)](Index i) {
                                if (fits[i].complete || grip.piece[i] == no_body) return;
                                Mat3d sum{};
                                double weight = 0;
                                for (Index k = first_[i]; k < first_[i + 1]; ++k) {
                                    const Index j = others_[k];
                                    if (grip.piece[j] != grip.piece[i] || !fits[j].complete) continue;
                                    const double w = double{weight_[k]} * grip.firmness[j];
                                    sum += w * fits[j].a;
                                    weight += w;
                                }
                                if (!(weight > 0)) return;
                                const Mat3d& p = fits[i].across;
                                next[i].a = fits[i].a * (identity<double>() - p) + ((1 / weight) * sum) * p;
                                next[i].complete = true;
                            });
        fits = std::move(next);
    }
}

std::vector<Carriers::Fit> Carriers::fits(const Device& device, View<const Vec3f> position,
                                          const SkinGrip& grip, const std::vector<float>& trust) const {
    std::vector<Fit> out(size());
    launch<small_grain>(device, size(), [this, position, &grip, &trust, out = View(out)](Index i) {
        if (grip.piece[i] != no_body) out[i] = fit(i, position, grip, trust);
    });
    if (kind_ == CarrierKind::solid) complete(device, grip, out);
    return out;
}

double Carriers::torn_residual() const {
    // In spacings; the plane is half a spacing above the carrier.
    const int reach = static_cast<int>(carrier_support);
    double moments = 0, jumped = 0, across = 0, now = 0;
    for (int z = -reach; z <= reach; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x) {
                const double w = carrier_weight(x * x + y * y + z * z, carrier_support);
                const double d = y > 0 ? carrier_support : 0;
                if (x == 0 && y == 0 && z == 0) continue;
                moments += w * y * y;
                jumped += w * d * y;
                across += w * d * d;
                now += w * (x * x + (y + d) * (y + d) + z * z);
            }
    // Of the jump, the part that no gradient explains.
    return std::sqrt((across - jumped * jumped / moments) / now);
}

}  // namespace thixo
