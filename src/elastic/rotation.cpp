#include "elastic/rotation.h"

namespace thixo {

Mat3f closest_rotation(const Mat3f& a) {
    // Higham 1986: R ← ½ (R + R⁻ᵀ)
    Mat3d r = to_double(a);
    for (int k = 0; k < 12; ++k) {
        const double d = determinant(r);
        const Mat3d inverse_transposed{cross(r.y, r.z) / d, cross(r.z, r.x) / d, cross(r.x, r.y) / d};
        r = (r + inverse_transposed) * 0.5;
    }
    return to_float(r);
}

}  // namespace thixo
