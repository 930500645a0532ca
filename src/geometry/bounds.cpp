#include "geometry/bounds.h"

#include <algorithm>

namespace thixo {

void Bounds::include(const Vec3d& x) {
    min = {std::min(min.x, x.x), std::min(min.y, x.y), std::min(min.z, x.z)};
    max = {std::max(max.x, x.x), std::max(max.y, x.y), std::max(max.z, x.z)};
}

void Bounds::include(const Bounds& other) {
    if (other.empty()) return;
    include(other.min);
    include(other.max);
}

}  // namespace thixo
