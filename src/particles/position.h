#pragma once

#include "core/vec.h"

namespace thixo {

/// What single precision cuts off from a position.
Vec3f cut_off(const Vec3d& x);

/// a + b = a' + b' exactly, with a' the sum as single precision has it (Knuth's two-sum).
inline void two_sum(float& a, float& b) {
    const float sum = a + b, of_b = sum - a;
    b = (a - (sum - of_b)) + (b - of_b);
    a = sum;
}

/// Moves a position that is the sum of x and `low`: ways far below the last digit of x add up too.
inline void move(Vec3f& x, Vec3f& low, const Vec3f& way) {
    low += way;
    two_sum(x.x, low.x);
    two_sum(x.y, low.y);
    two_sum(x.z, low.z);
}

}  // namespace thixo
