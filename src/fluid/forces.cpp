#include "fluid/forces.h"

#include <utility>

#include "fluid/fluid.h"

namespace thixo {

namespace {

/// Walls that fluid sticks to: μ Σₖ Dₖ (vₖ − vᵢ)/ρ₀.
struct WallViscosity {
    RowFriction friction;
    float wall_friction;
    View<const Vec3f> v;
    View<const WallMotion> motion;
    View<Vec3f> acceleration;

    void operator()(Index i) const {
        const float mu = wall_friction * friction(i),
                    rho = friction.constants[friction.material[i]].rest_density;
        acceleration[i] += (motion[i].pull - motion[i].drag * v[i]) * (mu / rho);
    }
};

/// Calls use(viscosity) for those that are forces.
template <class Use>
void with_explicit_viscosity(ViscosityMethod method, const Discretisation& of, const Use& use) {
    if (method == ViscosityMethod::laplacian)
        use(Laplacian{});
    else
        use(Artificial{static_cast<float>(pair_softening * of.support * of.support)});
}

/// The same, and for the one that is solved for.
template <class Use>
void with_viscosity(ViscosityMethod method, const Discretisation& of, const Use& use) {
    if (method == ViscosityMethod::implicit)
        use(Central{static_cast<float>(2 * (of.dimensions + 2)),
                    static_cast<float>(pair_softening * of.support * of.support)});
    else
        with_explicit_viscosity(method, of, use);
}

}  // namespace

void Fluid::pack_velocity(const Device& device, View<const Vec3f> v) {
    const auto n = static_cast<Index>(v.size());
    velocity_pressure_.resize(n + 1);
    velocity_pressure_[n] = {};
    launch(device, n, [v, out = View(velocity_pressure_)](Index i) {
        out[i] = {v[i].x, v[i].y, v[i].z, out[i].w};
    });
}

void Fluid::find_friction(const Device& device, const ParticleTable& particles) {
    const Index n = particles.size();
    friction_.resize(n + 1);
    const View<const std::uint16_t> material(particles.material);
    launch(
        device, n,
        [=, constants = View<const FluidConstants>(constants_), curves = View<const ViscosityCurve>(curves_),
         t = View<const float>(particles.temperature), out = View(friction_)](Index i) {
            const ViscosityCurve& curve = curves[material[i]];
            out[i] = curve.empty() ? constants[material[i]].friction : curve.at(t[i]);
        });
    for (std::uint16_t k = 0; k < curves_.size(); ++k) {
        if (curves_[k].empty()) continue;
        stiffest_[k] = reduce_max(device, n, 0.f, [=, mu = View(std::as_const(friction_))](Index i) {
            return material[i] == k ? mu[i] : 0.f;
        });
    }
}

void Fluid::compute_forces(const Device& device, const FluidState& state, View<Vec3f> acceleration,
                           View<float> wall_push) {
    const ParticleTable& particles = state.particles;
    const Index n = particles.size();
    const View<const FluidConstants> constants(constants_);
    const View<const std::uint16_t> material(particles.material);
    if (mixed_friction_) find_friction(device, particles);

    const auto sweep = [&](const auto& viscosity) {
        using V = std::remove_cvref_t<decltype(viscosity)>;
        state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
            using P = std::remove_cvref_t<decltype(pairs)>;
            const auto run = [&]<bool mixed>() {
                launch_pairs(
                    device, n, state.rows,
                    Forces<P, V, mixed>{pairs, viscosity, velocity_pressure_.data(), friction_.data(),
                                        constants, material, state.walls, acceleration, wall_push});
            };
            mixed_friction_ ? run.template operator()<true>() : run.template operator()<false>();
        });
    };
    if (viscous_ && methods_.viscosity != ViscosityMethod::implicit)
        with_explicit_viscosity(methods_.viscosity, discretisation_, sweep);
    else if (pressure_acts_)
        sweep(Frictionless{});
    if (!adhesion_.empty()) adhesion_.add(device, state, constants_, acceleration);
    if (tense_) {
        surface_tension_.add(device, state, tension_, {adhesion_.wetting(), adhesion_.share_at_rest()},
                             acceleration);
        adhesion_.react(device, state, constants_, surface_tension_, tension_, acceleration);
    }
    if (!state.motion.empty() && methods_.viscosity == ViscosityMethod::laplacian) {
        launch(device, n, state.rows,
               WallViscosity{friction(particles), wall_friction_, View<const Vec3f>(particles.velocity),
                             state.motion, acceleration});
    }
}

FluidTerms Fluid::terms(const FluidState& state, Index i) const {
    const ParticleTable& p = state.particles;
    // The pair loop of the forces, with pressures that are solved for as well: those are not in its records.
    std::vector<Packed4> velocity_pressure(p.size() + 1);
    std::vector<float> friction_of_rows(p.size() + 1);
    const RowFriction friction_of = friction(p);
    for (Index j = 0; j < p.size(); ++j) {
        const float s = p.density[j] / constants_[p.material[j]].rest_density;
        const Vec3f& v = p.velocity[j];
        velocity_pressure[j] = {v.x, v.y, v.z, p.pressure[j] / (s * s)};
        friction_of_rows[j] = friction_of(j);
    }
    FluidTerms out;
    with_viscosity(methods_.viscosity, discretisation_, [&](const auto& viscosity) {
        using V = std::remove_cvref_t<decltype(viscosity)>;
        state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
            const Forces<std::remove_cvref_t<decltype(pairs)>, V, true> forces{
                pairs, viscosity, velocity_pressure.data(), friction_of_rows.data()};
            const auto sums = forces.sums(OneByOne{}, i);
            out.pressure = sums.pressure;
            out.viscosity = sums.viscous;
        });
    });
    const float rest_density = constants_[p.material[i]].rest_density;
    out.wall = state.walls[i].gradient * -velocity_pressure[i].w;
    if (tense_ && p.phase[i] == Phase::liquid)
        out.tension = surface_tension_.acceleration(i, tension_[p.material[i]]) * rest_density;
    for (Vec3f* term : {&out.pressure, &out.wall, &out.viscosity, &out.tension}) *term = *term / rest_density;
    return out;
}

}  // namespace thixo
