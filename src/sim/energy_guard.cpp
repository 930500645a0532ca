#include "sim/energy_guard.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "core/error.h"
#include "geometry/mesh_sequence.h"
#include "sim/derive.h"
#include "sim/force_fields.h"

namespace thixo {

namespace {

double energy_of(const Statistics& s) { return s.kinetic + s.potential + s.elastic_energy; }

/// Whether what follows the motion is on its way at some time between the two (s).
bool moves_between(const Motion& motion, double from, double to) {
    if (!motion.moves()) return false;
    return motion.repeat || (motion.keyframes.front().time < to && motion.keyframes.back().time > from);
}

bool is_within(double time, double from, double to) { return time >= from && time <= to; }

/// A hold that begins or ends gives velocities, one that moves does work; one that stands still does neither.
bool works_between(const Hold& hold, double from, double to) {
    return moves_between(hold.motion, from, to) || is_within(hold.until, from, to) ||
           (hold.grip && is_within(hold.grip->start, from, to));
}

/// Wind, attractors and vortices do work while their factor is not 0. Damping only takes energy.
bool works_between(const ForceField& field, double from, double to) {
    if (field.kind == FieldKind::damping) return false;
    return factor_at(field, from) != 0 || factor_at(field, to) != 0 ||
           std::any_of(field.keyframes.begin(), field.keyframes.end(), [&](const FieldKeyframe& key) {
               return key.factor != 0 && is_within(key.time, from, to);
           });
}

}  // namespace

EnergyGuard::EnergyGuard(const Model& model) {
    for (const Material& material : model.materials) {
        const HeatSettings& heat = material.heat;
        expands_ |= heat.expansion != 0;
        stiffens_ |= heat.melting_point && heat.freezing_point && *heat.freezing_point < *heat.melting_point;
    }
}

bool EnergyGuard::is_paid(const Simulation& simulation, const Statistics& now) const {
    const double from = last_.time, to = now.time;
    const Model& model = simulation.model();
    const std::vector<AppliedEvent>& events = simulation.events().applied();
    if (!events.empty() && events.back().time >= from) return true;
    const std::vector<Hold> holds = holds_of(model);
    // Emitters and sinks; splits and merges round the sum of the masses.
    if (std::abs(now.mass - last_.mass) > 1e-6 * now.mass) return true;
    if (now.liquid != last_.liquid || now.elastic != last_.elastic || now.rigid != last_.rigid) return true;
    if (expands_ && now.heat != last_.heat) return true;
    if (stiffens_ && now.elastic > 0 && now.heat != last_.heat) return true;
    return std::any_of(model.obstacles.begin(), model.obstacles.end(),
                       [&](const Obstacle& o) {
                           return moves_between(o.motion, from, to) ||
                                  (o.animation && o.animation->sequence->moves_between(from, to));
                       }) ||
           std::any_of(holds.begin(), holds.end(),
                       [&](const Hold& hold) { return works_between(hold, from, to); }) ||
           std::any_of(model.force_fields.begin(), model.force_fields.end(),
                       [&](const ForceField& field) { return works_between(field, from, to); });
}

double EnergyGuard::measure(const Simulation& simulation, const Statistics& now) {
    const ParticleTable& particles = simulation.particles();
    const Model& model = simulation.model();
    const auto height = [&](Index i) { return -dot(model.gravity, to_double(particles.position[i])); };
    const double lowest =
        -reduce_max(simulation.device(), particles.size(), -std::numeric_limits<double>::infinity(),
                    [&](Index i) { return -height(i); });
    const double above = reduce_sum(simulation.device(), particles.size(), [&](Index i) {
        const Material& material = model.materials[particles.material[i]];
        const double surface =
            particles.phase[i] == Phase::liquid
                ? material.liquid.surface_tension / (material.density * model.particles.spacing)
                : 0;
        return particles.mass[i] * (height(i) - lowest + surface);
    });
    return now.kinetic + now.elastic_energy + above;
}

namespace {

/// "fastest is particle 12 of `water` (object 0) at (1, 2, 3), 34 m/s, density 1200 kg/m³"
std::string describe_fastest(const Simulation& simulation) {
    const ParticleTable& particles = simulation.particles();
    Index fastest = 0;
    for (Index i = 1; i < particles.size(); ++i)
        if (norm2(particles.velocity[i]) > norm2(particles.velocity[fastest])) fastest = i;
    const Vec3f x = particles.position[fastest];
    return fmt::format(
        "fastest is particle {} of `{}` at ({:.4g}, {:.4g}, {:.4g}) with {:.3g} m/s, density {:.4g} kg/m³",
        particles.id[fastest], simulation.model().materials[particles.material[fastest]].name, x.x, x.y, x.z,
        norm(particles.velocity[fastest]), particles.density[fastest]);
}

}  // namespace

void EnergyGuard::watch(const Simulation& simulation, const Statistics& now) {
    const double energy = energy_of(now);
    const bool begins = !begun_ || is_paid(simulation, now);
    if (begins || energy <= lowest_) {
        measure_ = std::max(begins ? 0 : measure_, measure(simulation, now));
        lowest_ = energy;
        potential_ = now.potential;
    }
    begun_ = true;
    last_ = now;
    // What falls turns potential energy into another that counts as well.
    const double there = measure_ + std::max(0.0, potential_ - now.potential);
    gain_ = there > 0 ? (energy - lowest_) / there : 0;
    if (gain_ <= stop) return;
    throw RunError(fmt::format(
        "frame {}: the energy has risen by {:.3g} J, {:.0f} % of what there was, and nothing pays for it: no "
        "emitter, moving obstacle, "
        "force field, grab or change of phase; kinetic {:.3g} J, potential {:.3g} J, elastic {:.3g} J; {}. "
        "Start with "
        "`thixo check`, which reports "
        "whether matter starts compressed; a smaller solver.time_step_scale or a higher sound_speed may help",
        now.frame, energy - lowest_, 100 * gain_, now.kinetic, now.potential, now.elastic_energy,
        describe_fastest(simulation)));
}

std::string EnergyGuard::remark() const {
    return gain_ > warning ? fmt::format("warning: energy +{:.0f} % that nothing paid for", 100 * gain_) : "";
}

}  // namespace thixo
