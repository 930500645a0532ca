#pragma once

#include <algorithm>
#include <string>

#include "physics/bodies.h"

namespace thixo {

inline Material wood(double density = 600, double friction = 0.5) {
    return {.name = "wood", .density = density, .liquid = {}, .solid = {.friction = friction}, .heat = {}};
}

inline Object rigid(std::string name, Shape shape, Vec3d velocity = {}) {
    Object object = body(std::move(name), std::move(shape), velocity);
    object.material = "wood";
    object.phase = Phase::rigid;
    return object;
}

/// The fastest particle of an object, m/s.
inline double top_speed(const ParticleTable& p, int object) {
    double fastest = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] == object) fastest = std::max(fastest, double{norm(p.velocity[i])});
    }
    return fastest;
}

}  // namespace thixo
