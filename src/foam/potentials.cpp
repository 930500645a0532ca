#include "foam/potentials.h"

#include <cmath>

namespace thixo {

namespace {

/// Cosine of the angle between velocity and normal from which on a wave counts as moving out of the liquid
/// [IAAT12, eq. 7].
constexpr float outward = 0.6f;

/// A particle is at the surface if H |∇c| of the colour field c is at least half of its value on a flat
/// surface, which is 3/2 for the kernel (1 − q)⁴ (1 + 4q) in space: ∫ W over the plane through its centre,
/// times H.
constexpr float at_surface = 0.75f;

/// V W′(r) H of a neighbour, with the normalisation of the kernel (1 − q)⁴ (1 + 4q).
float slope(float q, float volume, float h, int dimensions) {
    const float u = 1 - q;
    // 7/π and 21/2π; W′ = −20 q (1 − q)³ times these.
    return dimensions == 2 ? -20 * q * u * u * u * volume * 2.2281692f / (h * h)
                           : -20 * q * u * u * u * volume * 3.3422538f / (h * h * h);
}

}  // namespace

std::vector<Vec3f> surface_normals(const Device& device, const Liquid& liquid) {
    std::vector<Vec3f> normals(liquid.size());
    const LiquidFrame& rows = liquid.rows();
    const int d = liquid.dimensions();
    launch(device, liquid.size(), [&, d](Index i) {
        Vec3f gradient{};  // H ∇c
        liquid.for_each_near(rows.position[i], [&](Index j, const Vec3f& x, float r) {
            if (!(r > 0)) return;
            const float l = 2 * rows.radius[j], h = liquid.support(j);
            gradient += slope(r / h, d == 2 ? l * l : l * l * l, h, d) / r * x;
        });
        const float length = norm(gradient);
        normals[i] = length >= at_surface ? -1 / length * gradient : Vec3f{};
    });
    return normals;
}

FoamSources foam_sources(const Device& device, const Liquid& liquid) {
    const std::size_t n = liquid.size();
    FoamSources out{std::vector<float>(n), std::vector<float>(n), std::vector<float>(n)};
    const std::vector<Vec3f> normals = surface_normals(device, liquid);
    const LiquidFrame& rows = liquid.rows();
    launch(device, liquid.size(), [&](Index i) {
        const Vec3f v = rows.velocity[i], n_i = normals[i];
        const float speed = norm(v);
        const bool crests = norm2(n_i) > 0 && dot(v, n_i) >= outward * speed && speed > 0;
        float air = 0, curvature = 0;
        liquid.for_each_near(rows.position[i], [&](Index j, const Vec3f& x, float r) {
            if (j == i || !(r > 0)) return;
            const float w = 1 - r / liquid.support(j);
            const Vec3f u = v - rows.velocity[j];
            air += (norm(u) - dot(u, x) / r) * w;
            if (crests && dot(x, n_i) > 0 && norm2(normals[j]) > 0)
                curvature += (1 - dot(n_i, normals[j])) * w;
        });
        out.trapped_air[i] = air;
        out.crest[i] = crests ? curvature : 0;
        out.energy[i] = 0.5f * speed * speed;
    });
    return out;
}

double source_strength(const FoamSources& sources, Index i, const FoamSettings& s) {
    const double air = s.air_range.potential(sources.trapped_air[i] / s.speed),
                 crest = s.crest_range.potential(sources.crest[i]),
                 energy = s.energy_range.potential(sources.energy[i] / (0.5 * s.speed * s.speed));
    const double all = s.trapped_air + s.wave_crests;
    return all > 0 ? energy * (s.trapped_air * air + s.wave_crests * crest) / all : 0;
}

}  // namespace thixo
