#include "sim/force_fields.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/derive.h"

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

/// Cross-section of a ball of this volume: π r² with r³ = 3V/(4π); of a disc 2r with r² = V/π.
float drop_section(float volume, int dimensions) {
    constexpr float pi = std::numbers::pi_v<float>;
    if (dimensions == 2) return 2 * std::sqrt(volume / pi);
    const float r = std::cbrt(0.75f * volume / pi);
    return pi * r * r;
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
    ExposedAreas exposed;
    if (wind_) exposed = exposed_areas(device, discretisation_, particles, rest_density_, all);
    for (const ForceField& field : fields_) {
        const auto factor = static_cast<float>(factor_at(field, time));
        if (factor == 0) continue;
        if (field.kind == FieldKind::wind)
            add_wind(device, field, factor, particles, exposed, acceleration_);
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

/// What faces the wind counts: max(0, −A·u/|u|); of sheets and rods of one layer what they turn to it; of a
/// drop that is alone the cross-section of its volume as a ball (2D: a disc).
void ForceFields::add_wind(const Device& device, const ForceField& field, float factor,
                           const ParticleTable& particles, const ExposedAreas& exposed,
                           View<Vec3f> acceleration) const {
    launch(device, particles.size(),
           [f = &field, d = discretisation_.dimensions, wind = to_float(field.velocity),
            pressure = factor * static_cast<float>(0.5 * field.drag * field.air_density),
            x = View<const Vec3f>(particles.position), v = View<const Vec3f>(particles.velocity),
            m = View<const float>(particles.mass), rho = View<const float>(rest_density_),
            material = View<const std::uint16_t>(particles.material), area = View<const Vec3f>(exposed.area),
            alone = View<const float>(exposed.alone), thin = View<const QuadraticForm>(exposed.thin),
            a = acceleration](Index i) {
               const Vec3f u = wind - v[i];
               const float speed = norm(u);
               if (!(speed > 0) || !is_inside(*f, x[i], d)) return;
               const float layer = std::sqrt(std::max(0.f, thin[i]((1 / speed) * u)));
               const float facing = std::max(
                   {layer, -dot(area[i], u) / speed, alone[i] * drop_section(m[i] / rho[material[i]], d)});
               a[i] += (pressure * speed * facing / m[i]) * u;
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
