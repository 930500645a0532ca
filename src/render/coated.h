#pragma once

#include "render/gloss.h"
#include "render/optics.h"

namespace thixo {

/// Opaque matter under a gloss: a rough interface above matte matter, or metal. Light that the interface does
/// not reflect comes back from below, (1 − F(θₒ)) colour / π: no light is lost or made, whatever the
/// roughness. Directions are in the frame of the surface.
class Coated {
public:
    /// `outside`: refractive index of what it lies in.
    Coated(const Optics& o, const Vec3f& to_eye, float outside)
        : optics_(o), gloss_(o.roughness), w_(to_eye), eta_(std::max(1.0f, o.refractive_index / outside)) {
        const float f = fresnel(w_.z, eta_);
        body_ = (1 - o.metal) * (1 - f);
        const float shine = o.metal + (1 - o.metal) * f;
        const float matte = body_ * std::max({o.colour.x, o.colour.y, o.colour.z});
        shine_chance_ = std::clamp(shine / std::max(shine + matte, 1e-6f), 0.0f, 1.0f);
        if (shine_chance_ < 0.02f) shine_chance_ = 0;
        if (body_ <= 0) shine_chance_ = 1;
    }

    float shine_chance() const { return shine_chance_; }
    /// Fraction of the light that comes back from below the surface, where it is evenly spread.
    Rgb body() const { return optics_.colour * body_; }

    /// Reflectance of the interface times cosine / density, for light that a facet sends to the eye.
    struct Shine {
        Vec3f direction;
        Rgb weight{};
        float density = 0;  ///< per steradian; 0: nothing is reflected
    };
    Shine sample_shine(Unit2 s) const {
        const Vec3f m = gloss_.visible_facet(w_, s);
        const Vec3f d = m * (2 * dot(w_, m)) - w_;
        if (d.z <= 1e-5f) return {};
        const Rgb f = reflectance(dot(w_, m));
        return {d, f * (gloss_.masking_shadowing(w_, d) / gloss_.masking(w_)),
                gloss_.reflection_density(w_, m)};
    }
    /// Radiance to the eye per irradiance from `d`, of the gloss alone, and its density.
    Shine shine(const Vec3f& d) const {
        if (d.z <= 1e-5f) return {};
        const Vec3f m = normalized(w_ + d);
        const float scale =
            gloss_.density(m) * gloss_.masking_shadowing(w_, d) / (4 * std::max(w_.z, 1e-5f) * d.z);
        return {d, reflectance(dot(w_, m)) * scale, gloss_.reflection_density(w_, m)};
    }

private:
    Rgb reflectance(float cosine) const {
        const float c = std::clamp(cosine, 0.0f, 1.0f), f = fresnel(c, eta_);
        return metal_reflectance(c, optics_.colour) * optics_.metal + Rgb{f, f, f} * (1 - optics_.metal);
    }

    const Optics& optics_;
    Gloss gloss_;
    Vec3f w_;
    float eta_, body_ = 0, shine_chance_ = 0;
};

}  // namespace thixo
