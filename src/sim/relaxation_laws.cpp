#include "sim/relaxation_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fluid/pressure_methods.h"

namespace thixo {

namespace {

/// Compression that the weight of the deepest liquid may leave where the run's solver leaves none.
constexpr double stiffest_compression = 1e-4;

}  // namespace

std::vector<Material> inviscid_materials(const Model& model, double depth) {
    std::vector<Material> materials = model.materials;
    const double g = norm(model.gravity);
    for (Material& material : materials) {
        material.liquid.viscosity = material.liquid.artificial_viscosity = material.liquid.surface_tension =
            0;
        material.liquid.viscosity_table.clear();
        if (entry_of(model.solver.pressure).solved)
            material.liquid.sound_speed = std::max(1.0, std::sqrt(g * depth / stiffest_compression));
    }
    return materials;
}

std::vector<Material> softened(std::vector<Material> materials, double sound_speed) {
    double heaviest = 0;
    for (const Material& material : materials) heaviest = std::max(heaviest, material.density);
    for (Material& material : materials) {
        double& c = material.liquid.sound_speed;
        c = std::min(c, sound_speed * std::sqrt(heaviest / material.density));
    }
    return materials;
}

FluidMethods relaxation_methods(FluidMethods methods) {
    if (entry_of(methods.pressure).solved) methods.pressure = PressureMethod::state_equation;
    methods.density = DensityMethod::summation;
    methods.viscosity = ViscosityMethod::laplacian;
    return methods;
}

FluidMethods soft_relaxation_methods(const FluidMethods& methods) {
    FluidMethods soft = relaxation_methods(methods);
    soft.pressure = PressureMethod::state_equation;
    return soft;
}

double liquid_depth(const Model& model, const ParticleTable& particles) {
    const double g = norm(model.gravity);
    if (!(g > 0)) return 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.phase[i] != Phase::liquid) continue;
        const double y = -dot(to_double(particles.position[i]), model.gravity) / g;
        low = std::min(low, y);
        high = std::max(high, y);
    }
    return high > low ? high - low + model.particles.spacing : model.particles.spacing;
}

}  // namespace thixo
