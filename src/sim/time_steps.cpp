#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/simulation.h"

namespace thixo {

// How long a step may be: the shortest of what sound, flow, forces, solids and moving things of the scene allow.

float Simulation::hardest_acceleration() const {
    const View<const Vec3f> a(acceleration_);
    return std::sqrt(reduce_max(device_, particles_.size(), 0.f, [=](Index i) { return norm2(a[i]); }));
}

double Simulation::courant() const { return fluid_.pressure().courant(); }

std::vector<std::uint8_t> Simulation::pressing_materials() const {
    if (!has_solids()) return {};
    std::vector<std::uint8_t> pressing(model_.materials.size());
    const Neighbours strangers = search_.view();
    for (Index i = 0; i < particles_.size(); ++i) {
        const bool meets = strangers.count(i) > 0 || norm2(wall_terms_[i].gradient) > 0;
        const bool by_law = fluid_.pressure().follows_density(particles_.phase[i]);
        if (by_law && (particles_.phase[i] == Phase::liquid || meets)) pressing[particles_.material[i]] = 1;
    }
    return pressing;
}

double Simulation::fastest() const {
    const View<const Vec3f> v(particles_.velocity);
    return std::sqrt(reduce_max(device_, particles_.size(), 0.f, [=](Index i) { return norm2(v[i]); }));
}

double Simulation::weight() const {
    const auto farthest = [&](const Vec3f& way) {
        return double{
            reduce_max(device_, particles_.size(), std::numeric_limits<float>::lowest(),
                       [=, x = View<const Vec3f>(particles_.position)](Index i) { return dot(x[i], way); })};
    };
    const Vec3f down = to_float(model_.gravity);
    return particles_.size() > 0 ? farthest(down) + farthest(-down) : 0;
}

double Simulation::flow_step(double hardest) const {
    // The pressure that the weight gives, not the one that was found: that one is too small where the solver stopped
    // early, so the two would chase each other.
    const double swing = std::sqrt(weight());
    return std::min({courant() * finest_support() / std::max(fastest(), swing), acceleration_limit(hardest),
                     fluid_.capillary_step()});
}

double Simulation::acceleration_limit(double hardest) const {
    return 0.25 * std::sqrt(0.5 * finest_support() / hardest);
}

void Simulation::choose_time_step(double end) {
    find_limits();
    set_time_step(limit_.seconds * model_.solver.time_step_scale, end);
}

void Simulation::find_limits() {
    limit_ = {};
    pressing_ = pressing_materials();
    fluid_.limit_time_step(limit_, pressing_, finest_);
    const double speed = fastest();
    limit_.tighten(courant() * finest_support() / speed, [] { return std::string("flow"); });
    limit_solids(speed, limit_);
    fluid_.pressure().limit_time_step(device_, particles_, finest_support(), limit_);
    limit_.tighten(acceleration_limit(hardest_), [] { return std::string("acceleration"); });
    limit_by_scene(limit_);
}

void Simulation::limit_solids(double speed, TimeStepLimit& limit) const {
    elastic_.limit_time_step(limit);
    lattice_.limit_time_step(limit);
    if (deforms())
        limit.tighten(0.6 * contact_.longest_way() / speed, [] { return std::string("contact of bodies"); });
    if (!rigid_.empty()) rigid_.limit_time_step(0.3 * (support() - model_.particles.spacing), limit);
}

void Simulation::limit_by_scene(TimeStepLimit& limit) const {
    exchange_.limit_time_step(clock_.time, 0.1 * support(), limit);
    walls_.limit_time_step(device_, particles_.position, clock_.time, 0.1 * finest_support(), limit);
    held_.limit_time_step(clock_.time, 0.1 * support(), limit);
}

void Simulation::set_time_step(double seconds, double end) {
    dt_ = seconds;
    const double left = end - clock_.time;
    if (std::isfinite(left)) dt_ = left / std::ceil(left / dt_ * (1 - 1e-12));
    // The last step of a frame ends on the frame, whatever rounding made of the sum.
    next_time_ = left - dt_ < 1e-9 * dt_ ? end : clock_.time + dt_;
    kick_ = fluid_.pressure().kick(clock_.last_step, dt_);
}

void Simulation::solve_elasticity(double end) {
    if (!solves_elasticity()) return;
    implicit_elasticity_.begin(device_, elastic_, particles_, acceleration_);
    // The length of the step was chosen by the velocities before it. A body that springs back may be faster after it:
    // then the step was too long, and is taken again.
    constexpr int most_attempts = 10;
    const double farthest = std::min(courant() * support(), 0.6 * contact_.longest_way());
    for (int k = 0; k < most_attempts; ++k) {
        implicit_elasticity_.solve(device_, elastic_, particles_, kick_, dt_, acceleration_);
        const double fastest = std::sqrt(reduce_max(
            device_, particles_.size(), 0.f,
            [kick = static_cast<float>(kick_), v = View<const Vec3f>(particles_.velocity),
             a = View<const Vec3f>(acceleration_)](Index i) { return norm2(v[i] + kick * a[i]); }));
        if (!(fastest * dt_ > 1.5 * farthest)) return;
        limit_.seconds = farthest / fastest;
        limit_.name = "elastic motion";
        set_time_step(std::max(0.25 * dt_, limit_.seconds), end);
    }
}

}  // namespace thixo
