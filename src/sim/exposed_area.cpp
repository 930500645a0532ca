#include "sim/exposed_area.h"

#include <algorithm>

#include "core/real.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// χ of two particles at their distance of rest, less that of one: 0.08 for the cubic spline, 0.25 W(0) at
/// most for the others. Half as much again is a particle that has hardly a neighbour.
constexpr float hardly_a_neighbour = 0.12f;

/// Particles that have none among their neighbours face the wind on all sides.
float loneliness(float filling, float own) {
    return std::clamp(1 - (filling - own) / hardly_a_neighbour, 0.f, 1.f);
}

/// Where the neighbours of a particle lie.
struct SecondMoment {
    Vec3f diagonal{}, rest{};

    void add(float weight, const Vec3f& r) {
        diagonal += weight * Vec3f{r.x * r.x, r.y * r.y, r.z * r.z};
        rest += weight * Vec3f{r.y * r.z, r.z * r.x, r.x * r.y};
    }
};

/// 1 up to a twentieth, 0 from a fifth on: 27 det C (2D: 4 det C) in a corner is 0.3 (0.6).
float thinness(float volume_of_moment) { return std::clamp((0.2f - volume_of_moment) / 0.15f, 0.f, 1.f); }

/// q of a particle that has `area` m² of a layer.
QuadraticForm thin_area(const SecondMoment& moment, float area, int dimensions) {
    const float trace = moment.diagonal.x + moment.diagonal.y + moment.diagonal.z;
    if (!(trace > 0)) return {};
    const Vec3f c = (1 / trace) * moment.diagonal, o = (1 / trace) * moment.rest;
    const QuadraticForm rod{Vec3f{1, 1, 1} - c, -1 * o};
    if (dimensions == 2) {
        const float exposed = thinness(4 * (c.x * c.y - o.z * o.z)) * area;
        return {exposed * exposed * rod.diagonal, exposed * exposed * rod.rest};
    }
    const Vec3f adjugate{c.y * c.z - o.x * o.x, c.z * c.x - o.y * o.y, c.x * c.y - o.z * o.z};
    const Vec3f others{o.y * o.z - c.x * o.x, o.z * o.x - c.y * o.y, o.x * o.y - c.z * o.z};
    const float det = c.x * adjugate.x + o.z * others.z + o.y * others.y;
    const float exposed = thinness(27 * det) * area;
    const float spread = adjugate.x + adjugate.y + adjugate.z;  // ¼ in a sheet, 0 in a rod
    const float flat = std::clamp(spread / 0.05f, 0.f, 1.f), of_sheet = spread > 0 ? flat / spread : 0;
    return {exposed * exposed * (of_sheet * adjugate + (1 - flat) * rod.diagonal),
            exposed * exposed * (of_sheet * others + (1 - flat) * rod.rest)};
}

float at_surface(float slope) { return std::clamp((slope - 0.1f) / 0.2f, 0.f, 1.f); }

}  // namespace

ExposedAreas exposed_areas(const Device& device, const Discretisation& discretisation,
                           const ParticleTable& particles, const std::vector<float>& rest_density,
                           const Neighbours& all) {
    const Index n = particles.size();
    std::vector<Packed4> raw(n);  // a/χ, V
    ExposedAreas out{std::vector<Vec3f>(n), std::vector<float>(n), std::vector<QuadraticForm>(n)};
    with_kernel(discretisation, [&](const auto& kernel) {
        launch(
            device, n,
            [=, x = View<const Vec3f>(particles.position), m = View<const float>(particles.mass),
             rho = View<const float>(rest_density), material = View<const std::uint16_t>(particles.material),
             radius = View<const float>(particles.radius), raw = View<Packed4>(raw),
             alone = View<float>(out.alone), thin = View<QuadraticForm>(out.thin),
             dimensions = discretisation.dimensions](Index i) {
                const float volume = m[i] / rho[material[i]], own = volume * kernel.value(0.f);
                float filling = own;
                Vec3f gradient{};
                SecondMoment moment;
                for (const Index j : all.of(i)) {
                    const Vec3f r = x[i] - x[j];
                    const float distance = norm(r), v = m[j] / rho[material[j]];
                    if (distance >= kernel.support()) continue;
                    filling += v * kernel.value(distance);
                    gradient += v * kernel.gradient_over_distance(distance) * r;
                    moment.add(v * kernel.value(distance), r);
                }
                alone[i] = loneliness(filling, own);
                thin[i] = thin_area(moment, volume / (2 * radius[i]), dimensions);
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
