#pragma once

#include "sim/populate.h"
#include "sim/simulation.h"

namespace thixo {

/// Objects of wax in space, without gravity and walls.
struct Melt {
    static constexpr double spacing = 0.05;

    Model model;
    std::vector<Object> objects;

    explicit Melt(const Material& material) {
        model.particles.spacing = spacing;
        model.gravity = {};
        model.materials = {material};
    }
    void add(Phase phase, double temperature, double from, double to, const Vec3d& velocity = {}) {
        const bool lattice = model.materials[0].solid.model == SolidModel::lattice;
        objects.push_back({.name = "object",
                           .material = "wax",
                           .phase = phase,
                           .temperature = temperature,
                           .velocity = velocity,
                           .lattice = lattice ? Lattice::closest : Lattice::cubic,
                           .shape = Box{{from, 0, 0}, {to, 0.2, 0.2}}});
    }
    Simulation simulation(Device device = {2}) const { return {model, populate(model, objects), device}; }
};

/// Freezes and melts at 40 °C, unless told otherwise.
inline Material wax(double freezing = 40, double melting = 40) {
    Material out{.name = "wax", .density = 1000};
    out.liquid = {.sound_speed = 20, .viscosity = 2};
    out.solid = {.young_modulus = 1e5, .damping = 1e-3};
    out.heat.diffusivity = 5e-3;
    out.heat.freezing_point = freezing;
    out.heat.melting_point = melting;
    return out;
}

inline void run(Simulation& sim, double end) {
    while (sim.clock().time < end) sim.step(end);
}

}  // namespace thixo
