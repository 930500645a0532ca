#include "fluid/surface_tension.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// Rounds of smoothing. Each spreads by about half a spacing: what is smoother than some spacings is not
/// touched, the roughness of the particles is gone.
constexpr int rounds = 6;

/// Inside, n is nothing but rounding, which must not define the curvature of a surface. Where sizes meet it
/// is more: H |n| is up to 0.5, and 1 in the outermost layer of a lattice.
template <class Pairs>
float noise_of(const Pairs& pairs, Index i, float rounding) {
    if constexpr (Pairs::mixed)
        return 0.5f * pairs.row(i).inverse_support();
    else
        return rounding;
}

/// In that of the model's particles.
template <class Pairs>
float size_of(const Pairs& pairs, Index i) {
    if constexpr (Pairs::mixed)
        return pairs.row(i).scale();
    else
        return 1;
}

/// V⁰ of neighbours of the same liquid, 0 of others.
template <class Pair>
auto volume_in(const float* group, const Pair& pair, Index i) {
    using Real = typename Pair::Real;
    return pair.of(group) == group[i] ? pair.volume : Real{};
}

/// nᵢ = Σⱼ V⁰ⱼ ∇Wᵢⱼ + ∇γᵢ
template <class Pairs>
struct Normal {
    Pairs pairs;
    const float* group;
    View<const WallTerm> walls;
    View<Vec3f> rough;
    View<Packed4> smooth;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        Vec3<typename Width::Real> sums{};
        pairs.for_each(width, i, [&](const auto& pair) {
            sums += pair.x * (volume_in(group, pair, i) * pair.gradient());
        });
        const Vec3f n = rough[i] = width.sum(sums) + walls[i].gradient;
        smooth[i] = {n.x, n.y, n.z, 0};
    }
};

/// Sine below which the normal at a contact line is no longer made longer: a wedge as thin as that has no
/// particles.
constexpr float thinnest = 0.5f;

/// Pressure of the air on the surfaces of liquids in scenes with contact angles, in σ/ℓ: what a surface with
/// a radius of ten spacings pulls by, σ/R; menisci that are resolved are seldom smaller. A liquid that wets
/// is under tension where it rises or hangs, below the pressure of the air; particles have no pressure below
/// zero, so the air has one above it. It also presses liquid against what it wets, where there is no air.
constexpr double air_pressure = 0.1;

/// The normal where liquid ends on a solid with the contact angle θ. With m the solid's normal into the
/// liquid and t the part of n along the solid,
///
///     N = t/|t| sin θ − m cos θ        (Breinlinger et al. 2013)
///
/// n becomes |t| N/sin θ in the layer that touches; t is the liquid's own, the part across also counts solid
/// that is dry. The fraction of it is c/c₀, at most 1.
Vec3f impose(const Wetting& touched, float gamma_at_rest, const Vec3f& n) {
    const float length = norm(touched.gradient);
    if (!(touched.gamma > 0) || !(length > 0)) return n;
    const Vec3f m = touched.gradient * (-1 / length), along = n - m * dot(n, m);
    const float cosine = touched.cosine / touched.gamma, sine = std::sqrt(std::max(0.f, 1 - cosine * cosine)),
                weight = std::min(1.f, touched.gamma / gamma_at_rest);
    const Vec3f prescribed = (along * sine - m * (norm(along) * cosine)) / std::max(sine, thinnest);
    return n * (1 - weight) + prescribed * weight;
}

/// n̄ᵢ ← Σⱼ V⁰ⱼ Wᵢⱼ n̄ⱼ / Σⱼ V⁰ⱼ Wᵢⱼ, self included; at contact lines turned to the angle, as a boundary
/// condition of what is smoothed
template <class Pairs>
struct SmoothNormal {
    Pairs pairs;
    const float* group;
    SurfaceTension::Contacts contacts;
    const Packed4* before;
    View<Packed4> after;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        Vec3<Real> sums{};
        Real weights{};
        pairs.for_each(width, i, [&](const auto& pair) {
            Real weight = volume_in(group, pair, i);
            weight *= pair.value();
            sums += pair.of(before).xyz * weight;
            weights += weight;
        });
        const Packed4 own = before[i];
        const float weight = pairs.self(i).w * pairs.row(i).self();
        Vec3f n = (width.sum(sums) + weight * Vec3f{own.x, own.y, own.z}) / (width.sum(weights) + weight);
        if (!contacts.wetting.empty()) n = impose(contacts.wetting[i], contacts.gamma_at_rest, n);
        after[i] = {n.x, n.y, n.z, 0};
    }
};

/// kᵢ = (d−1) Σⱼ wᵢⱼ (Nᵢ − Nⱼ)·yᵢⱼ / Σⱼ wᵢⱼ yᵢⱼ²
template <class Pairs>
struct MeanCurvature {
    Pairs pairs;
    const float* group;
    const Packed4* surface;
    const float* outermost;
    float directions;  ///< d − 1
    float spacing;     ///< m
    View<float> curvature;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        curvature[i] = 0;
        if (outermost[i] == 0) return;
        const Vec3<Real> n = spread_vector<Real>(surface[i]);
        Real turn{}, stretch{};
        pairs.for_each(width, i, [&](const auto& pair) {
            const Vec3<Real> to = -pair.x, along = to - n * dot(n, to);
            const Real volume = pair.of(group) == group[i] ? pair.volume * pair.of(outermost) : Real{};
            const Real weight = volume * pair.value();
            turn += weight * dot(n - pair.of(surface).xyz, along);
            stretch += weight * norm2(along);
        });
        const float total = width.sum(stretch);
        if (total <= 0) return;
        // A surface bent more than particles are apart cannot be resolved.
        const float most = 1 / (spacing * size_of(pairs, i));
        const float k = std::clamp(width.sum(turn) / total, -most, most);
        // Particles lie half a spacing below the surface.
        curvature[i] = directions * k / (1 + 0.5f * k / most);
    }
};

/// kᵢ ← Σⱼ wᵢⱼ kⱼ / Σⱼ wᵢⱼ, self included
template <class Pairs>
struct SmoothCurvature {
    Pairs pairs;
    const float* group;
    const float* outermost;
    const float* before;
    View<float> after;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        Real sums{}, weights{};
        pairs.for_each(width, i, [&](const auto& pair) {
            Real weight = pair.of(group) == group[i] ? pair.volume * pair.of(outermost) : Real{};
            weight *= pair.value();
            sums += weight * pair.of(before);
            weights += weight;
        });
        const float weight = pairs.self(i).w * outermost[i] * pairs.row(i).self(),
                    total = width.sum(weights) + weight;
        after[i] = total > 0 ? (width.sum(sums) + weight * before[i]) / total : 0.f;
    }
};

}  // namespace

SurfaceTension::SurfaceTension(const Discretisation& of) : dimensions_(of.dimensions), spacing_(of.spacing) {
    // A flat surface of the lattice at rest, layer by layer: |n| is what the missing half would have added,
    // and is smoothed as the particles' is.
    const double volume = rest_volume(of), support = of.support, spacing = of.spacing;
    const int reach = static_cast<int>(std::ceil(support / spacing)), count = reach * (rounds + 2);
    std::vector<double> layers(count), weights(2 * reach + 1);
    with_kernel(of, [&](const auto& kernel) {
        for (const Vec3d& v : lattice_around_origin(Lattice::cubic, spacing, of.dimensions, support)) {
            const auto r = static_cast<float>(norm(v));
            const int up = static_cast<int>(std::lround(v.y / spacing));
            weights[up + reach] += volume * kernel.value(r);
            for (int k = 0; k < up; ++k) layers[k] -= volume * kernel.derivative(r) * v.y / r;
        }
    });
    for (int round = 0; round < rounds; ++round) {
        const std::vector<double> before = layers;
        for (int k = 0; k < count; ++k) {
            double sum = 0, total = 0;
            for (int o = std::max(-k, -reach); o <= reach && k + o < count; ++o) {
                sum += weights[o + reach] * before[k + o];
                total += weights[o + reach];
            }
            layers[k] = sum / total;
        }
    }
    const double sum = std::accumulate(layers.begin(), layers.end(), 0.0);
    scale_ = static_cast<float>(std::pow(spacing, of.dimensions - 1) / (volume * sum));
}

void SurfaceTension::add(const Device& device, const FluidState& state, View<const float> tension,
                         const Contacts& contacts, View<Vec3f> acceleration) {
    const ParticleTable& particles = state.particles;
    const Index n = particles.size();
    const View<const std::uint16_t> material(particles.material);
    group_.resize(n + 1);
    rough_.resize(n);
    for (std::vector<Packed4>* record : {&smooth_, &other_}) record->resize(n + 1);
    for (std::vector<float>* k : {&outermost_, &curvature_, &other_curvature_}) k->resize(n + 1);
    group_[n] = -1;
    // Solids are in no group: liquids have a surface against them, they have none themselves.
    launch(device, n, [=, phase = View<const Phase>(particles.phase), out = View(group_)](Index i) {
        out[i] = phase[i] == Phase::liquid ? static_cast<float>(material[i]) : -1.f;
    });
    const float* group = group_.data();
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(device, n, Normal{pairs, group, state.walls, View(rough_), View(smooth_)});
        if (!contacts.wetting.empty())
            launch(device, n,
                   [contacts, walls = state.wetted_walls, rough = View(rough_),
                    smooth = View(smooth_)](Index i) {
                       const Vec3f solids =
                           contacts.wetting[i].gradient - (walls.empty() ? Vec3f{} : walls[i].gradient);
                       const Vec3f turned =
                           impose(contacts.wetting[i], contacts.gamma_at_rest, rough[i] + solids);
                       rough[i] = turned;
                       smooth[i] = {turned.x, turned.y, turned.z, 0};
                   });
        for (int round = 0; round < rounds; ++round) {
            launch_pairs(device, n,
                         SmoothNormal{pairs, group, contacts, std::as_const(smooth_).data(), View(other_)});
            smooth_.swap(other_);
        }
        launch(device, n,
               [pairs, noise = static_cast<float>(1e-3 / spacing_), surface = View(smooth_),
                rough = View<const Vec3f>(rough_), outermost = View(outermost_)](Index i) {
                   const Vec3f a{surface[i].x, surface[i].y, surface[i].z};
                   const float length = norm(a);
                   const Vec3f unit = length > 0 ? a / length : Vec3f{};
                   surface[i] = {unit.x, unit.y, unit.z, length};
                   outermost[i] = std::max(0.f, dot(rough[i], unit) - noise_of(pairs, i, noise));
               });
        launch_pairs(device, n,
                     MeanCurvature{pairs, group, std::as_const(smooth_).data(),
                                   std::as_const(outermost_).data(), static_cast<float>(dimensions_ - 1),
                                   static_cast<float>(spacing_), View(curvature_)});
        for (int round = 0; round < rounds; ++round) {
            launch_pairs(device, n,
                         SmoothCurvature{pairs, group, std::as_const(outermost_).data(),
                                         std::as_const(curvature_).data(), View(other_curvature_)});
            curvature_.swap(other_curvature_);
        }
    });
    if (!contacts.wetting.empty())
        launch(device, n, [air = air(), k = View(curvature_)](Index i) { k[i] += air; });
    launch(device, n, [=, this](Index i) {
        if (group_[i] >= 0) acceleration[i] += this->acceleration(i, tension[material[i]]);
    });
}

Vec3f SurfaceTension::acceleration(Index i, float tension) const {
    const Packed4& surface = smooth_[i];
    return Vec3f{surface.x, surface.y, surface.z} * (tension * scale_ * surface.w * curvature_[i]);
}

float SurfaceTension::air() const { return static_cast<float>(air_pressure / spacing_); }

std::size_t SurfaceTension::bytes() const {
    return (group_.capacity() + outermost_.capacity() + curvature_.capacity() + other_curvature_.capacity()) *
               sizeof(float) +
           (smooth_.capacity() + other_.capacity()) * sizeof(Packed4) + rough_.capacity() * sizeof(Vec3f);
}

}  // namespace thixo
