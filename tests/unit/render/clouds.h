#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "render/camera.h"
#include "render/scene.h"

namespace thixo::test {

/// Particles that own their columns.
struct Cloud {
    std::vector<Vec3f> position;
    std::vector<float> radius, value;

    void add(const Vec3f& x, float r, float v) {
        position.push_back(x);
        radius.push_back(r);
        value.push_back(v);
    }
    RenderParticles view() const { return {position, radius, value}; }
    Bounds bounds() const {
        Bounds all;
        for (std::size_t i = 0; i < position.size(); ++i) {
            const double r = radius[i];
            all.include(to_double(position[i]) - Vec3d{r, r, r});
            all.include(to_double(position[i]) + Vec3d{r, r, r});
        }
        return all;
    }
};

inline float unit_random(std::uint64_t key) { return static_cast<float>(mix(key) >> 40) * 0x1p-24f; }

/// A basin of 2 m × 1 m with a wave rising at its end and drops in the air: about `count` particles,
/// coloured by a made-up speed.
inline Cloud splash(std::size_t count) {
    Cloud cloud;
    const float spacing = std::cbrt(0.62f / static_cast<float>(count));
    std::uint64_t key = 0;
    const auto jitter = [&] { return 0.25f * spacing * (unit_random(++key) - 0.5f); };
    for (float x = spacing / 2; x < 2; x += spacing) {
        for (float z = spacing / 2; z < 1; z += spacing) {
            const float crest = std::exp(-12 * (x - 1.65f) * (x - 1.65f)) * (1 + 0.15f * std::sin(9 * z));
            const float level = 0.18f + 0.03f * std::sin(7 * x + 3 * z) + 0.55f * crest;
            for (float y = spacing / 2; y < level; y += spacing) {
                const float speed = 0.3f + 3.2f * crest * y + 0.3f * std::sin(5 * x) * std::cos(6 * z);
                cloud.add({x + jitter(), y + jitter(), z + jitter()}, spacing / 2, std::abs(speed));
            }
        }
    }
    for (std::size_t drop = 0; drop < count / 60; ++drop) {
        const float a = unit_random(++key), b = unit_random(++key), c = unit_random(++key);
        const float h = 0.75f + 0.5f * b * b;
        cloud.add({1.65f + 0.6f * (a - 0.6f) * h, h, c}, spacing / 2, 2 + 2 * b);
    }
    return cloud;
}

}  // namespace thixo::test
