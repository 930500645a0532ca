#pragma once

#include <algorithm>
#include <cmath>

#include "render/image.h"

namespace thixo {

/// Reflectance of the interface between two clear media, unpolarised. `cosine`: of the ray to the normal,
/// positive; `eta`: refractive index behind the interface over that in front. 1 beyond the angle of total
/// reflection.
inline float fresnel(float cosine, float eta) {
    const float s2 = (1 - cosine * cosine) / (eta * eta);
    if (s2 >= 1) return 1;
    const float t = std::sqrt(1 - s2);
    const float parallel = (eta * cosine - t) / (eta * cosine + t);
    const float perpendicular = (cosine - eta * t) / (cosine + eta * t);
    return 0.5f * (parallel * parallel + perpendicular * perpendicular);
}

/// Of a metal, from its colour at normal incidence [Schlick 1994].
inline Rgb metal_reflectance(float cosine, const Rgb& colour) {
    const float m = std::clamp(1 - cosine, 0.0f, 1.0f), m2 = m * m;
    return colour + (Rgb{1, 1, 1} - colour) * (m2 * m2 * m);
}

/// `d` points along the ray, `n` against it; both of unit length.
inline Vec3f reflected(const Vec3f& d, const Vec3f& n) { return d - n * (2 * dot(d, n)); }

/// Snell's law: sin θ' = sin θ / eta. False beyond the angle of total reflection.
inline bool refracted(const Vec3f& d, const Vec3f& n, float eta, Vec3f& out) {
    const float c = -dot(d, n), s2 = (1 - c * c) / (eta * eta);
    if (s2 >= 1) return false;
    out = normalized(d / eta + n * (c / eta - std::sqrt(1 - s2)));
    return true;
}

}  // namespace thixo
