#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

/// A liquid from afar.
struct Outline {
    Vec3d low{}, high{};  ///< where it begins and ends
    Vec3d center{};
    double mass = 0, volume = 0;  ///< kg, m³
};

/// Between which places along an axis all but a fiftieth of the mass on either side lies, each particle
/// spread over its diameter: a drop that flies ahead is no front.
inline std::pair<double, double> ends_of(const ParticleTable& p, double Vec3d::*axis, double mass) {
    const auto fraction_below = [&](double place) {
        double sum = 0;
        for (Index i = 0; i < p.size(); ++i)
            sum += p.mass[i] *
                   std::clamp(0.5 + (place - to_double(p.position[i]).*axis) / (2 * p.radius[i]), 0.0, 1.0);
        return sum / mass;
    };
    const auto find = [&](double fraction) {
        double low = -1e3, high = 1e3;
        while (high - low > 1e-6)
            (fraction_below(0.5 * (low + high)) < fraction ? low : high) = 0.5 * (low + high);
        return low;
    };
    return {find(0.02), find(0.98)};
}

/// `rest_density` (kg/m³): what has flown apart has no less.
inline Outline outline(const ParticleTable& p, double rest_density) {
    Outline out;
    for (Index i = 0; i < p.size(); ++i) {
        out.mass += p.mass[i];
        out.volume += p.mass[i] / std::max(rest_density, double{p.density[i]});
        out.center += double{p.mass[i]} * to_double(p.position[i]);
    }
    out.center = out.center / out.mass;
    const bool plane =
        std::all_of(p.position.begin(), p.position.end(), [](const Vec3f& x) { return x.z == 0; });
    for (const auto axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z})
        if (axis != &Vec3d::z || !plane) std::tie(out.low.*axis, out.high.*axis) = ends_of(p, axis, out.mass);
    return out;
}

/// The largest side of the containers of a scene, m.
inline double domain_of(const Model& model) {
    double side = 0;
    for (const Obstacle& obstacle : model.obstacles) {
        if (!obstacle.inside) continue;
        const Bounds box = bounds(obstacle.shape);
        side = std::max({side, box.max.x - box.min.x, box.max.y - box.min.y,
                         model.dimensions == 2 ? 0 : box.max.z - box.min.z});
    }
    return side;
}

/// How far two runs of the same scene are apart at most.
class Deviation {
public:
    explicit Deviation(double domain) : domain_(domain) {}

    void add(const Outline& a, const Outline& b) {
        center_ = std::max(center_, norm(a.center - b.center));
        for (const Vec3d& apart : {a.low - b.low, a.high - b.high})
            front_ = std::max({front_, std::abs(apart.x), std::abs(apart.z)});
        mass_ = std::max(mass_, std::abs(b.mass / a.mass - 1));
        volume_ = std::max(volume_, std::abs(b.volume / a.volume - 1));
    }

    // Relative to the size of the domain, and to the mass and volume of the first.
    double center() const { return center_ / domain_; }
    double front() const { return front_ / domain_; }
    double mass() const { return mass_; }
    double volume() const { return volume_; }

private:
    double domain_;  ///< m
    double center_ = 0, front_ = 0, mass_ = 0, volume_ = 0;
};

}  // namespace thixo
