#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "physics/elastic.h"
#include "physics/tank.h"

namespace thixo {

/// An elastic object.
inline Object body(std::string name, Shape shape, Vec3d velocity = {}) {
    Object object{.name = std::move(name), .material = "rubber", .shape = std::move(shape)};
    object.phase = Phase::elastic;
    object.velocity = velocity;
    return object;
}

/// What one object's particles add up to.
struct Census {
    double mass = 0;
    Vec3d center, momentum;
    Vec3d low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
    double motion = 0;  ///< Σ m |v|
};

inline Census census(const ParticleTable& p, int object) {
    Census sum;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] != object) continue;
        const Vec3d x = to_double(p.position[i]), v = to_double(p.velocity[i]);
        const double m = p.mass[i];
        sum.mass += m;
        sum.center += m * x;
        sum.momentum += m * v;
        sum.motion += m * norm(v);
        sum.low = {std::min(sum.low.x, x.x), std::min(sum.low.y, x.y), std::min(sum.low.z, x.z)};
        sum.high = {std::max(sum.high.x, x.x), std::max(sum.high.y, x.y), std::max(sum.high.z, x.z)};
    }
    sum.center = sum.center / sum.mass;
    return sum;
}

/// Smallest distance between particles of objects a and b.
inline double distance_between(const ParticleTable& p, int a, int b) {
    std::vector<Vec3f> left, right;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] == a) left.push_back(p.position[i]);
        if (p.object[i] == b) right.push_back(p.position[i]);
    }
    float nearest2 = std::numeric_limits<float>::max();
    for (const Vec3f& x : left) {
        for (const Vec3f& y : right) nearest2 = std::min(nearest2, norm2(x - y));
    }
    return std::sqrt(nearest2);
}

}  // namespace thixo
