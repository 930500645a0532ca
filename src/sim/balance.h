#pragma once

#include <cstdint>
#include <vector>

#include "particles/object.h"
#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

/// What the weight of matter that lies on something makes of it at the start: solids sag, and liquids beside
/// them follow. Bodies keep the undeformed state that the scene gives them.
struct Balance {
    std::vector<std::uint32_t> id;  ///< of what moved, rising
    std::vector<Vec3f> position, position_low;
    std::vector<float> density, pressure;
    int steps = 0;  ///< that finding it took

    bool empty() const { return id.empty(); }
};

/// Gives the rows their places, and what goes with them.
void place(const Balance& balance, ParticleTable& particles);

/// Where elastic and lattice solids that lie on something are in balance, by steps of the run without its
/// losses: whenever the energy of motion has passed a maximum, all of it is taken (kinetic damping, Cundall
/// 1976). Each mode passes its equilibrium at full speed, so that a few quarters of the slowest period are
/// enough, and nothing has to be known of the stiffness. `loaded` marks the objects that rest, solids and
/// liquids; all else stands still meanwhile. Nothing melts, flows in, breaks or yields. Empty if nothing is
/// to move, if sizes differ, or if the steps diverge.
Balance find_balance(const Model& model, const std::vector<Object>& objects, const ParticleTable& particles,
                     const std::vector<bool>& loaded, const Device& device = {});

}  // namespace thixo
