#include "fluid/fluid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/core.h>

#include "fluid/forces.h"
#include "particles/lattice.h"
#include "sph/calibration.h"

namespace thixo {

namespace {

/// What a viscosity with μ = 1 makes of the velocity ½y² along x on a cubic lattice whose rows have slid along x, on average
/// over how far; in the continuum it would be 1. Sums over a lattice differ from integrals: by 15 % for the Laplacian in
/// 2D, by 25 % for the central form of ImplicitViscosity.
double lattice_laplacian(ViscosityMethod method, const Discretisation& of) {
    constexpr int shifts = 16;
    const double volume = rest_volume(of), support = of.support;
    const ViscosityKernel<double> viscosity(support, of.dimensions);
    return with_kernel(of, [&](const auto& kernel) {
        double sum = 0;
        for (const Vec3d& v : lattice_around_origin(Lattice::cubic, of.spacing, of.dimensions, 3 * support)) {
            for (int k = 0; k < shifts; ++k) {
                const double x = v.x + v.y * k / shifts, y2 = v.y * v.y, r2 = x * x + y2 + v.z * v.z;
                const double r = std::sqrt(r2);
                sum += method == ViscosityMethod::laplacian
                           ? 0.5 * y2 * viscosity.laplacian(r)
                           : -(of.dimensions + 2) * y2 * x * x *
                                 kernel.gradient_over_distance(static_cast<float>(r)) /
                                 (r2 + pair_softening * support * support);
            }
        }
        return volume * sum / shifts;
    });
}

}  // namespace

Fluid::Fluid(const std::vector<Material>& materials, const FluidMethods& methods,
             const Discretisation& discretisation, const std::vector<ContactAngle>& angles)
    : materials_(materials),
      methods_(methods),
      discretisation_(discretisation),
      surface_tension_(discretisation),
      adhesion_(materials, angles, discretisation) {
    const double laplacian = lattice_laplacian(methods.viscosity, discretisation),
                 wall = lattice_laplacian(ViscosityMethod::laplacian, discretisation);
    wall_friction_ = static_cast<float>(laplacian / wall);
    for (const Material& material : materials) {
        const LiquidSettings& liquid = material.liquid;
        const double c = liquid.sound_speed, h = 0.5 * discretisation.support;
        const double friction = methods.viscosity == ViscosityMethod::artificial
                                    ? liquid.artificial_viscosity * c * material.density * h
                                    : liquid.viscosity / laplacian;
        constants_.push_back(
            {static_cast<float>(material.density), static_cast<float>(c * c), static_cast<float>(friction)});
        stiffest_.push_back(constants_.back().friction);
        curves_.push_back(methods.viscosity == ViscosityMethod::artificial
                              ? ViscosityCurve{}
                              : ViscosityCurve(liquid.viscosity_table, 1 / laplacian));
        curved_ |= !curves_.back().empty();
        tension_.push_back(static_cast<float>(liquid.surface_tension / material.density));
        mixed_friction_ |= constants_.back().friction != constants_.front().friction;
        viscous_ |= friction > 0 || curved_;
        tense_ |= liquid.surface_tension > 0;
    }
    mixed_friction_ |= curved_;
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

bool Fluid::solve_viscosity(const Device& device, const FluidState& state, double dt) {
    if (!implicit_viscosity_) return false;
    implicit_viscosity_->solve(device, state, friction(state.particles), wall_friction_, dt);
    return true;
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
    return materials_[k].density * support * support / (rate * stiffest_[k]);
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
    return velocity_pressure_.capacity() * sizeof(Packed4) + friction_.capacity() * sizeof(float) +
           surface_tension_.bytes() + adhesion_.bytes() + pressure_->bytes() +
           (implicit_viscosity_ ? implicit_viscosity_->bytes() : 0);
}

}  // namespace thixo
