#include "geometry/pose.h"

namespace thixo {

Bounds moved(const Bounds& box, const Pose& pose) {
    return box.around_images([&](const Vec3d& x) { return pose.to_world(x); });
}

Bounds moved_back(const Bounds& box, const Pose& pose) {
    return box.around_images([&](const Vec3d& x) { return pose.from_world(x); });
}

}  // namespace thixo
