#pragma once

#include "skin/skin.h"

namespace thixo {

/// Lets no vertex of a whole skin move farther in a frame than the carriers around it and 0.06 spacings: `x`
/// are its vertices as the carriers would have them, `last` those of the last frame. As far as the carriers
/// is as far as one of those within 1.5 spacings, or as all that move the vertex would take it as one rigid
/// piece, whichever is nearer to where it should be. The rest is made good in the frames after.
void pace_vertices(const Device& device, const Carriers& carriers, const MaterialPiece& whole,
                   View<const Vec3f> before, View<const Vec3f> now, View<const Vec3f> last, View<Vec3f> x);

}  // namespace thixo
