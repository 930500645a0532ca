#include <cmath>

#include "fluid/fluid.h"
#include "sph/sizes.h"

namespace thixo {

namespace {

/// Of the sum on the lattice at rest: from here on nobody is missing.
constexpr float complete = 0.95f;

/// How fast densities follow the sum, in c/H. Where sizes meet, or where a particle has just split, the sum errs by percents, which are a
/// pressure far beyond that of the liquid's weight: particles must have the time to find places where it does not.
constexpr float anchor = 0.002f;

/// Of the error that is to be expected there. What is farther off is drift, and goes the faster.
constexpr float usual = 0.05f, fastest = 0.1f;

/// dsᵢ/dt = Σⱼ V⁰ⱼ (vᵢ − vⱼ)·∇Wᵢⱼ   [DC99, eq. 10–11]
///
/// The velocities must be the kicked ones and the separations those at mid-step, xᵢⱼ + ½Δt vᵢⱼ: with old velocities an
/// undamped ball blows up, with old separations its energy doubles. Near a wall the sum lacks what lies behind it; that
/// share follows from the distance to the wall and needs no equation of its own.
///
/// Errors add up. Where particles have sizes of their own, which are what this equation is for, densities therefore follow the sum
/// over the neighbours, slowly, wherever neighbourhoods are complete and it can be trusted.
template <class Sizes, class StepOf, class Result>
struct Continuity {
    Sizes sizes;
    Neighbours neighbours;
    const Packed4* position_volume;
    const Packed4* velocity;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const WallTerm> walls;
    View<const Phase> phase;
    StepOf step;
    bool loose;  ///< below the rest density there is no pressure
    View<const float> rho;
    Result result;

    void operator()(Index i) const {
        if (phase[i] != Phase::liquid) return result(i, 0, 0);  // summed
        const float dt = step(i);
        const Packed4 a = position_volume[i], b = velocity[i];
        const Vec3<Lanes> x = spread(Vec3f{a.x, a.y, a.z}), v = spread(Vec3f{b.x, b.y, b.z});
        const Lanes half = spread<Lanes>(0.5f * dt);
        const auto& w = sizes.of(i);
        Lanes rate{}, s{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes xj = gather(position_volume, j), vj = gather(velocity, j);
            const Vec3<Lanes> vij = v - vj.xyz, xij = x - xj.xyz + vij * half;
            const auto& pair = w.with(j);
            const Lanes r = square_root(norm2(xij));
            rate += xj.w * dot(vij, xij) * pair.gradient_over_distance(r);
            if constexpr (Sizes::mixed) s += xj.w * pair.value(r);
        });
        const FluidConstants& own = constants[material[i]];
        float total = sum(rate) * own.rest_density;
        if constexpr (Sizes::mixed) {
            const float summed = a.w * w.self() + sum(s) + walls[i].share;
            const float error = summed - rho[i] / own.rest_density, share = error / usual;
            if (summed > complete)
                total += std::min(anchor * (1 + share * share), fastest) * std::sqrt(own.sound_speed2) *
                         w.inverse_support() * error * own.rest_density;
            // What was apart and has merged or split in the meantime is denser than it knows. Up to the rest density that presses nobody.
            if (loose) total = std::max(total, (std::min(summed, 1.f) * own.rest_density - rho[i]) / dt);
        }
        result(i, dt, total);
    }
};

}  // namespace

template <class StepOf, class Result>
void Fluid::continue_density(const Device& device, const FluidState& state, const StepOf& step,
                             const Result& result) {
    const ParticleTable& particles = state.particles;
    with_sizes(kernel_, support_, dimensions_, inverse_support_, [&](const auto& sizes) {
        launch(
            device, particles.size(), state.rows,
            Continuity{sizes, state.neighbours, position_volume_.data(), velocity_pressure_.data(),
                       View<const FluidConstants>(constants_), View<const std::uint16_t>(particles.material),
                       state.walls, View<const Phase>(particles.phase), step, !methods_.tension,
                       View<const float>(particles.density), result});
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
