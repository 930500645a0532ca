#pragma once

#include <algorithm>
#include <cmath>

#include "core/mat3.h"

namespace thixo {

/// The largest real part of the eigenvalues of any 3×3 matrix, from its characteristic polynomial by
/// Cardano's formula.
inline float largest_real_eigenvalue(const Mat3f& matrix) {
    const Mat3d g = to_double(matrix);
    const double t = trace(g), c2 = 0.5 * (t * t - trace(g * g));
    const double a = t / 3, p = (t * t - 3 * c2) / 9,
                 q = (2 * t * t * t - 9 * t * c2 + 27 * determinant(g)) / 54;
    const double discriminant = q * q - p * p * p;
    if (discriminant <= 0) {
        if (p <= 0) return static_cast<float>(a);
        const double c = std::clamp(q / (p * std::sqrt(p)), -1.0, 1.0);
        return static_cast<float>(a + 2 * std::sqrt(p) * std::cos(std::acos(c) / 3));
    }
    const double s = std::cbrt(std::abs(q) + std::sqrt(discriminant));
    const double b = (q < 0 ? -1 : 1) * (s + p / s);
    return static_cast<float>(std::max(a + b, a - b / 2));
}

/// [SSP07, eq. 24–26] f = 1 − (1−γ)³, γ = (t_high − EV)/(t_high − t_low), which the paper lets run below 0;
/// clamped here.
inline float solenthaler_factor(float eigenvalue) {
    constexpr float low = 0.4f, high = 2;
    if (eigenvalue <= low) return 1;
    const float gamma = std::clamp((high - eigenvalue) / (high - low), 0.0f, 1.0f), rest = 1 - gamma;
    return 1 - rest * rest * rest;
}

}  // namespace thixo
