#include "render/light.h"

#include <algorithm>
#include <cmath>

namespace thixo {
namespace {

const Rgb sun_light{1.26f, 1.18f, 1.06f};
constexpr float sun_opening = 0.06f;  // tangent of the half angle: far softer than the real one (0.0047)
const Rgb zenith{0.50f, 0.60f, 0.76f};
const Rgb horizon{0.70f, 0.72f, 0.74f};
/// Fraction of its colour that lit matter reflects to other matter; secondary shadows are not traced.
constexpr float bounce = 0.55f;

enum LightPurpose : std::uint32_t { sun_purpose = 1, sky_purpose = 2 };

Vec3f sun_for(const Lens& lens, int dimensions) {
    if (dimensions == 2) return normalized(Vec3f{-0.45f, 0.65f, 0.9f});
    Vec3f forward{lens.forward().x, 0, lens.forward().z};
    forward = norm2(forward) > 1e-6f ? normalized(forward) : lens.up();
    return normalized(lens.right() * -0.62f + Vec3f{0, 1.05f, 0} - forward * 0.30f);
}

}  // namespace

Studio::Studio(const Lens& lens, int dimensions, bool has_floor)
    : sun_(sun_for(lens, dimensions)),
      ground_(has_floor || dimensions == 2 ? Rgb{0.50f, 0.49f, 0.48f} : Rgb{0.30f, 0.33f, 0.38f}) {
    constexpr int directions = 4096;
    const PixelSampler sampler(0, 0);
    for (std::size_t i = 0; i < open_sky_.size(); ++i) {
        const float y = 2 * static_cast<float>(i) / static_cast<float>(open_sky_.size() - 1) - 1;
        const Frame frame({std::sqrt(1 - y * y), y, 0});
        for (int k = 0; k < directions; ++k) {
            open_sky_[i] +=
                sky(cosine_direction(frame, sampler.point(k, directions, sky_purpose))) / directions;
        }
    }
}

Rgb Studio::open_sky(const Vec3f& normal) const {
    const float at =
        0.5f * (std::clamp(normal.y, -1.0f, 1.0f) + 1) * static_cast<float>(open_sky_.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), open_sky_.size() - 2);
    return blend(open_sky_[i], open_sky_[i + 1], at - static_cast<float>(i));
}

Rgb Studio::sky(const Vec3f& direction) const {
    if (direction.y >= 0) return blend(horizon, zenith, std::sqrt(direction.y));
    return blend(horizon, ground_, std::min(1.0f, -5 * direction.y));
}

Light Studio::gather(const RayScene& scene, const Vec3f& point, const Vec3f& normal,
                     const RayNumber& ray) const {
    Light light = open(normal);
    const Unit2 spot = ray.sampler.point(ray.sample, ray.samples, sun_purpose);
    if (light.sun.x > 0 && scene.occluded({point, cone_direction(sun_, sun_opening, spot)})) {
        light.sun = {};
        light.open = false;
    }
    // The open sky is integrated exactly; rays only sample the matter in front of it. Where there is none,
    // there is no noise either.
    const Frame frame(normal);
    for (int k = 0; k < ray.bounces; ++k) {
        const int number = ray.sample * ray.bounces + k;
        const Vec3f direction =
            cosine_direction(frame, ray.sampler.point(number, ray.samples * ray.bounces, sky_purpose));
        const Rgb* matter = scene.met({point, direction});
        if (matter == nullptr) continue;
        light.ambient += (*matter * bounce - sky(direction)) / static_cast<float>(ray.bounces);
        light.open = false;
    }
    return light;
}

Light Studio::open(const Vec3f& normal) const {
    return {sun_light * std::max(0.0f, dot(normal, sun_.normal)), open_sky(normal)};
}

float tone_mapped(float x) {
    constexpr float knee = 0.75f;
    return x <= knee ? x : knee + (1 - knee) * (1 - std::exp(-(x - knee) / (1 - knee)));
}

Rgb tone_mapped(const Rgb& light) {
    return {tone_mapped(light.x), tone_mapped(light.y), tone_mapped(light.z)};
}

}  // namespace thixo
