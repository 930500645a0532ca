#include "geometry/pose.h"

namespace thixo {

namespace {

template <class Move>
Bounds around_corners(const Bounds& box, const Move& move) {
    Bounds around;
    for (int corner = 0; corner < 8; ++corner) {
        around.include(move(Vec3d{corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                                  corner & 4 ? box.max.z : box.min.z}));
    }
    return around;
}

}  // namespace

Bounds moved(const Bounds& box, const Pose& pose) {
    return around_corners(box, [&](const Vec3d& x) { return pose.to_world(x); });
}

Bounds moved_back(const Bounds& box, const Pose& pose) {
    return around_corners(box, [&](const Vec3d& x) { return pose.from_world(x); });
}

}  // namespace thixo
