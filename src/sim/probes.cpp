#include "sim/probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigid/rigid_body.h"
#include "sim/derive.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// Liquid rows of the probe's material.
class Subject {
public:
    Subject(const Simulation& simulation, const Probe& probe)
        : particles_(simulation.particles()),
          any_(probe.of.empty()),
          material_(any_ ? std::uint16_t{0} : material_index(simulation.model(), probe.of)) {}

    bool has(Index i) const {
        return particles_.phase[i] == Phase::liquid && (any_ || particles_.material[i] == material_);
    }

private:
    const ParticleTable& particles_;
    bool any_;
    std::uint16_t material_;
};

Vec3d upwards(const Model& model) {
    return norm(model.gravity) > 0 ? -normalized(model.gravity) : Vec3d{0, 1, 0};
}

/// The farthest that particles reach along a direction, among those that count.
template <class Counts>
double farthest(const Simulation& simulation, const Vec3d& direction, const Counts& counts) {
    const ParticleTable& particles = simulation.particles();
    const double most = reduce_max(
        simulation.device(), particles.size(), -std::numeric_limits<double>::infinity(), [&](Index i) {
            if (!counts(i)) return -std::numeric_limits<double>::infinity();
            return dot(to_double(particles.position[i]), direction) + double{particles.radius[i]};
        });
    return std::isfinite(most) ? most : no_value;
}

std::vector<double> surface_level(const Simulation& simulation, const Probe& probe) {
    const Vec3d up = upwards(simulation.model());
    const double radius = probe.radius > 0 ? probe.radius : simulation.support();
    const Subject subject(simulation, probe);
    return {farthest(simulation, up, [&](Index i) {
        const Vec3d r = to_double(simulation.particles().position[i]) - probe.at;
        return subject.has(i) && norm(r - dot(r, up) * up) < radius;
    })};
}

std::vector<double> front(const Simulation& simulation, const Probe& probe) {
    const Subject subject(simulation, probe);
    return {farthest(simulation, normalized(probe.direction), [&](Index i) { return subject.has(i); })};
}

/// Σ V a W / Σ V W over the liquid within a support radius [Shepard 1968].
std::vector<double> point(const Simulation& simulation, const Probe& probe) {
    struct Sums {
        double weight = 0, pressure = 0, density = 0, temperature = 0;
        Vec3d velocity;
    };
    const ParticleTable& particles = simulation.particles();
    const Subject subject(simulation, probe);
    const Sums sums = with_kernel(discretisation_of(simulation.model()), [&](const auto& kernel) {
        return reduce(
            simulation.device(), particles.size(), Sums{},
            [&](Index i) {
                const double r = norm(to_double(particles.position[i]) - probe.at);
                if (!subject.has(i) || r >= double{kernel.support()}) return Sums{};
                const double w =
                    double{particles.mass[i]} / particles.density[i] * kernel.value(static_cast<float>(r));
                return Sums{w, w * particles.pressure[i], w * particles.density[i],
                            w * particles.temperature[i], w * to_double(particles.velocity[i])};
            },
            [](Sums a, const Sums& b) {
                a.weight += b.weight;
                a.pressure += b.pressure;
                a.density += b.density;
                a.temperature += b.temperature;
                a.velocity += b.velocity;
                return a;
            });
    });
    if (!(sums.weight > 0)) return std::vector<double>(6, no_value);
    const Vec3d v = sums.velocity / sums.weight;
    return {sums.pressure / sums.weight,
            sums.density / sums.weight,
            sums.temperature / sums.weight,
            v.x,
            v.y,
            v.z};
}

/// Σ V v·n w(s) over the liquid in front of and behind the rectangle, s away from it, with the hat w(s) = (1
/// − |s|/H)/H.
std::vector<double> flow(const Simulation& simulation, const Probe& probe) {
    const ParticleTable& particles = simulation.particles();
    const Subject subject(simulation, probe);
    const bool flat = simulation.model().dimensions == 2;
    const Vec3d n = normalized(probe.direction);
    const Vec3d across = flat ? Vec3d{-n.y, n.x, 0} : normalized(cross(probe.up, n));
    const Vec3d up = cross(n, across);
    const double h = simulation.support();
    const auto sum = [&](bool mass) {
        return reduce_sum(simulation.device(), particles.size(), [&](Index i) {
            if (!subject.has(i)) return 0.;
            const Vec3d r = to_double(particles.position[i]) - probe.at;
            const double s = std::abs(dot(r, n));
            if (s >= h || std::abs(dot(r, across)) > 0.5 * probe.width ||
                (!flat && std::abs(dot(r, up)) > 0.5 * probe.height))
                return 0.;
            const double m = particles.mass[i];
            const double density = simulation.model().materials[particles.material[i]].density;
            return (mass ? m : m / density) * dot(to_double(particles.velocity[i]), n) * (1 - s / h) / h;
        });
    };
    return {sum(false), sum(true)};
}

std::vector<double> force(const Simulation& simulation, std::size_t probe) {
    const ImpulseSum& sum = simulation.instruments().sums()[probe];
    if (!(sum.seconds > 0)) return std::vector<double>(6, no_value);
    const Vec3d f = sum.impulse / sum.seconds, t = sum.angular_impulse / sum.seconds;
    return {f.x, f.y, f.z, t.x, t.y, t.z};
}

/// The rotation vector of the rigid body that a row is in (degrees), since it was assembled.
Vec3d turned_by(const Simulation& simulation, Index row) {
    const RigidBodies& rigid = simulation.rigid();
    for (Index k = 0; k < rigid.rows().size(); ++k) {
        if (rigid.rows()[k] != row) continue;
        const Quaternion<double>& q = rigid.bodies()[rigid.body_of_member()[k]].orientation;
        const double s = norm(q.v);
        const double angle = 2 * std::atan2(s, q.w) * 180 / std::numbers::pi;
        return s > 0 ? (angle > 180 ? angle - 360 : angle) / s * q.v : Vec3d{};
    }
    return {no_value, no_value, no_value};
}

/// Solid particles of an object.
std::vector<double> body(const Simulation& simulation, const Probe& probe) {
    const ParticleTable& particles = simulation.particles();
    const auto& objects = simulation.model().objects;
    const auto object = std::find_if(objects.begin(), objects.end(),
                                     [&](const Object& entry) { return entry.name == probe.of; }) -
                        objects.begin();
    const std::vector<Vec3f> velocity = simulation.synchronised().velocity;
    std::vector<MassPoint> points;
    Index first = particles.size();
    // By id: the order of rows would change the last bits of a run that was resumed elsewhere.
    std::vector<std::pair<std::uint32_t, Index>> rows;
    for (Index i = 0; i < particles.size(); ++i)
        if (particles.object[i] == object && particles.phase[i] != Phase::liquid)
            rows.push_back({particles.id[i], i});
    std::sort(rows.begin(), rows.end());
    for (const auto& [id, i] : rows) {
        if (first == particles.size()) first = i;
        points.push_back(
            {double{particles.mass[i]}, to_double(particles.position[i]), to_double(velocity[i])});
    }
    if (points.empty()) {
        std::vector<double> none(19, no_value);
        none.front() = 0;
        return none;
    }
    const RigidBody all = assemble(points);
    const Vec3d p = all.mass * all.velocity, w = all.angular_velocity(), turn = turned_by(simulation, first);
    const Vec3d &c = all.center, &v = all.velocity, &l = all.angular_momentum;
    return {all.mass, c.x, c.y, c.z, turn.x, turn.y, turn.z, v.x, v.y, v.z,
            p.x,      p.y, p.z, l.x, l.y,    l.z,    w.x,    w.y, w.z};
}

}  // namespace

std::vector<ProbeColumn> probe_columns(ProbeKind kind) {
    switch (kind) {
        case ProbeKind::level:
            return {{"level", "m", "height of the surface, against gravity from the origin"}};
        case ProbeKind::front:
            return {{"front", "m", "farthest place of the liquid, along the direction from the origin"}};
        case ProbeKind::point:
            return {{"pressure", "Pa", "pressure"},       {"density", "kg/m³", "density"},
                    {"temperature", "°C", "temperature"}, {"vx", "m/s", "velocity, x"},
                    {"vy", "m/s", "velocity, y"},         {"vz", "m/s", "velocity, z"}};
        case ProbeKind::flow:
            return {{"volume", "m³/s", "volume per second along the direction; in 2D m²/s"},
                    {"mass", "kg/s", "mass per second; in 2D kg/(m s)"}};
        case ProbeKind::force:
            return {{"fx", "N", "force on the obstacle, or of what holds matter, x; mean of the frame"},
                    {"fy", "N", "the same, y"},
                    {"fz", "N", "the same, z"},
                    {"tx", "N m", "torque about `at`, x; mean of the frame"},
                    {"ty", "N m", "the same, y"},
                    {"tz", "N m", "the same, z"}};
        case ProbeKind::body:
            break;
    }
    return {{"mass", "kg", "mass that is solid"},
            {"x", "m", "centre of mass, x"},
            {"y", "m", "centre of mass, y"},
            {"z", "m", "centre of mass, z"},
            {"rx", "degrees", "rotation vector of a rigid body since the start, x; elastic: nan"},
            {"ry", "degrees", "the same, y"},
            {"rz", "degrees", "the same, z"},
            {"vx", "m/s", "velocity of the centre, x"},
            {"vy", "m/s", "velocity of the centre, y"},
            {"vz", "m/s", "velocity of the centre, z"},
            {"px", "kg m/s", "momentum, x"},
            {"py", "kg m/s", "momentum, y"},
            {"pz", "kg m/s", "momentum, z"},
            {"lx", "kg m²/s", "angular momentum about the centre, x"},
            {"ly", "kg m²/s", "angular momentum about the centre, y"},
            {"lz", "kg m²/s", "angular momentum about the centre, z"},
            {"wx", "rad/s", "angular velocity, x"},
            {"wy", "rad/s", "angular velocity, y"},
            {"wz", "rad/s", "angular velocity, z"}};
}

std::vector<double> measure(const Simulation& simulation, std::size_t probe) {
    const Probe& of = simulation.model().probes[probe];
    switch (of.kind) {
        case ProbeKind::level:
            return surface_level(simulation, of);
        case ProbeKind::front:
            return front(simulation, of);
        case ProbeKind::point:
            return point(simulation, of);
        case ProbeKind::flow:
            return flow(simulation, of);
        case ProbeKind::force:
            return force(simulation, probe);
        case ProbeKind::body:
            break;
    }
    return body(simulation, of);
}

std::string probes_header(const Model& model) {
    std::string text = "frame,time";
    for (const Probe& probe : model.probes)
        for (const ProbeColumn& column : probe_columns(probe.kind))
            text += fmt::format(",{}.{}", probe.name, column.name);
    return text + "\n";
}

std::string probes_row(const Simulation& simulation) {
    std::string text = fmt::format("{},{}", simulation.clock().frame, simulation.clock().time);
    for (std::size_t p = 0; p < simulation.model().probes.size(); ++p)
        for (const double value : measure(simulation, p)) text += fmt::format(",{:.9g}", value);
    return text + "\n";
}

}  // namespace thixo
