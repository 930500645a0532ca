#pragma once

#include <vector>

#include "collide/walls.h"
#include "particles/object.h"
#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

/// Moves the particles of solid object number `object` as one, so that it touches what its shape touches:
/// obstacles, and earlier solid objects. Particles rest half a spacing from a wall, and one from the layer of
/// another solid, whose `particles` are those of the objects before; a lattice that was put into a curved
/// shape leaves more than that, or less. Shapes touch if the gap between them, or their overlap, is less than
/// 0.15 spacings. What does not touch stays where it is.
void bring_into_contact(const Model& model, const Walls& walls, const std::vector<Object>& objects,
                        const ParticleTable& particles, std::size_t object, std::vector<Vec3d>& points);

}  // namespace thixo
