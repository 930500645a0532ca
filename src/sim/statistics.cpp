#include "sim/statistics.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <fmt/core.h>

#include "heat/expansion.h"
#include "sim/state_hash.h"

namespace thixo {

namespace {

/// Sums over particles, all in one pass.
struct Sums {
    std::uint64_t phase[3] = {0, 0, 0};
    double mass = 0;
    Vec3d p, l;
    double kinetic = 0, potential = 0, heat = 0, temperature = 0, density_error = 0;
    double t_min = std::numeric_limits<double>::infinity(), t_max = -std::numeric_limits<double>::infinity();
};

Sums add(Sums a, const Sums& b) {
    for (int k = 0; k < 3; ++k) a.phase[k] += b.phase[k];
    a.mass += b.mass;
    a.p += b.p;
    a.l += b.l;
    a.kinetic += b.kinetic;
    a.potential += b.potential;
    a.heat += b.heat;
    a.temperature += b.temperature;
    a.density_error += b.density_error;
    a.t_min = std::min(a.t_min, b.t_min);
    a.t_max = std::max(a.t_max, b.t_max);
    return a;
}

Sums of_particle(const ParticleTable& particles, View<const Vec3f> velocity, const Model& model, Index i) {
    const Material& material = model.materials[particles.material[i]];
    const Vec3d x = to_double(particles.position[i]), v = to_double(velocity[i]);
    const double m = particles.mass[i], t = particles.temperature[i];
    Sums s;
    s.phase[static_cast<int>(particles.phase[i])] = 1;
    s.mass = m;
    s.p = m * v;
    s.l = m * cross(x, v);
    s.kinetic = 0.5 * m * norm2(v);
    const double weight = particles.phase[i] == Phase::liquid ? ThermalExpansion(material.heat).weight(t) : 1;
    s.potential = -m * weight * dot(model.gravity, x);
    s.heat = m * (material.heat.specific_heat * t + particles.latent[i] + particles.heat_low[i]);
    s.temperature = t;
    s.t_min = s.t_max = t;
    if (particles.phase[i] == Phase::liquid) {
        s.density_error = std::max(0.0, particles.density[i] / material.density - 1);
    }
    return s;
}

}  // namespace

Statistics gather_statistics(const Simulation& simulation) {
    const ParticleTable& particles = simulation.particles();
    const Clock& clock = simulation.clock();
    const Synchronised now = simulation.synchronised();
    const Sums s = reduce(
        simulation.device(), particles.size(), Sums{},
        [&](Index i) { return of_particle(particles, now.velocity, simulation.model(), i); }, add);

    Statistics out;
    out.frame = clock.frame;
    out.time = clock.time;
    out.steps = clock.frame_steps;
    out.particles = particles.size();
    out.liquid = s.phase[0];
    out.elastic = s.phase[1];
    out.rigid = s.phase[2];
    out.bodies = count_bodies(particles);
    out.mass = s.mass;
    out.momentum = s.p;
    out.angular_momentum = s.l;
    out.kinetic = s.kinetic;
    out.potential = s.potential;
    out.elastic_energy = now.elastic_energy;
    out.heat = s.heat;
    if (particles.size() > 0) {
        out.t_min = s.t_min;
        out.t_mean = s.temperature / particles.size();
        out.t_max = s.t_max;
    }
    if (s.phase[0] > 0) out.density_error = s.density_error / static_cast<double>(s.phase[0]);
    if (s.phase[1] > 0) out.solid_density_error = now.solid_compression / static_cast<double>(s.phase[1]);
    out.dt_min = clock.frame_step_min;
    out.dt_max = clock.frame_step_max;
    out.neighbours = simulation.mean_neighbours();
    out.hash = state_hash(simulation);
    return out;
}

std::string lineage_table(const Lineage& lineage) {
    constexpr std::array<std::string_view, 5> names{"started", "froze", "came off", "merged", "melted"};
    std::string text = "frame,time,body,event,parents,particles,mass,x,y,z,vx,vy,vz\n";
    for (std::size_t k = 0; k < lineage.size(); ++k) {
        const BodyChange& change = lineage[k];
        std::string parents = change.parent == 0 ? "" : fmt::format("{}", change.parent);
        // What merges at once is one event with several parents, the body itself among them.
        if (change.event == BodyEvent::merged) {
            parents = fmt::format("{} {}", change.body, change.parent);
            const auto goes_on = [&](const BodyChange& next) {
                return next.event == BodyEvent::merged && next.body == change.body &&
                       next.time == change.time;
            };
            for (; k + 1 < lineage.size() && goes_on(lineage[k + 1]); ++k)
                parents += fmt::format(" {}", lineage[k + 1].parent);
        }
        const Vec3d &x = change.center, &v = change.velocity;
        text +=
            fmt::format("{},{},{},{},{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", change.frame,
                        change.time, change.body, names[static_cast<std::size_t>(change.event)], parents,
                        change.particles, change.mass, x.x, x.y, x.z, v.x, v.y, v.z);
    }
    return text;
}

std::string statistics_header() {
    return "frame,time,steps,particles,liquid,elastic,rigid,bodies,mass,px,py,pz,lx,ly,lz,kinetic,potential,"
           "elastic_energy,heat,t_min,t_mean,t_max,density_error,solid_density_error,dt_min,dt_max,"
           "neighbours,wall_seconds,"
           "hash\n";
}

std::string statistics_row(const Statistics& s, double wall_seconds) {
    return fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.4f},{:016x}\n",
        s.frame, s.time, s.steps, s.particles, s.liquid, s.elastic, s.rigid, s.bodies, s.mass, s.momentum.x,
        s.momentum.y, s.momentum.z, s.angular_momentum.x, s.angular_momentum.y, s.angular_momentum.z,
        s.kinetic, s.potential, s.elastic_energy, s.heat, s.t_min, s.t_mean, s.t_max, s.density_error,
        s.solid_density_error, s.dt_min, s.dt_max, s.neighbours, wall_seconds, s.hash);
}

}  // namespace thixo
