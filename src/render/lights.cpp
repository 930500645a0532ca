#include "render/lights.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thixo {
namespace {

/// Light on matter; sheets are drawn as they are under all of it, and mirrors see the studio as it is.
constexpr float exposure = 0.8f;

const Rgb ceiling{0.20f, 0.25f, 0.33f};
const Rgb panel{1.9f, 1.95f, 2.0f};

float smooth_ramp(float from, float to, float x) {
    const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

}  // namespace

Lights::Lights(const Lens& lens, bool has_floor)
    : studio_(lens, 3, has_floor), key_(studio_.sun_direction()) {
    // Its irradiance is that of the sun of quick pictures: π L sin²θ.
    const float s2 = opening_ * opening_ / (1 + opening_ * opening_);
    key_radiance_ = studio_.open(key_.normal).sun * (exposure / s2);
    Vec3f forward{lens.forward().x, 0, lens.forward().z};
    forward = norm2(forward) > 1e-6f ? normalized(forward) : lens.up();
    window_ = normalized(lens.right() * 0.9f + Vec3f{0, 0.65f, 0} - forward * 0.25f);
    strip_ = normalized(Vec3f{0, 1, 0} + forward * 0.55f - lens.right() * 0.2f);
}

Lights Lights::even(const Lens& lens, const Rgb& radiance) {
    Lights lights(lens, false);
    lights.even_ = radiance;
    lights.key_radiance_ = {};
    return lights;
}

Rgb Lights::sky(const Vec3f& direction) const { return even_ ? *even_ : studio_.sky(direction) * exposure; }

Rgb Lights::open_sky(const Vec3f& normal) const {
    return even_ ? *even_ : studio_.open(normal).ambient * exposure;
}

Rgb Lights::open(const Vec3f& normal) const {
    return even_ ? *even_ : (studio_.open(normal).sun + studio_.open(normal).ambient) * exposure;
}

Rgb Lights::mirrored(const Vec3f& d) const {
    if (even_) return *even_;
    if (d.y <= 0) return studio_.sky(d);
    Rgb light = blend(studio_.sky(d), ceiling, smooth_ramp(0.04f, 0.55f, d.y));
    light += panel * smooth_ramp(0.90f, 0.94f, dot(d, window_));
    light += panel * (0.7f * smooth_ramp(0.93f, 0.96f, dot(d, strip_)));
    return light;
}

Rgb Lights::key_irradiance() const {
    const float s2 = opening_ * opening_ / (1 + opening_ * opening_);
    return key_radiance_ * (std::numbers::pi_v<float> * s2);
}

float Lights::key_density(const Vec3f& d) const {
    if (even_) return 0;
    const float c = dot(d, key_.normal);
    const float edge = 1 / std::sqrt(1 + opening_ * opening_);
    if (c < edge) return 0;
    // Points spread evenly over the disc at distance 1: its area π t², and solid angle cos³ of it.
    return 1 / (std::numbers::pi_v<float> * opening_ * opening_ * c * c * c);
}

}  // namespace thixo
