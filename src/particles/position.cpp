#include "particles/position.h"

namespace thixo {

namespace {

float cut_off(double a) {
    // GCC 12 makes vectors of several of these, and then takes numbers that became `float` and `double` again
    // for unchanged.
    const volatile float kept = static_cast<float>(a);
    return static_cast<float>(a - kept);
}

}  // namespace

Vec3f cut_off(const Vec3d& x) { return {cut_off(x.x), cut_off(x.y), cut_off(x.z)}; }

}  // namespace thixo
