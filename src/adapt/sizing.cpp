#include "adapt/sizing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/mat3.h"
#include "sph/sizes.h"

namespace thixo {

namespace {

/// Free surface: H |Σⱼ V⁰ⱼ ∇W̄ᵢⱼ + ½ ∇γᵢ| is above `surface_slope` and Σⱼ V⁰ⱼ W̄ᵢⱼ + γᵢ is below
/// `surface_sum`. On a lattice they are 1.0 and 0.84 in the outermost layer, 0 and 1 in the next one. With
/// mixed sizes either test alone fails. (Half of ∇γ, because γ is steepened twofold.)
constexpr float surface_slope = 0.6f, surface_sum = 0.95f;

/// Spray: the sum is below this value, regardless of the gradient. A row in the outermost layer has 0.84, one
/// on an edge about 0.84².
constexpr float spray_sum = 0.75f;

/// A row with a boundary volume γ above this lies on a wall. γ is 0.2 at half a spacing and 0.01 at one and a
/// half.
constexpr float sheet_gamma = 0.1f;

/// Size in sheets on walls, relative to the size at free surfaces: particles of that size split
/// (Adaptivity::too_large) for any number below 1/1.5 = 0.67, and above 0.52 their children stay, in space.
/// tests/physics/desbrun_scenes.cpp compares the result with uniform sizes.
constexpr float sheet_size = 0.56f;

/// Largest part of the squared relative velocities that rigid rotation may leave unexplained: half way from
/// 0, in a rigid rotation, to ½, in a simple shear flow.
constexpr double rigid_part = 0.25;

/// Rotation of the surroundings of a row: the ω with the least Σⱼ |vⱼᵢ − ω × xⱼᵢ|² over its neighbours of the
/// same material, where that is below `rigid_part` of Σⱼ |vⱼᵢ|². Matter that turns as one needs no finer
/// particles than matter at rest.
struct FindRotation {
    Neighbours neighbours;
    View<const Vec3f> x, v;
    View<const std::uint16_t> material;
    View<const Phase> phase;
    int dimensions;
    View<Vec3f> rotation;

    void operator()(Index i) const {
        rotation[i] = {};
        if (phase[i] != Phase::liquid) return;
        Mat3d inertia{};
        Vec3d spin{};
        double motion = 0;
        for (const Index j : neighbours.of(i)) {
            if (material[j] != material[i]) continue;
            const Vec3d r = to_double(x[j] - x[i]), u = to_double(v[j] - v[i]);
            inertia += identity<double>() * norm2(r) - outer(r, r);
            spin += cross(r, u);
            motion += norm2(u);
        }
        Vec3d omega{};
        if (dimensions == 2) {
            if (inertia.z.z > 0) omega.z = spin.z / inertia.z.z;
        } else {
            const double mean = trace(inertia) / 3;
            if (determinant(inertia) > 1e-3 * mean * mean * mean)
                omega = inverse_of_symmetric(inertia) * spin;
        }
        // The least sum is that of all less what ω explains, ω·Σ x × v.
        if (motion - dot(omega, spin) < rigid_part * motion) rotation[i] = to_float(omega);
    }
};

/// Target size of a row, before the gradient is limited:
///
///     finest        beside solids
///     ℓᵢ/7^(1/d)    where |pⱼ − pᵢ|/(ρ₀c²) mᵢ > Δ for a neighbour j, after [DC99, eq. 12], or it moves past one or into a wall fast, rigid
///                   rotation aside
///     ℓᵢ            where it is ≥ δ [DC99, eq. 13], or such motion half as fast
///     `surface`     at free surfaces, 0.56 of it in sheets on walls
///     coarsest      elsewhere
///
/// Masses are in units of the mass of the finest particle.
template <class Sizes>
struct TargetSize {
    Sizes sizes;
    const Sizing& rules;
    Neighbours neighbours;
    View<const Vec3f> x, v;
    View<const Vec3f> rotation;
    View<const float> mass, pressure, radius;
    View<const std::uint16_t> material;
    View<const Phase> phase;
    View<const WallTerm> walls;
    View<const float> supports, rest_density, stiffness;
    float refine, simplify;
    View<float> allowed;

    void operator()(Index i) const {
        if (phase[i] != Phase::liquid) {
            allowed[i] = 0;
            return;
        }
        const float size = rules.size(radius[i]);
        const auto w = sizes.of(i);
        float sum = mass[i] / rest_density[material[i]] * w.self() + walls[i].gamma, difference = 0,
              speed2 = 0;
        Vec3f slope = 0.5f * walls[i].gradient;
        bool touches = false;
        for (const Index j : neighbours.of(i)) {
            const Vec3f xij = x[i] - x[j];
            const float r = norm(xij), value = w.with(j).value(r),
                        volume = mass[j] / rest_density[material[j]];
            if (value == 0) continue;
            sum += volume * value;
            slope += (volume * w.with(j).gradient_over_distance(r)) * xij;
            touches |= phase[j] != Phase::liquid;
            if (material[j] != material[i]) continue;
            difference = std::max(difference, std::abs(pressure[j] - pressure[i]));
            speed2 = std::max(speed2, norm2(v[i] - v[j] - cross(rotation[i], xij)));
        }
        const float measure = difference / stiffness[material[i]] * rules.count_of(size),
                    slow = rules.slow(material[i]);
        const bool surface =
            sum < spray_sum || (sum < surface_sum && norm(slope) * supports[i] > surface_slope);
        float most = surface ? rules.surface() : rules.coarsest();
        if (surface && is_sheet(i, slope)) most = std::min(most, std::max(1.f, sheet_size * rules.surface()));
        if (touches) most = 1;
        const float into_wall = dot(v[i], walls[i].gradient);
        if (into_wall > 0) speed2 = std::max(speed2, into_wall * into_wall / norm2(walls[i].gradient));
        if (measure > refine || speed2 > 4 * slow * slow) {
            most = std::min(most, rules.size_of(std::max(1.f, rules.count_of(size) / 7)));
        } else if (!(measure < simplify && speed2 < slow * slow)) {
            most = std::min(most, size);
        }
        allowed[i] = most;
    }

    /// A wall on one side and a free surface on the other: less than two layers.
    bool is_sheet(Index i, const Vec3f& slope) const {
        const Vec3f& wall = walls[i].gradient;
        return walls[i].gamma > sheet_gamma && dot(slope, wall) > 0.7f * norm(slope) * norm(wall);
    }
};

/// Limits the gradient of the target size: σᵢ ← min(σᵢ, σⱼ + growth |xᵢⱼ|) over all liquid neighbours j.
struct LimitGradient {
    Neighbours neighbours;
    View<const Vec3f> x;
    float growth;  ///< 1/m
    View<const float> before;
    View<float> after;

    void operator()(Index i) const {
        float least = before[i];
        for (const Index j : neighbours.of(i)) {
            // Solids have no target size; TargetSize has already set the rows that touch them.
            if (before[j] > 0) least = std::min(least, before[j] + growth * norm(x[i] - x[j]));
        }
        after[i] = least;
    }
};

}  // namespace

Sizing::Sizing(const AdaptivitySettings& settings, const std::vector<Material>& materials,
               const Discretisation& discretisation)
    : discretisation_(discretisation),
      dimensions_(discretisation.dimensions),
      finest_radius_(static_cast<float>(0.5 * discretisation.spacing)),
      coarsest_(static_cast<float>(settings.coarsest)),
      surface_(static_cast<float>(
          std::min(settings.coarsest, settings.surface.value_or(std::pow(2, 2 * (1 - settings.detail)))))) {
    // `detail` + 0.5 divides all thresholds by ten. A split lowers the measure sevenfold, so δ stays below
    // Δ/7.
    const double coarse = std::pow(10, 2 * (0.5 - settings.detail));
    refine_ = static_cast<float>(settings.refine.value_or(0.5 * coarse));
    simplify_ = static_cast<float>(settings.simplify.value_or(refine_ / 10));
    growth_ = static_cast<float>(0.3 * std::pow(4, 0.5 - settings.detail) / discretisation.spacing);
    // Each sweep propagates sizes by one support radius.
    sweeps_ = static_cast<int>(std::ceil((settings.coarsest - 1) / (growth_ * discretisation.support)));
    for (const Material& material : materials) {
        rest_density_.push_back(static_cast<float>(material.density));
        const double c = material.liquid.sound_speed;
        stiffness_.push_back(static_cast<float>(material.density * c * c));
        slow_.push_back(static_cast<float>(0.02 * coarse * material.liquid.sound_speed));
    }
}

float Sizing::size_of(float count) const { return dimensions_ == 2 ? std::sqrt(count) : std::cbrt(count); }

void Sizing::find(const Device& device, const AdaptState& state) {
    const ParticleTable& p = state.particles;
    const Index n = p.size();
    allowed_.resize(n);
    other_.resize(n);
    inverse_support_.resize(n + 1);
    inverse_support_[n] = static_cast<float>(1 / discretisation_.support);
    launch(device, n, [h = state.supports, out = View(inverse_support_)](Index i) { out[i] = 1 / h[i]; });
    rotation_.resize(n);
    launch(
        device, n,
        FindRotation{state.neighbours, p.position, p.velocity, p.material, p.phase, dimensions_, rotation_});
    with_sizes(discretisation_, inverse_support_, [&](const auto& sizes) {
        using S = std::remove_cvref_t<decltype(sizes)>;
        launch(device, n,
               TargetSize<S>{sizes, *this, state.neighbours, p.position, p.velocity, rotation_, p.mass,
                             p.pressure, p.radius, p.material, p.phase, state.walls, state.supports,
                             rest_density_, stiffness_, refine_, simplify_, allowed_});
    });
    if (state.limit) state.limit(allowed_);
    for (int k = 0; k < sweeps_; ++k) {
        launch(device, n, LimitGradient{state.neighbours, p.position, growth_, allowed_, other_});
        allowed_.swap(other_);
    }
}

std::size_t Sizing::bytes() const {
    return (inverse_support_.capacity() + allowed_.capacity() + other_.capacity()) * sizeof(float) +
           rotation_.capacity() * sizeof(Vec3f);
}

}  // namespace thixo
