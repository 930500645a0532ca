#include "fluid/fluid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/core.h>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/sizes.h"

namespace thixo {

namespace {

/// What a viscosity with μ = 1 makes of the velocity ½y² along x on a cubic lattice whose rows have slid along x, on average
/// over how far; in the continuum it would be 1. Sums over a lattice differ from integrals: by 15 % for the Laplacian in
/// 2D, by 25 % for the central form of ImplicitViscosity.
double lattice_laplacian(ViscosityMethod method, KernelName name, double support, int dimensions,
                         double spacing) {
    constexpr int shifts = 16;
    const double volume = rest_volume(name, support, dimensions, Lattice::cubic, spacing);
    const ViscosityKernel<double> viscosity(support, dimensions);
    return with_kernel(name, support, dimensions, [&](const auto& kernel) {
        double sum = 0;
        for (const Vec3d& v : lattice_around_origin(Lattice::cubic, spacing, dimensions, 3 * support)) {
            for (int k = 0; k < shifts; ++k) {
                const double x = v.x + v.y * k / shifts, y2 = v.y * v.y, r2 = x * x + y2 + v.z * v.z;
                const double r = std::sqrt(r2);
                sum += method == ViscosityMethod::laplacian
                           ? 0.5 * y2 * viscosity.laplacian(r)
                           : -(dimensions + 2) * y2 * x * x *
                                 kernel.gradient_over_distance(static_cast<float>(r)) /
                                 (r2 + 0.0025 * support * support);
            }
        }
        return volume * sum / shifts;
    });
}

}  // namespace

Fluid::Fluid(const std::vector<Material>& materials, const FluidMethods& methods, KernelName kernel,
             double support, int dimensions, double spacing)
    : materials_(materials),
      methods_(methods),
      kernel_(kernel),
      support_(support),
      dimensions_(dimensions),
      surface_tension_(kernel, support, dimensions, spacing) {
    const auto lattice = [&](ViscosityMethod method) {
        return lattice_laplacian(method, kernel, support, dimensions, spacing);
    };
    const double laplacian = lattice(methods.viscosity), wall = lattice(ViscosityMethod::laplacian);
    wall_friction_ = static_cast<float>(laplacian / wall);
    for (const Material& material : materials) {
        const LiquidSettings& liquid = material.liquid;
        const double c = liquid.sound_speed, h = 0.5 * support;
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
}

FluidTerms Fluid::terms(const FluidState& state, Index i) const {
    const ParticleTable& p = state.particles;
    const auto constants_of = [&](Index j) -> const FluidConstants& { return constants_[p.material[j]]; };
    const auto stress = [&](Index j) {  // p/s²
        const float s = p.density[j] / constants_of(j).rest_density;
        return p.pressure[j] / (s * s);
    };
    const FluidConstants& own = constants_of(i);
    const RowFriction friction_of = friction(p);
    const auto softening = 0.0025f * static_cast<float>(support_ * support_);
    FluidTerms out;
    with_sizes(kernel_, support_, dimensions_, inverse_support_, [&](const auto& sizes) {
        const auto& w = sizes.of(i);
        for (const Index j : state.neighbours.of(i)) {
            const auto& pair = w.with(j);
            float scale = 1;
            if constexpr (std::remove_cvref_t<decltype(sizes)>::mixed) scale = pair.scale();
            const Vec3f x = p.position[i] - p.position[j], v = p.velocity[i] - p.velocity[j];
            const float r = norm(x), volume = p.mass[j] / constants_of(j).rest_density;
            const float gradient = pair.gradient_over_distance(r);
            const float friction = 0.5f * (friction_of(i) + friction_of(j));
            out.pressure -= x * (volume * (stress(i) + stress(j)) * gradient);
            const float stretch = dot(v, x) / (r * r + softening * scale * scale);
            if (methods_.viscosity == ViscosityMethod::laplacian) {
                out.viscosity -= v * (friction * volume * pair.viscosity_laplacian(r));
            } else if (methods_.viscosity == ViscosityMethod::artificial) {
                out.viscosity += x * (friction * scale * volume * gradient * std::min(0.f, stretch));
            } else {
                const auto factor = static_cast<float>(2 * (dimensions_ + 2));
                out.viscosity += x * (factor * friction * volume * gradient * stretch);
            }
        }
    });
    out.wall = state.walls[i].gradient * -stress(i);
    if (tense_ && p.phase[i] == Phase::liquid)
        out.tension = surface_tension_.acceleration(i, tension_[p.material[i]]) * own.rest_density;
    for (Vec3f* term : {&out.pressure, &out.wall, &out.viscosity, &out.tension}) {
        *term = *term / own.rest_density;
    }
    return out;
}

double Fluid::capillary_step(const Material& material) const {
    const double h = 0.5 * support_, sigma = material.liquid.surface_tension;
    return 0.2 * std::sqrt(material.density * h * h * h / (2 * std::numbers::pi * sigma));
}

double Fluid::capillary_step() const {
    double step = std::numeric_limits<double>::infinity();
    for (const Material& material : materials_) step = std::min(step, capillary_step(material));
    return step;
}

double Fluid::sound_step(const Material& material) const {
    // Critical is 0.9 H/c on a lattice; irregular samples and fast flows need the margin.
    return 0.2 * support_ / material.liquid.sound_speed;
}

double Fluid::viscous_step(std::size_t k) const {
    const LiquidSettings& liquid = materials_[k].liquid;
    if (methods_.viscosity == ViscosityMethod::artificial)
        return 0.15 * support_ / (liquid.sound_speed * (1 + 1.2 * liquid.artificial_viscosity));
    if (methods_.viscosity == ViscosityMethod::implicit) return std::numeric_limits<double>::infinity();
    // Explicit diffusion with rate ΣV∇²W = 15/H² (3D) or 40/3/H² (2D).
    const double rate = dimensions_ == 2 ? 40.0 / 3 : 15.0;
    return materials_[k].density * support_ * support_ / (rate * stiffest_[k]);
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
        if (pressing.empty() ? !incompressible() : pressing[k] != 0) {
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
    return (position_volume_.capacity() + velocity_pressure_.capacity()) * sizeof(Packed4) +
           (friction_.capacity() + inverse_support_.capacity()) * sizeof(float) + surface_tension_.bytes();
}

}  // namespace thixo
