#pragma once

#include <functional>

#include "particles/table.h"
#include "sph/half_space.h"
#include "sph/pair_records.h"
#include "sph/wetting.h"

namespace thixo {

/// What the fluid solvers work on: particles in the order of their lists, their records as packed for these
/// positions, and what walls add to their sums.
struct FluidState {
    ParticleTable& particles;
    Neighbours neighbours;
    const PairRecords& records;
    View<const WallTerm> walls;
    View<const WallMotion> motion = {};     ///< empty while all walls are still and slippery
    View<const Wetting> wetted_walls = {};  ///< empty where no wall has a contact angle
    Rows rows = {};                         ///< whose densities, forces and rates are computed
    View<const Vec3f> acceleration = {};    ///< by the last forces, m/s²; empty before there are any
    Vec3f gravity = {};                     ///< m/s²
    /// Gives the rows of rigid bodies, in records (x, ·), (V⁰v, ·) of each row, velocities of rigid motions;
    /// empty without.
    std::function<void(View<Packed4>)> bind = {};
};

}  // namespace thixo
