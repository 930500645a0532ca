#include "sim/time_step_control.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/force_fields.h"
#include "sim/largest.h"

namespace thixo {

namespace {

/// For `Fluid::limit_time_step`: solids press only where a contact pair or a wall is within their support.
/// Empty without solids.
std::vector<std::uint8_t> pressing_materials(const StepInputs& in) {
    const ParticleTable& particles = in.matter.particles;
    if (!in.matter.solids.any()) return {};
    std::vector<std::uint8_t> pressing(in.model.materials.size());
    const Neighbours interacting = in.matter.search.view();
    const View<const WallTerm> walls = in.walls.terms();
    for (Index i = 0; i < particles.size(); ++i) {
        const bool touches = interacting.count(i) > 0 || norm2(walls[i].gradient) > 0;
        const bool by_law = in.forces.pressure().follows_density(particles.phase[i]);
        if (by_law && (particles.phase[i] == Phase::liquid || touches)) pressing[particles.material[i]] = 1;
    }
    return pressing;
}

/// g times the depth from the highest particle to the lowest, m²/s².
double weight(const StepInputs& in) {
    const ParticleTable& particles = in.matter.particles;
    const auto farthest = [&](const Vec3f& way) {
        return double{
            reduce_max(in.device, particles.size(), std::numeric_limits<float>::lowest(),
                       [=, x = View<const Vec3f>(particles.position)](Index i) { return dot(x[i], way); })};
    };
    const Vec3f down = to_float(in.model.gravity);
    return particles.size() > 0 ? farthest(down) + farthest(-down) : 0;
}

/// Of the way that a step may be long, what accelerations add counts this many times: a body at rest then
/// takes steps of 0.28 √(H/g). With 1 they are 1.6 times as long, and bodies that answer impulses need as
/// many iterations more.
constexpr double falling_weight = 2.5;

double fastest_solid(const StepInputs& in) {
    const ParticleTable& particles = in.matter.particles;
    return std::sqrt(reduce_max(
        in.device, particles.size(), 0.f,
        [v = View<const Vec3f>(particles.velocity), phase = View<const Phase>(particles.phase)](Index i) {
            return phase[i] == Phase::liquid ? 0.f : norm2(v[i]);
        }));
}

double acceleration_limit(const StepInputs& in, double largest) {
    return 0.25 * std::sqrt(0.5 * in.matter.supports.finest() / largest);
}

}  // namespace

double courant(const Forces& forces) { return forces.pressure().courant(); }

double fastest(const Device& device, const ParticleTable& particles) {
    return std::sqrt(largest_norm2(device, particles.velocity));
}

double flow_step(const StepInputs& in, double largest) {
    // The pressure of the weight, not the one that was solved for: that one is too small where the solver
    // stopped early, so the two would chase each other.
    const double swing = std::sqrt(weight(in));
    return std::min({courant(in.forces) * in.matter.supports.finest() /
                         std::max(fastest(in.device, in.matter.particles), swing),
                     acceleration_limit(in, largest), in.forces.fluid().capillary_step()});
}

TimeStep fit_step(const StepInputs& in, double seconds, double end) {
    TimeStep step{.dt = seconds};
    const double left = end - in.clock.time;
    if (std::isfinite(left)) step.dt = left / std::max(1.0, std::ceil(left / step.dt * (1 - 1e-12)));
    // The last step of a frame ends on the frame, whatever the rounding of the sum.
    step.end = left - step.dt < 1e-9 * step.dt ? end : in.clock.time + step.dt;
    step.kick = in.forces.pressure().kick(in.clock.last_step, step.dt);
    return step;
}

void TimeStepControl::find_limits(const StepInputs& in, double largest) {
    const ParticleTable& particles = in.matter.particles;
    const SupportRadii& supports = in.matter.supports;
    limit_ = {};
    pressing_ = pressing_materials(in);
    in.forces.fluid().limit_time_step(limit_, pressing_, supports.finest_ratio());
    const double speed = fastest(in.device, particles);
    const double way = courant(in.forces) * supports.finest(), falling = acceleration_limit(in, largest);
    if (in.forces.pressure().looks_ahead()) {
        const double gain = falling_weight * largest,
                     flow = std::max(time_for(way, speed, gain), std::min(way / speed, falling));
        limit_.tighten(flow, [&] { return std::string(gain * flow > speed ? "acceleration" : "flow"); });
        // That one of two bodies falls counts once for both.
        limit_solids(in, fastest_solid(in), limit_, 0.5 * largest);
    } else {
        limit_.tighten(way / speed, [] { return std::string("flow"); });
        limit_solids(in, speed, limit_);
        limit_.tighten(falling, [] { return std::string("acceleration"); });
    }
    in.forces.pressure().limit_time_step(in.device, particles, supports.finest(),
                                         !in.forces.bodies_answer(in.matter), limit_);
    limit_by_scene(in, limit_);
}

void TimeStepControl::limit_solids(const StepInputs& in, double speed, TimeStepLimit& limit,
                                   double gain) const {
    const Solids& solids = in.matter.solids;
    solids.elastic.limit_time_step(limit);
    solids.lattice.limit_time_step(limit);
    if (solids.deformable())
        limit.tighten(time_for(0.6 * in.matter.contacts.deformable().longest_way(), speed, gain),
                      [] { return std::string("contact of bodies"); });
    if (!solids.rigid.empty())
        solids.rigid.limit_time_step(0.3 * (in.matter.supports.usual() - in.model.particles.spacing), limit,
                                     gain);
}

void TimeStepControl::limit_by_scene(const StepInputs& in, TimeStepLimit& limit) const {
    const SupportRadii& supports = in.matter.supports;
    const double way = in.forces.pressure().looks_ahead() ? courant(in.forces) : 0.1;  // in supports
    in.emitters.limit_time_step(in.clock.time, way * supports.usual(), limit);
    in.walls.walls().limit_time_step(in.device, in.matter.particles.position, in.clock.time,
                                     way * supports.finest(), limit);
    in.kinematics.limit_time_step(in.clock.time, way * supports.usual(), limit);
    limit_time_step(in.model.force_fields, in.clock.time, limit);
}

void TimeStepControl::tighten(double seconds, const char* name) {
    limit_.seconds = seconds;
    limit_.name = name;
}

}  // namespace thixo
