#pragma once

#include <cmath>
#include <vector>

#include "core/rotation.h"
#include "particles/lattice.h"
#include "physics/tank.h"

namespace thixo {

/// A material whose solid keeps a lattice; `damping` in s.
inline Material clay(double young_modulus, double damping = 0, double density = 1000) {
    Material out{.name = "clay", .density = density};
    out.solid.model = SolidModel::lattice;
    out.solid.young_modulus = young_modulus;
    out.solid.damping = damping;
    return out;
}

inline Object lattice_solid(Shape shape) {
    return {.name = "body",
            .material = "clay",
            .phase = Phase::elastic,
            .lattice = Lattice::closest,
            .shape = std::move(shape)};
}

/// Places of all particles of an object by id, m.
inline std::vector<Vec3d> places(const ParticleTable& p, int object = 0) {
    std::vector<Vec3d> by_id(p.size()), out;
    std::vector<bool> own(p.size());
    for (Index i = 0; i < p.size(); ++i) {
        by_id[p.id[i]] = to_double(p.position[i]);
        own[p.id[i]] = p.object[i] == object;
    }
    for (std::size_t k = 0; k < by_id.size(); ++k) {
        if (own[k]) out.push_back(by_id[k]);
    }
    return out;
}

inline Vec3d middle(const std::vector<Vec3d>& points) {
    Vec3d sum;
    for (const Vec3d& x : points) sum += x;
    return sum / static_cast<double>(points.size());
}

/// The rigid motion x = R (X − C) + c that is closest to what became of points.
struct ClosestMotion {
    Mat3d rotation;
    Vec3d from, to;
    double error = 0;  ///< root mean square of what it does not explain, m

    Vec3d back(const Vec3d& x) const { return transposed(rotation) * (x - to) + from; }
};

inline ClosestMotion closest_motion(const std::vector<Vec3d>& before, const std::vector<Vec3d>& after,
                                    bool planar) {
    ClosestMotion fit{identity<double>(), middle(before), middle(after)};
    Mat3d moment;
    for (std::size_t k = 0; k < before.size(); ++k) moment += outer(after[k] - fit.to, before[k] - fit.from);
    fit.rotation = closest_rotation(moment, identity<double>(), planar);
    double sum = 0;
    for (std::size_t k = 0; k < before.size(); ++k) sum += norm2(fit.back(after[k]) - before[k]);
    fit.error = std::sqrt(sum / static_cast<double>(before.size()));
    return fit;
}

/// Number of connected components of lattice solids, independent of their numbers.
inline std::size_t parts(const Simulation& sim) {
    ParticleTable particles = sim.particles();
    Lineage lineage;
    const Connectivity connectivity = [&](Index row, const std::function<void(Index)>& visit) {
        sim.lattice().visit_docked(sim.particles(), row, visit);
    };
    number_bodies(connectivity, particles, lineage);
    return lineage.size();
}

/// The fastest particle, m/s.
inline double fastest(const ParticleTable& p) {
    double out = 0;
    for (const Vec3f& v : p.velocity) out = std::max(out, double{norm(v)});
    return out;
}

}  // namespace thixo
