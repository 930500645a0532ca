#include "sim/exposed_area.h"

#include <algorithm>

#include "core/real.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// χ of two particles at their distance of rest, less that of one: 0.08 for the cubic spline, 0.25 W(0) at most for the others.
/// Half as much again is a particle that has hardly a neighbour.
constexpr float hardly_a_neighbour = 0.12f;

/// Particles that have none among their neighbours face the wind on all sides.
float loneliness(float filling, float own) {
    return std::clamp(1 - (filling - own) / hardly_a_neighbour, 0.f, 1.f);
}

float at_surface(float slope) { return std::clamp((slope - 0.1f) / 0.2f, 0.f, 1.f); }

}  // namespace

ExposedAreas exposed_areas(const Device& device, const Discretisation& discretisation,
                           const ParticleTable& particles, const std::vector<float>& rest_density,
                           const Neighbours& all) {
    const Index n = particles.size();
    std::vector<Packed4> raw(n);  // a/χ, V
    ExposedAreas out{std::vector<Vec3f>(n), std::vector<float>(n)};
    with_kernel(discretisation, [&](const auto& kernel) {
        launch(
            device, n,
            [=, x = View<const Vec3f>(particles.position), m = View<const float>(particles.mass),
             rho = View<const float>(rest_density), material = View<const std::uint16_t>(particles.material),
             raw = View<Packed4>(raw), alone = View<float>(out.alone)](Index i) {
                const float volume = m[i] / rho[material[i]], own = volume * kernel.value(0.f);
                float filling = own;
                Vec3f gradient{};
                for (const Index j : all.of(i)) {
                    const Vec3f r = x[i] - x[j];
                    const float distance = norm(r), v = m[j] / rho[material[j]];
                    if (distance >= kernel.support()) continue;
                    filling += v * kernel.value(distance);
                    gradient += v * kernel.gradient_over_distance(distance) * r;
                }
                alone[i] = loneliness(filling, own);
                const Vec3f a = (-2 / filling) * gradient;
                raw[i] = {a.x, a.y, a.z, volume};
            });
        launch(device, n,
               [=, x = View<const Vec3f>(particles.position), raw = View<const Packed4>(raw),
                area = View<Vec3f>(out.area)](Index i) {
                   const float volume = raw[i].w;
                   Vec3f s = volume * kernel.value(0.f) * Vec3f{raw[i].x, raw[i].y, raw[i].z};
                   for (const Index j : all.of(i)) {
                       const float distance = norm(x[i] - x[j]);
                       if (distance >= kernel.support()) continue;
                       s += (raw[j].w * kernel.value(distance)) * Vec3f{raw[j].x, raw[j].y, raw[j].z};
                   }
                   area[i] = volume * at_surface(norm(s) * kernel.support()) * s;
               });
        return 0;
    });
    return out;
}

}  // namespace thixo
