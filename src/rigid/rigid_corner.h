#pragma once

#include <optional>

#include "core/view.h"
#include "rigid/rigid_state.h"

namespace thixo {

/// Where the faces that a particle at an edge or corner belongs to meet, half a spacing outside of it: from
/// the particle, in the body's own frame, m,
///
///     nₖ·y = ½ ℓ
///
/// Bodies touch others there, and not below the particle: the base of a block is as wide as the block. None
/// where fewer than two faces meet, where they meet at an angle that is not near a right one, or in no point
/// that is near.
std::optional<Vec3d> corner_of(const RigidMember& member, double spacing);

/// Adds the faces that are too narrow to have a middle. They go through the particle and its nearest
/// neighbours, two of them in 3D and one in 2D, and have all others behind them. `near` are the particles of
/// the body around it, in its own frame, in spacings.
void add_narrow_faces(View<const Vec3d> near, int dimensions, RigidMember& member);

}  // namespace thixo
