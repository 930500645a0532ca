#pragma once

#include <cstdint>
#include <vector>

#include "skin/carriers.h"

namespace thixo {

/// Where a carrier has the matter around it: X → x + A (X − Xᵢ).
struct CarriedMatter {
    Vec3d x;
    Mat3d a = identity<double>();
};

/// Follows the maps of carriers from frame to frame so that no place of the matter goes farther than its
/// particles. The map of the last frame is taken along by the rigid motion of the carriers around; from there
/// it goes towards that of this frame by 0.05 spacings and 0.05 of the deformation at most, and the rest of
/// the way in the frames after. Places are up to two spacings away from the carriers that move them, so that
/// fits that change at once, where matter breaks, a neighbour is lost or thin parts are crushed, would throw
/// them.
///
/// Rigid motions are followed as they are, however fast they are. `before` and `now` are the positions of the
/// carriers; `holds` says which ones have a map. Returns the maps of this frame.
std::vector<CarriedMatter> paced(const Device& device, const Carriers& carriers, const SkinGrip& grip,
                                 View<const std::uint8_t> holds, View<const Vec3f> before,
                                 View<const Vec3f> now, const std::vector<CarriedMatter>& last,
                                 const std::vector<CarriedMatter>& target);

}  // namespace thixo
