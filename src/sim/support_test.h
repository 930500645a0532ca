#pragma once

#include <cstdint>
#include <vector>

#include "collide/walls.h"
#include "particles/table.h"
#include "sim/model.h"
#include "sph/neighbours.h"

namespace thixo {

/// Which of the objects, all liquid, that `candidates` marks are held on all sides but the top: by walls, by
/// solids, or by liquids that are themselves held. Those carry the weight of what is above them when a run
/// begins; a drop in the air or a column without a gate does not.
///
/// Each particle looks down along gravity and along both directions across it, one spacing far, for walls and
/// solids 1.6 spacings. It looks into its own object, at a wall or another object, or into the open. An
/// object is held if it rests on something and at most one in twenty looks that leave it finds nothing.
std::vector<std::uint8_t> supported_objects(const Device& device, const Model& model, const Walls& walls,
                                            const ParticleTable& particles, const Neighbours& neighbours,
                                            const std::vector<std::uint8_t>& candidates);

}  // namespace thixo
