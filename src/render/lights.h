#pragma once

#include <optional>

#include "render/light.h"

namespace thixo {

/// What lights a traced picture, all of it far away: a sky, and a round key light over the camera's left
/// shoulder. Mirrors see a studio in place of the even sky: dark above, with two bright panels, so that clear
/// and glossy matter has a shape.
class Lights {
public:
    Lights(const Lens& lens, bool has_floor);
    /// The same radiance from everywhere and no key light.
    static Lights even(const Lens& lens, const Rgb& radiance);

    Rgb sky(const Vec3f& direction) const;
    /// Mean of the sky over the half space above a surface, weighted with the cosine.
    Rgb open_sky(const Vec3f& normal) const;
    Rgb mirrored(const Vec3f& direction) const;

    bool has_key() const { return !even_; }
    Vec3f sample_key(Unit2 s) const { return cone_direction(key_, opening_, s); }
    /// Density of the sampled directions, 1/sr; 0 outside the light.
    float key_density(const Vec3f& direction) const;
    Rgb key() const { return key_radiance_; }
    const Vec3f& key_direction() const { return key_.normal; }
    /// Tangent of half the angle that it is seen under.
    float key_opening() const { return opening_; }
    /// On a surface that faces it: π L sin²θ.
    Rgb key_irradiance() const;
    /// Light on a matte surface with nothing around it: irradiance / π.
    Rgb open(const Vec3f& normal) const;

private:
    Studio studio_;
    Frame key_;
    float opening_ = 0.11f;  ///< tangent of half the angle it is seen under
    Rgb key_radiance_{};
    Vec3f window_{}, strip_{};  ///< towards the panels
    std::optional<Rgb> even_{};
};

}  // namespace thixo
