#pragma once

#include "sim/populate.h"
#include "sim/simulation.h"

namespace thixo {

inline Material water(double sound_speed = 20, double viscosity = 0.1) {
    return {.name = "water",
            .density = 1000,
            .liquid = {.sound_speed = sound_speed, .viscosity = viscosity},
            .heat = {}};
}

/// Two blocks of water thrown at each other and at the walls of a tank: lists are rebuilt all the time.
struct Splash {
    Model model;
    std::vector<Object> objects;

    explicit Splash(double spacing = 0.05, int dimensions = 3) {
        model.dimensions = dimensions;
        model.particles.spacing = spacing;
        model.materials = {
            water(),
            {.name = "oil", .density = 700, .liquid = {.sound_speed = 15, .viscosity = 1}, .heat = {}}};
        model.obstacles = {
            {.name = "tank", .shape = Box{{0, 0, 0}, {1.2, 1, 0.6}}, .inside = true, .friction = 0.2},
            {.name = "ball", .shape = Sphere{{0.6, 0.1, dimensions == 2 ? 0 : 0.3}, 0.1}}};
        objects = {{.name = "left",
                    .material = "water",
                    .velocity = {2, 0, 0},
                    .shape = Box{{0, 0.2, 0}, {0.4, 0.9, 0.6}}},
                   {.name = "right",
                    .material = "oil",
                    .velocity = {-2, -1, 0},
                    .shape = Box{{0.8, 0.2, 0}, {1.2, 0.9, 0.6}}}};
    }

    Simulation simulation(Device device = {1}) const { return {model, populate(model, objects), device}; }
};

inline bool never() { return false; }

}  // namespace thixo
