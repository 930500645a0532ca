#include "sim/force_fields.h"

#include <algorithm>
#include <cmath>

#include "sim/derive.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

bool is_inside(const ForceField& field, const Vec3f& x, int dimensions) {
    return !field.region || signed_distance(*field.region, to_double(x), dimensions).distance < 0;
}

/// s(r)/r: finite at the centre.
double strength_over_distance(const ForceField& field, double r) {
    if (r <= field.radius) return field.strength / field.radius;
    return field.strength * std::pow(field.radius / r, field.falloff) / r;
}

/// Acceleration of a particle, m/s².
Vec3d acceleration_at(const ForceField& field, const Vec3d& x, const Vec3d& v, int dimensions) {
    if (field.kind == FieldKind::damping) return -field.rate * v;
    Vec3d r = x - field.center;
    if (field.kind == FieldKind::point) {
        if (dimensions == 2) r.z = 0;
        return -strength_over_distance(field, norm(r)) * r;
    }
    const Vec3d axis = dimensions == 2 ? Vec3d{0, 0, 1} : normalized(field.axis);
    r -= dot(r, axis) * axis;
    const double s = strength_over_distance(field, norm(r));
    return field.kind == FieldKind::line ? -s * r : s * cross(axis, r);
}

}  // namespace

double factor_at(const ForceField& field, double time) {
    const auto& keys = field.keyframes;
    if (keys.empty()) return 1;
    if (time <= keys.front().time) return keys.front().factor;
    for (std::size_t k = 1; k < keys.size(); ++k) {
        if (time > keys[k].time) continue;
        const double fraction = (time - keys[k - 1].time) / (keys[k].time - keys[k - 1].time);
        return keys[k - 1].factor + fraction * (keys[k].factor - keys[k - 1].factor);
    }
    return keys.back().factor;
}

ForceFields::ForceFields(const Model& model)
    : fields_(model.force_fields), discretisation_(discretisation_of(model)) {
    for (const Material& material : model.materials)
        rest_density_.push_back(static_cast<float>(material.density));
    wind_ = std::any_of(fields_.begin(), fields_.end(),
                        [](const ForceField& field) { return field.kind == FieldKind::wind; });
}

View<const Vec3f> ForceFields::accelerations(const Device& device, double time,
                                             const ParticleTable& particles, const Neighbours& all,
                                             const Push& push) {
    acceleration_.clear();
    if (push || !fields_.empty()) acceleration_.resize(particles.size());
    if (push) push(acceleration_);
    for (const ForceField& field : fields_) {
        const auto factor = static_cast<float>(factor_at(field, time));
        if (factor == 0) continue;
        if (field.kind == FieldKind::wind)
            add_wind(device, field, factor, particles, all, acceleration_);
        else
            add_field(device, field, factor, particles, acceleration_);
    }
    return acceleration_;
}

void ForceFields::add_field(const Device& device, const ForceField& field, float factor,
                            const ParticleTable& particles, View<Vec3f> acceleration) const {
    launch(device, particles.size(),
           [factor, f = &field, d = discretisation_.dimensions, x = View<const Vec3f>(particles.position),
            v = View<const Vec3f>(particles.velocity), a = acceleration](Index i) {
               if (is_inside(*f, x[i], d))
                   a[i] += factor * to_float(acceleration_at(*f, to_double(x[i]), to_double(v[i]), d));
           });
}

/// The area that a particle shows, with the direction out of the matter, is
///
///     Aᵢ = −2 Vᵢ Σⱼ Vⱼ ∇W(xᵢ − xⱼ):
///
/// ∫ |∇χ| dV over a smoothed step χ from 1 to 0 is the area of the step; particles lie on its inner half, from 1 to ½, hence 2.
/// What faces the wind counts: max(0, −A·u/|u|).
void ForceFields::add_wind(const Device& device, const ForceField& field, float factor,
                           const ParticleTable& particles, const Neighbours& all,
                           View<Vec3f> acceleration) const {
    with_kernel(discretisation_, [&](const auto& kernel) {
        launch(device, particles.size(),
               [=, f = &field, d = discretisation_.dimensions, wind = to_float(field.velocity),
                pressure = factor * static_cast<float>(0.5 * field.drag * field.air_density),
                x = View<const Vec3f>(particles.position), v = View<const Vec3f>(particles.velocity),
                m = View<const float>(particles.mass), rho = View<const float>(rest_density_),
                material = View<const std::uint16_t>(particles.material), a = acceleration](Index i) {
                   const Vec3f u = wind - v[i];
                   const float speed = norm(u);
                   if (!(speed > 0) || !is_inside(*f, x[i], d)) return;
                   Vec3f gradient{};
                   for (const Index j : all.of(i)) {
                       const Vec3f r = x[i] - x[j];
                       const float distance = norm(r);
                       if (distance < kernel.support())
                           gradient +=
                               (m[j] / rho[material[j]]) * kernel.gradient_over_distance(distance) * r;
                   }
                   const float volume = m[i] / rho[material[i]];
                   const float facing = 2 * volume * std::max(0.f, dot(gradient, u) / speed);
                   a[i] += (pressure * speed * facing / m[i]) * u;
               });
        return 0;
    });
}

void limit_time_step(const std::vector<ForceField>& fields, double time, TimeStepLimit& limit) {
    for (const ForceField& field : fields) {
        if (field.kind != FieldKind::damping) continue;
        const double rate = field.rate * std::abs(factor_at(field, time));
        if (rate > 0) limit.tighten(0.5 / rate, [&] { return "damping by `" + field.name + "`"; });
    }
}

}  // namespace thixo
