#include <algorithm>
#include <cmath>

#include "fluid/fluid.h"
#include "sph/sizes.h"

namespace thixo {

namespace {

/// Of the sum on the lattice at rest: from here on nobody is missing.
constexpr float complete = 0.95f;

/// How fast densities follow the sums, in c/H, and of which error. What is farther off is drift, and goes the faster.
constexpr float anchor = 0.005f, usual = 0.05f, fastest = 0.1f;

/// How fast pressures of neighbours become even, δ; and the most that it does, in c/H: what particles that move about in calm water need. An
/// impact is not to be evened out.
constexpr float evening = 0.5f, most_evening = 6e-4f;

/// What a row gathers where particles have sizes of their own.
struct MixedSums {
    Lanes mean{}, own{};  ///< Σⱼ V⁰ⱼ W̄ᵢⱼ, and with the kernel of the row alone
    Lanes excess{}, weight{};  ///< Σⱼ V⁰ⱼ |∇W̄ᵢⱼ|/r (pⱼ − pᵢ − ∇pᵢ·xⱼᵢ), and the weights alone
};

/// The smaller of two errors if they have the same sign, or none.
float agreed(float a, float b) {
    if (a * b <= 0) return 0;
    return std::abs(a) < std::abs(b) ? a : b;
}

/// dsᵢ/dt = Σⱼ V⁰ⱼ (vᵢ − vⱼ)·∇Wᵢⱼ   [DC99, eq. 10–11]
///
/// The velocities must be the kicked ones and the separations those at mid-step, xᵢⱼ + ½Δt vᵢⱼ: with old velocities an
/// undamped ball blows up, with old separations its energy doubles. Near a wall the sum lacks what lies behind it; that
/// share follows from the distance to the wall and needs no equation of its own.
///
/// Where particles have sizes of their own, which are what this equation is for, there are two terms more:
///
///     δ Hᵢ/(ρ₀c) Σⱼ V⁰ⱼ |∇W̄ᵢⱼ|/r (pⱼ − pᵢ − ∇pᵢ·xⱼᵢ),   ∇pᵢ = ρ₀ (g − aᵢ)       after Molteni & Colagrossi 2009
///     anchor c/Hᵢ (1 + (eᵢ/usual)²) eᵢ
///
/// Forces of mixed sizes move particles about until they balance. What these ways add to densities is percents, a pressure far beyond
/// that of the liquid's weight, which would stay: the first evens it out. And errors add up: the second follows the sums over the neighbours, where
/// nobody is missing. Where sizes meet, these err; e is what both agree on, that by W̄ and that by the row's own kernel.
template <class Sizes, class StepOf, class Result>
struct Continuity {
    Sizes sizes;
    Neighbours neighbours;
    const Packed4* position_volume;
    const Packed4* velocity_pressure;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const WallTerm> walls;
    View<const Phase> phase;
    StepOf step;
    bool loose;   ///< below the rest density there is no pressure
    bool solids;  ///< there are some
    View<const float> rho;
    View<const Vec3f> acceleration;
    Vec3f gravity;
    Result result;

    void operator()(Index i) const {
        if (phase[i] != Phase::liquid) return result(i, 0, 0);  // summed
        const float dt = step(i);
        const Packed4 a = position_volume[i], b = velocity_pressure[i];
        const Vec3<Lanes> x = spread(Vec3f{a.x, a.y, a.z}), v = spread(Vec3f{b.x, b.y, b.z});
        const Lanes half = spread<Lanes>(0.5f * dt), p = spread<Lanes>(b.w);
        const Vec3<Lanes> slope = spread(pressure_slope(i));
        const auto& w = sizes.of(i);
        Lanes rate{};
        MixedSums sums;
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes xj = gather(position_volume, j), vj = gather(velocity_pressure, j);
            const Vec3<Lanes> vij = v - vj.xyz, xij = x - xj.xyz + vij * half;
            const auto& pair = w.with(j);
            const Lanes r = square_root(norm2(xij)), gradient = xj.w * pair.gradient_over_distance(r);
            rate += dot(vij, xij) * gradient;
            if constexpr (Sizes::mixed) {
                const Lanes weight = solids ? gradient * liquids(j) : gradient;
                sums.mean += xj.w * pair.value(r);
                sums.own += xj.w * pair.own_value(r);
                sums.excess += weight * (p - vj.w - dot(slope, xij));
                sums.weight -= weight;
            }
        });
        float total = sum(rate) * constants[material[i]].rest_density;
        if constexpr (Sizes::mixed) total = corrected(i, dt, total, w.self(), w.inverse_support(), sums);
        result(i, dt, total);
    }

    /// ∇p that accelerates the row as it is.
    Vec3f pressure_slope(Index i) const {
        if (!Sizes::mixed || acceleration.empty()) return {};
        return constants[material[i]].rest_density * (gravity - acceleration[i]);
    }

    /// 1 for liquids, 0 for others: pressures of solids are those of sums.
    Lanes liquids(const Index* rows) const {
        Lanes out{};
        for (Index l = 0; l < lane_count; ++l)
            out[l] = rows[l] < phase.size() && phase[rows[l]] == Phase::liquid ? 1.f : 0.f;
        return out;
    }

    float corrected(Index i, float dt, float rate, float self, float inverse_support,
                    const MixedSums& sums) const {
        const FluidConstants& own = constants[material[i]];
        const float c = std::sqrt(own.sound_speed2), s = rho[i] / own.rest_density,
                    alone = position_volume[i].w * self + walls[i].share;
        const float mean = alone + sum(sums.mean), gathered = alone + sum(sums.own);
        // Implicit in the row's own pressure, and so stable for steps of any length.
        const float speed = evening * c / inverse_support, most = most_evening * c * inverse_support;
        const float even = speed / (own.sound_speed2 * own.rest_density) * sum(sums.excess) /
                           (1 + dt * speed * sum(sums.weight));
        rate += own.rest_density * even / (1 + std::abs(even) / most);
        if (mean > complete && gathered > complete) {
            const float error = agreed(mean - s, gathered - s), share = error / usual;
            rate += std::min(anchor * (1 + share * share), fastest) * c * inverse_support * error *
                    own.rest_density;
        }
        // What was apart and has merged or split in the meantime is denser than it knows. Up to the rest density that presses nobody.
        if (loose) rate = std::max(rate, (std::min(mean, 1.f) * own.rest_density - rho[i]) / dt);
        return rate;
    }
};

}  // namespace

template <class StepOf, class Result>
void Fluid::continue_density(const Device& device, const FluidState& state, const StepOf& step,
                             const Result& result) {
    const ParticleTable& particles = state.particles;
    const View<const Phase> phase(particles.phase);
    const bool solids = std::any_of(phase.begin(), phase.end(), [](Phase p) { return p != Phase::liquid; });
    with_sizes(kernel_, support_, dimensions_, inverse_support_, [&](const auto& sizes) {
        launch(
            device, particles.size(), state.rows,
            Continuity{sizes, state.neighbours, position_volume_.data(), velocity_pressure_.data(),
                       View<const FluidConstants>(constants_), View<const std::uint16_t>(particles.material),
                       state.walls, phase, step, !methods_.tension, solids,
                       View<const float>(particles.density), state.acceleration, state.gravity, result});
    });
}

void Fluid::advance_density(const Device& device, const FluidState& state, View<const Vec3f> transport,
                            float dt) {
    pack_velocity(device, transport);
    continue_density(
        device, state, [dt](Index) { return dt; },
        [rho = View(state.particles.density)](Index i, float step, float rate) { rho[i] += step * rate; });
}

void Fluid::find_density_rates(const Device& device, const FluidState& state, View<const float> steps,
                               View<float> rates) {
    // The others have had theirs since the last forces.
    launch(device, state.particles.size(), state.rows,
           [v = View<const Vec3f>(state.particles.velocity), out = View(velocity_pressure_)](Index i) {
               out[i] = {v[i].x, v[i].y, v[i].z, out[i].w};
           });
    continue_density(
        device, state, [steps](Index i) { return steps[i]; },
        [rates](Index i, float, float rate) { rates[i] = rate; });
}

}  // namespace thixo
