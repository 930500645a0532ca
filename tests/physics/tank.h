#pragma once

#include <cstdlib>
#include <string_view>

#include "sim/populate.h"
#include "sim/simulation.h"

namespace thixo {

/// Whether tests run in full size.
inline bool full_size() {
    const char* value = std::getenv("THIXO_FULL");
    return value != nullptr && std::string_view(value) != "0" && std::string_view(value) != "";
}

/// One of two sizes of an experiment.
template <class T>
T pick(T reduced, T full) {
    return full_size() ? full : reduced;
}

inline Material liquid(double sound_speed, double viscosity) {
    return {.name = "water",
            .density = 1000,
            .liquid = {.sound_speed = sound_speed, .viscosity = viscosity},
            .heat = {}};
}

/// One liquid in two or three dimensions, without walls or gravity.
inline Model weightless(int dimensions, double spacing, const Material& material) {
    Model model;
    model.dimensions = dimensions;
    model.gravity = {0, 0, 0};
    model.particles.spacing = spacing;
    model.materials = {material};
    return model;
}

inline Object filled(Shape shape) { return {.name = "body", .material = "water", .shape = std::move(shape)}; }

inline bool never() { return false; }

}  // namespace thixo
