#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/vec.h"

namespace thixo {

/// A point of the unit square.
struct Unit2 {
    float u, v;
};

/// Position on the Hilbert curve of a 64 × 64 tile.
constexpr std::uint32_t hilbert_index(std::uint32_t x, std::uint32_t y) {
    std::uint32_t index = 0;
    for (std::uint32_t level = 32; level > 0; level /= 2) {
        const std::uint32_t rx = (x & level) != 0, ry = (y & level) != 0;
        index += level * level * ((3 * rx) ^ ry);
        if (ry == 0) {
            if (rx == 1) x = 63 - (x & 63), y = 63 - (y & 63);
            const std::uint32_t swap = x;
            x = y, y = swap;
        }
    }
    return index;
}

/// The random numbers of one pixel: a low-discrepancy sequence that runs along a Hilbert curve through the
/// picture, so that neighbouring pixels complete each other and what noise remains is fine-grained. It
/// depends on the pixel alone, hence no dependence on threads and no flicker from frame to frame.
class PixelSampler {
public:
    PixelSampler(int x, int y)
        : order_(hilbert_index(static_cast<std::uint32_t>(x) & 63, static_cast<std::uint32_t>(y) & 63)) {}

    /// Number `k` of the `count` points that this pixel takes for one purpose. The steps are 2³² / p and
    /// 2³² / p², p³ = p + 1 (Roberts 2018); integers wrap exactly.
    Unit2 point(int k, int count, std::uint32_t purpose) const {
        const std::uint32_t i = order_ * static_cast<std::uint32_t>(count) + static_cast<std::uint32_t>(k);
        const std::uint32_t u = 0x9e3779b9u * purpose + i * 3242174889u;
        const std::uint32_t v = 0x7f4a7c15u * purpose + i * 2447445414u;
        return {static_cast<float>(u >> 8) * 0x1p-24f, static_cast<float>(v >> 8) * 0x1p-24f};
    }

private:
    std::uint32_t order_;
};

/// Two directions that complete a unit vector to a right-handed frame (Duff et al. 2017).
struct Frame {
    Vec3f tangent, bitangent, normal;

    explicit Frame(const Vec3f& n) : normal(n) {
        const float sign = std::copysign(1.0f, n.z);
        const float a = -1 / (sign + n.z), b = n.x * n.y * a;
        tangent = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
        bitangent = {b, sign + n.y * n.y * a, -n.y};
    }
    Vec3f operator()(float x, float y, float z) const { return tangent * x + bitangent * y + normal * z; }
};

/// Directions about the frame's normal with density cos θ / π.
inline Vec3f cosine_direction(const Frame& frame, Unit2 s) {
    const float r = std::sqrt(s.u), phi = 2 * std::numbers::pi_v<float> * s.v;
    return frame(r * std::cos(phi), r * std::sin(phi), std::sqrt(1 - s.u));
}

/// Directions spread evenly over a cone of small opening (tangent of its half angle) about the normal.
inline Vec3f cone_direction(const Frame& frame, float opening, Unit2 s) {
    const float r = opening * std::sqrt(s.u), phi = 2 * std::numbers::pi_v<float> * s.v;
    return normalized(frame(r * std::cos(phi), r * std::sin(phi), 1));
}

}  // namespace thixo
