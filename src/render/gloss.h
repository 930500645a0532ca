#pragma once

#include "render/fresnel.h"
#include "render/sampling.h"

namespace thixo {

/// The GGX distribution of facets [Walter et al. 2007], isotropic, in the frame of the surface: z is its
/// normal.
struct Gloss {
    float alpha;

    explicit Gloss(float roughness) : alpha(std::max(roughness * roughness, 1e-3f)) {}
    /// A mirror in effect: its lobe is narrower than any light.
    static bool is_mirror(float roughness) { return roughness < 0.04f; }

    float density(const Vec3f& m) const {
        const float a2 = alpha * alpha, t = m.z * m.z * (a2 - 1) + 1;
        return a2 / (std::numbers::pi_v<float> * t * t);
    }
    float lambda(const Vec3f& w) const {
        const float z2 = w.z * w.z;
        return z2 > 1e-8f ? 0.5f * (std::sqrt(1 + alpha * alpha * (1 - z2) / z2) - 1) : 1e4f;
    }
    float masking(const Vec3f& w) const { return 1 / (1 + lambda(w)); }
    float masking_shadowing(const Vec3f& a, const Vec3f& b) const { return 1 / (1 + lambda(a) + lambda(b)); }

    /// Facets as they are seen from `w` [Heitz 2018].
    Vec3f visible_facet(const Vec3f& w, Unit2 s) const {
        const Vec3f v = normalized(Vec3f{alpha * w.x, alpha * w.y, w.z});
        const float l2 = v.x * v.x + v.y * v.y;
        const Vec3f t1 = l2 > 1e-12f ? Vec3f{-v.y, v.x, 0} / std::sqrt(l2) : Vec3f{1, 0, 0};
        const Vec3f t2 = cross(v, t1);
        const float r = std::sqrt(s.u), phi = 2 * std::numbers::pi_v<float> * s.v;
        const float p1 = r * std::cos(phi), k = 0.5f * (1 + v.z);
        const float p2 = (1 - k) * std::sqrt(std::max(0.0f, 1 - p1 * p1)) + k * r * std::sin(phi);
        const Vec3f n = t1 * p1 + t2 * p2 + v * std::sqrt(std::max(0.0f, 1 - p1 * p1 - p2 * p2));
        return normalized(Vec3f{alpha * n.x, alpha * n.y, std::max(1e-6f, n.z)});
    }
    /// Density of directions into which `visible_facet` reflects `w`.
    float reflection_density(const Vec3f& w, const Vec3f& m) const {
        return masking(w) * density(m) / (4 * std::max(w.z, 1e-6f));
    }
};

}  // namespace thixo
