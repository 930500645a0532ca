#pragma once

#include <vector>

#include "collide/walls.h"
#include "particles/object.h"
#include "sim/model.h"

namespace thixo {

/// What an object does that lies flush on a floor and is lighter than a liquid.
struct Afloat {
    Vec3d
        way;  ///< m by which it starts higher than its shape says, two spacings or none, so that liquid is below it
    bool stays = false;  ///< rigid, and outside the liquid: what reaches it later does not get below it
};

/// Whether a solid object starts higher than its shape says.
///
/// In nature a film of liquid is between a body and the floor that it lies on, and carries the pressure of
/// the liquid beside it: a body that is lighter than the liquid in its place leaves the floor at once. No
/// particle fits into that film, so a body that starts flush with the floor would be pressed on it by its
/// load for ever. Such a body starts with room for two layers of liquid. That goes for objects that weigh
/// less than the liquid whose shape they are in, and lie on an obstacle alone: what is held, or touches
/// another solid, stays where it is.
Afloat way_off_the_floor(const Model& model, const Walls& walls, const std::vector<Object>& objects,
                         std::size_t object, const std::vector<Vec3d>& points);

}  // namespace thixo
