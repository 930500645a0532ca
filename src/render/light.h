#pragma once

#include <array>

#include "render/ray_scene.h"
#include "render/sampling.h"

namespace thixo {

/// Which of its rays a pixel is about to send.
struct RayNumber {
    const PixelSampler& sampler;
    int sample;   ///< 0 … samples − 1
    int samples;  ///< of the whole pixel
    int bounces;  ///< rays into the sky for each of them
};

/// Light that falls on a point: from the sun, and from the sky and the matter around.
struct Light {
    Rgb sun, ambient;
    bool open = true;  ///< none of the rays met matter
};

/// A warm sun over the camera's left shoulder and a pale sky; what is below the horizon sends back a part.
class Studio {
public:
    Studio(const Lens& lens, int dimensions, bool has_floor);

    Rgb sky(const Vec3f& direction) const;
    Light gather(const RayScene& scene, const Vec3f& point, const Vec3f& normal, const RayNumber& ray) const;
    /// The same for a point with nothing around it.
    Light open(const Vec3f& normal) const;

    const Vec3f& sun_direction() const { return sun_.normal; }

private:
    /// Depends on the height of the normal alone, as the sky does.
    Rgb open_sky(const Vec3f& normal) const;

    Frame sun_;
    Rgb ground_;
    std::array<Rgb, 65> open_sky_{};  // for normal.y from −1 to 1
};

/// Rolls highlights off instead of cutting them: colours stay as they are up to 0.75.
Rgb tone_mapped(const Rgb& light);
float tone_mapped(float light);

}  // namespace thixo
