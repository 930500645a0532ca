#include "fluid/continuity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fluid/density.h"

namespace thixo {

namespace {

// A pool of mixed sizes comes to rest at its hydrostatic pressure and impacts keep their pressure with these
// (tests/physics/adaptivity.cpp). Tests in tests/unit/fluid pin each (docs/theory/constants.md).

/// Of the sum on the lattice at rest: from here on no neighbour is missing.
constexpr float complete = 0.95f;

/// Largest |Σⱼ V⁰ⱼ∇Wᵢⱼ + ∇γᵢ| of a particle inside a liquid of one size, in 1/H: at a flat surface it is
/// about 1, in stirred liquid below 0.2. And its least sum: spray may have few neighbours on opposite sides.
constexpr float most_lean = 0.3f, least_inside = 0.7f;

/// Error of the density of such a particle that stays: sums of calm water differ as much from those of the
/// lattice.
constexpr float tolerated = 0.015f;

/// How fast densities follow the sums, in c/H, and of which error. What is farther off is drift, and goes the
/// faster, but by no more than a twenty-fifth of it in the longest step, 0.4 H/c.
constexpr float anchor = 0.005f, usual = 0.05f, fastest = 0.1f;

/// How fast pressures of neighbours become even, δ; and the most that it does, in c/H:
/// what particles that move about in calm water need. An impact is not to be evened out.
constexpr float evening = 0.5f, most_evening = 6e-4f;

/// What a row gathers where sizes of particles differ.
template <class Real>
struct MixedSums {
    Real mean{}, own{};  ///< Σⱼ V⁰ⱼ W̄ᵢⱼ, and with the kernel of the row alone
    Real excess{}, weight{};  ///< Σⱼ V⁰ⱼ |∇W̄ᵢⱼ|/r (pⱼ − pᵢ − ∇pᵢ·xⱼᵢ), and the weights alone
};

/// dsᵢ/dt = Σⱼ V⁰ⱼ (vᵢ − vⱼ)·∇Wᵢⱼ   [DC99, eq. 10–11]
///
/// The velocities must be the kicked ones and the separations those at mid-step, xᵢⱼ + ½Δt vᵢⱼ: with old
/// velocities an undamped ball blows up, with old separations its energy doubles. Near a wall the sum lacks
/// what lies behind it: γ follows from the distance to the wall and needs no equation.
///
/// Where sizes of particles differ, which is what this equation is for, there are two terms more:
///
///     δ Hᵢ/(ρ₀c) Σⱼ V⁰ⱼ |∇W̄ᵢⱼ|/r (pⱼ − pᵢ − ∇pᵢ·xⱼᵢ),   ∇pᵢ = ρ₀ (g − aᵢ)       after Molteni & Colagrossi 2009
///     anchor c/Hᵢ (1 + (eᵢ/usual)²) eᵢ
///
/// Forces of mixed sizes move particles about until they balance. What these ways add to densities is
/// percents, a pressure far beyond that of the liquid's weight, which would stay: the first evens it out. And
/// errors add up: the second follows the sums over the neighbours, where no neighbour is missing. Where sizes
/// meet, these err; e is what both agree on, that by W̄ and that by the row's own kernel.
template <class Pairs, class StepOf, class Result>
struct Continuity {
    Pairs pairs;
    const Packed4* velocity_pressure;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const WallTerm> walls;
    View<const Phase> phase;
    StepOf step;
    bool loose;           ///< below the rest density there is no pressure
    bool solids;          ///< there are some
    const float* liquid;  ///< 1 for liquids, 0 for others: pressures of solids are those of sums
    View<const float> rho;
    View<const Vec3f> acceleration;
    Vec3f gravity;
    float inverse_support;  ///< 1/H of the model
    Result result;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        if (phase[i] != Phase::liquid) return result(i, 0, 0);  // summed
        using Real = typename Width::Real;
        const float dt = step(i);
        const Packed4 own = velocity_pressure[i];
        const Vec3<Real> v = spread_vector<Real>(own);
        const Real half = spread<Real>(0.5f * dt), p = spread<Real>(own.w);
        const Vec3f g = pressure_slope(i);
        const Vec3<Real> slope{spread<Real>(g.x), spread<Real>(g.y), spread<Real>(g.z)};
        Real rate{};
        Vec3<Real> lean{};
        MixedSums<Real> sums;
        pairs.for_each(width, i, [&](const auto& now) {
            const PackedOf<Real> other = now.of(velocity_pressure);
            const Vec3<Real> vij = v - other.xyz;
            const auto pair = now.moved(vij * half);
            const Real gradient = pair.volume * pair.gradient();
            rate += dot(vij, pair.x) * gradient;
            sums.mean += pair.volume * pair.value();
            if constexpr (!Pairs::mixed) lean += pair.x * gradient;
            if constexpr (Pairs::mixed) {
                const Real weight = solids ? gradient * pair.of(liquid) : gradient;
                sums.own += pair.volume * pair.smoothing.own_value(pair.r);
                sums.excess += weight * (p - other.w - dot(slope, pair.x));
                sums.weight -= weight;
            }
        });
        float total = width.sum(rate) * constants[material[i]].rest_density;
        if constexpr (Pairs::mixed) {
            const MixedSums<float> all{width.sum(sums.mean), width.sum(sums.own), width.sum(sums.excess),
                                       width.sum(sums.weight)};
            total = corrected(i, dt, total, all);
        } else {
            if (loose) total = anchored(i, dt, total, width.sum(sums.mean), width.sum(lean));
        }
        result(i, dt, total);
    }

    /// ∇p that accelerates the row as it is.
    Vec3f pressure_slope(Index i) const {
        if (!Pairs::mixed || acceleration.empty()) return {};
        return constants[material[i]].rest_density * (gravity - acceleration[i]);
    }

    /// Where sizes do not differ the sum itself is what densities follow, wherever neighbours are on all
    /// sides: matter that has drifted apart has them too.
    float anchored(Index i, float dt, float rate, float neighbours, const Vec3f& lean) const {
        const FluidConstants& own = constants[material[i]];
        const float s = rho[i] / own.rest_density,
                    sum = pairs.self(i).w * pairs.row(i).self() + walls[i].gamma + neighbours;
        // Along walls alone: layers beside them are seldom where the integral of a half space has them.
        const Vec3f& wall = walls[i].gradient;
        const float wall2 = norm2(wall);
        const Vec3f along = wall2 > 0 ? lean - (dot(lean, wall) / wall2) * wall : lean;
        const bool inside = norm(along) < most_lean * inverse_support && sum > least_inside;
        const float error = sum - s,
                    drift = std::max(0.f, error - tolerated) + std::min(0.f, error + tolerated);
        if (inside) rate += follow(own, inverse_support, std::min(drift, usual));
        return std::max(rate, (std::min(sum, 1.f) * own.rest_density - rho[i]) / dt);
    }

    /// anchor c/H (1 + (e/usual)²) e
    static float follow(const FluidConstants& own, float inverse, float error) {
        const float ratio = error / usual;
        return std::min(anchor * (1 + ratio * ratio), fastest) * std::sqrt(own.sound_speed2) * inverse *
               error * own.rest_density;
    }

    float corrected(Index i, float dt, float rate, const MixedSums<float>& sums) const {
        const FluidConstants& own = constants[material[i]];
        const auto& row = pairs.row(i);
        const float inverse = row.inverse_support();
        const float c = std::sqrt(own.sound_speed2), s = rho[i] / own.rest_density,
                    alone = pairs.self(i).w * row.self() + walls[i].gamma;
        const float mean = alone + sums.mean, gathered = alone + sums.own;
        // Implicit in the row's own pressure, and so stable for steps of any length.
        const float speed = evening * c / inverse, most = most_evening * c * inverse;
        const float even =
            speed / (own.sound_speed2 * own.rest_density) * sums.excess / (1 + dt * speed * sums.weight);
        rate += own.rest_density * even / (1 + std::abs(even) / most);
        if (mean > complete && gathered > complete)
            rate += follow(own, inverse, agreed_error(mean - s, gathered - s));
        // Particles that merged or split in the meantime are denser than their column says. Up to the rest
        // density that causes no pressure.
        if (loose) rate = std::max(rate, (std::min(mean, 1.f) * own.rest_density - rho[i]) / dt);
        return rate;
    }
};

}  // namespace

template <class StepOf, class Result>
void ContinuityEquation::run(const Device& device, const FluidState& state,
                             View<const FluidConstants> constants, const Packed4* velocity_pressure,
                             const StepOf& step, const Result& result) {
    const ParticleTable& particles = state.particles;
    const View<const Phase> phase(particles.phase);
    const bool solids = std::any_of(phase.begin(), phase.end(), [](Phase p) { return p != Phase::liquid; });
    liquid_.assign(solids ? phase.size() + 1 : 0, 0.f);
    if (solids)
        launch(device, particles.size(),
               [phase, out = View(liquid_)](Index i) { out[i] = phase[i] == Phase::liquid ? 1.f : 0.f; });
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(
            device, particles.size(), state.rows,
            Continuity{pairs, velocity_pressure, constants, View<const std::uint16_t>(particles.material),
                       state.walls, phase, step, loose_, solids, std::as_const(liquid_).data(),
                       View<const float>(particles.density), state.acceleration, state.gravity,
                       inverse_support_, result});
    });
}

void ContinuityEquation::advance(const Device& device, const FluidState& state,
                                 View<const FluidConstants> constants, const Packed4* velocity_pressure,
                                 float dt) {
    run(
        device, state, constants, velocity_pressure, [dt](Index) { return dt; },
        [rho = View(state.particles.density)](Index i, float step, float rate) { rho[i] += step * rate; });
}

void ContinuityEquation::find_rates(const Device& device, const FluidState& state,
                                    View<const FluidConstants> constants, const Packed4* velocity_pressure,
                                    View<const float> steps, View<float> rates) {
    run(
        device, state, constants, velocity_pressure, [steps](Index i) { return steps[i]; },
        [rates](Index i, float, float rate) { rates[i] = rate; });
}

}  // namespace thixo
