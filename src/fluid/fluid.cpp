#include "fluid/fluid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/core.h>

#include "fluid/forces.h"
#include "fluid/xsph.h"

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

Fluid::Fluid(const std::vector<Material>& materials, const FluidMethods& methods,
             const Discretisation& discretisation, const std::vector<ContactAngle>& angles)
    : materials_(materials),
      methods_(methods),
      friction_(materials, methods.viscosity, discretisation),
      discretisation_(discretisation),
      surface_tension_(discretisation),
      adhesion_(materials, angles, discretisation),
      continuity_(!methods.tension, discretisation.support) {
    for (std::size_t k = 0; k < materials.size(); ++k) {
        const LiquidSettings& liquid = materials[k].liquid;
        const double c = liquid.sound_speed;
        constants_.push_back(
            {static_cast<float>(materials[k].density), static_cast<float>(c * c), friction_.constant(k)});
        tension_.push_back(static_cast<float>(liquid.surface_tension / materials[k].density));
        tense_ |= liquid.surface_tension > 0;
    }
    pressure_ = entry_of(methods.pressure).make({methods, discretisation, constants_});
    if (methods.viscosity == ViscosityMethod::implicit)
        implicit_viscosity_.emplace(methods.viscosity_error, discretisation);
}

void Fluid::compute_pressure(const Device& device, ParticleTable& particles) {
    const Index n = particles.size();
    velocity_pressure_.resize(n + 1);
    velocity_pressure_[n] = {};
    pressure_acts_ = pressure_->compute_pressure(device, particles, velocity_pressure_);
}

void Fluid::pack_velocity(const Device& device, View<const Vec3f> v) {
    const auto n = static_cast<Index>(v.size());
    velocity_pressure_.resize(n + 1);
    velocity_pressure_[n] = {};
    launch(device, n, [v, out = View(velocity_pressure_)](Index i) {
        out[i] = {v[i].x, v[i].y, v[i].z, out[i].w};
    });
}

bool Fluid::solve_viscosity(const Device& device, const FluidState& state, double dt) {
    if (!implicit_viscosity_) return false;
    implicit_viscosity_->solve(device, state, friction(state.particles), wall_friction(), dt);
    return true;
}

void Fluid::compute_forces(const Device& device, const FluidState& state, View<Vec3f> acceleration,
                           View<float> wall_push) {
    const ParticleTable& particles = state.particles;
    const Index n = particles.size();
    const View<const FluidConstants> constants(constants_);
    const View<const std::uint16_t> material(particles.material);
    friction_.update(device, particles);

    const auto sweep = [&](const auto& viscosity) {
        using V = std::remove_cvref_t<decltype(viscosity)>;
        state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
            using P = std::remove_cvref_t<decltype(pairs)>;
            const auto run = [&]<bool mixed>() {
                launch_pairs(
                    device, n, state.rows,
                    Forces<P, V, mixed>{pairs, viscosity, velocity_pressure_.data(), friction_.rows().data(),
                                        constants, material, state.walls, acceleration, wall_push});
            };
            friction_.differs() ? run.template operator()<true>() : run.template operator()<false>();
        });
    };
    if (friction_.any() && methods_.viscosity != ViscosityMethod::implicit)
        with_explicit_viscosity(methods_.viscosity, discretisation_, sweep);
    else if (pressure_acts_)
        sweep(Frictionless{});
    if (!adhesion_.empty()) adhesion_.add(device, state, constants_, surface_tension_.air(), acceleration);
    if (tense_) {
        surface_tension_.add(device, state, tension_, {adhesion_.wetting(), adhesion_.gamma_at_rest()},
                             acceleration);
        adhesion_.react(device, state, constants_, surface_tension_, tension_, acceleration);
    }
    if (!state.motion.empty() && methods_.viscosity == ViscosityMethod::laplacian) {
        launch(device, n, state.rows,
               WallViscosity{friction(particles), wall_friction(), View<const Vec3f>(particles.velocity),
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

void Fluid::smooth_velocity(const Device& device, const FluidState& state, View<Vec3f> transport) {
    pack_velocity(device, state.particles.velocity);
    thixo::smooth_velocity(device, state, velocity_pressure_.data(), static_cast<float>(methods_.xsph),
                           transport);
}

void Fluid::advance_density(const Device& device, const FluidState& state, View<const Vec3f> transport,
                            float dt) {
    pack_velocity(device, transport);
    continuity_.advance(device, state, constants_, velocity_pressure_.data(), dt);
}

void Fluid::find_density_rates(const Device& device, const FluidState& state, View<const float> steps,
                               View<float> rates) {
    // Those of the other rows are as packed with the last forces.
    launch(device, state.particles.size(), state.rows,
           [v = View<const Vec3f>(state.particles.velocity), out = View(velocity_pressure_)](Index i) {
               out[i] = {v[i].x, v[i].y, v[i].z, out[i].w};
           });
    continuity_.find_rates(device, state, constants_, velocity_pressure_.data(), steps, rates);
}

double Fluid::capillary_step(const Material& material) const {
    const double h = 0.5 * discretisation_.support, sigma = material.liquid.surface_tension;
    return 0.2 * std::sqrt(material.density * h * h * h / (2 * std::numbers::pi * sigma));
}

double Fluid::capillary_step() const {
    double step = std::numeric_limits<double>::infinity();
    for (const Material& material : materials_) step = std::min(step, capillary_step(material));
    return step;
}

double Fluid::sound_step(const Material& material) const {
    // Critical is 0.9 H/c on a lattice; irregular samples and fast flows need the margin.
    return 0.2 * discretisation_.support / material.liquid.sound_speed;
}

double Fluid::viscous_step(std::size_t k) const {
    const LiquidSettings& liquid = materials_[k].liquid;
    if (methods_.viscosity == ViscosityMethod::artificial)
        return 0.15 * discretisation_.support /
               (liquid.sound_speed * (1 + 1.2 * liquid.artificial_viscosity));
    if (methods_.viscosity == ViscosityMethod::implicit) return std::numeric_limits<double>::infinity();
    // Explicit diffusion with rate ΣV∇²W = 15/H² (3D) or 40/3/H² (2D).
    const double rate = discretisation_.dimensions == 2 ? 40.0 / 3 : 15.0, support = discretisation_.support;
    return materials_[k].density * support * support / (rate * friction_.largest(k));
}

Fluid::StableStep Fluid::stable_step(std::size_t k, bool presses) const {
    StableStep step{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    if (presses) step.by_size = sound_step(materials_[k]);
    double& viscous = methods_.viscosity == ViscosityMethod::artificial ? step.by_size : step.by_size2;
    viscous = std::min(viscous, viscous_step(k));
    return step;
}

void Fluid::limit_time_step(TimeStepLimit& limit, View<const std::uint8_t> pressing, double finest) const {
    for (std::size_t k = 0; k < materials_.size(); ++k) {
        const Material& material = materials_[k];
        if (pressing.empty() ? pressure_->follows_density(Phase::liquid) : pressing[k] != 0) {
            limit.tighten(finest * sound_step(material),
                          [&] { return fmt::format("sound in `{}`", material.name); });
        }
        limit.tighten(std::pow(finest, 1.5) * capillary_step(material),
                      [&] { return fmt::format("surface tension of `{}`", material.name); });
        const double scale = methods_.viscosity == ViscosityMethod::artificial ? finest : finest * finest;
        limit.tighten(scale * viscous_step(k),
                      [&] { return fmt::format("viscosity of `{}`", material.name); });
    }
}

std::size_t Fluid::bytes() const {
    return velocity_pressure_.capacity() * sizeof(Packed4) + friction_.rows().capacity() * sizeof(float) +
           surface_tension_.bytes() + adhesion_.bytes() + pressure_->bytes() +
           (implicit_viscosity_ ? implicit_viscosity_->bytes() : 0);
}

}  // namespace thixo
