#include "geometry/pose.h"

namespace thixo {

Bounds moved(const Bounds& box, const Pose& pose) {
    Bounds around;
    for (int corner = 0; corner < 8; ++corner) {
        around.include(pose.to_world({corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                                      corner & 4 ? box.max.z : box.min.z}));
    }
    return around;
}

}  // namespace thixo
