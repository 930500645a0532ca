#include "sim/held.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "particles/position.h"

namespace thixo {

namespace {

std::vector<HeldPlace> places_of(const ParticleTable& particles) {
    std::vector<HeldPlace> places;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.hold[i] == 0) continue;
        places.push_back({particles.id[i], particles.hold[i], particles.position[i], particles.velocity[i]});
    }
    std::sort(places.begin(), places.end(),
              [](const HeldPlace& a, const HeldPlace& b) { return a.id < b.id; });
    return places;
}

/// The place of a particle that is held.
const HeldPlace& find(View<const HeldPlace> places, std::uint32_t id) {
    return *std::lower_bound(places.begin(), places.end(), id,
                             [](const HeldPlace& place, std::uint32_t wanted) { return place.id < wanted; });
}

}  // namespace

Held::Held(const std::vector<Hold>& holds, const ParticleTable& particles)
    : Held(holds, places_of(particles)) {}

Held::Held(const std::vector<Hold>& holds, std::vector<HeldPlace> places)
    : holds_(holds), places_(std::move(places)), bounds_(holds.size()) {
    for (const HeldPlace& place : places_) {
        if (place.hold > holds_.size()) throw std::logic_error("a particle is held by nothing");
        bounds_[place.hold - 1].include(to_double(place.position));
    }
}

void Held::still(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration) const {
    if (places_.empty()) return;
    launch(device, particles.size(), [=, hold = View<const std::uint16_t>(particles.hold)](Index i) {
        if (hold[i] > 0) acceleration[i] = {};
    });
}

void Held::lead(const Device& device, ParticleTable& particles, double from, double to) const {
    if (places_.empty()) return;
    const std::vector<Pose> first = poses_at(from), last = poses_at(to);
    launch(device, particles.size(),
           [=, places = View(places_), a = View(first), b = View(last),
            hold = View<const std::uint16_t>(particles.hold), id = View<const std::uint32_t>(particles.id),
            v = View(particles.velocity)](Index i) {
               if (hold[i] == 0) return;
               const Pose &p = a[hold[i] - 1u], &q = b[hold[i] - 1u];
               const Vec3d X = to_double(find(places, id[i]).position), x = p.to_world(X);
               // In double precision: the difference of two floats over a short step would be noise.
               v[i] = to_float(to > from ? (q.to_world(X) - x) / (to - from) : p.velocity_at(x));
           });
}

void Held::place(const Device& device, ParticleTable& particles, double from, double to) const {
    if (places_.empty()) return;
    lead(device, particles, from, to);
    const std::vector<Pose> poses = poses_at(to);
    launch(device, particles.size(),
           [=, places = View(places_), holds = View(holds_), pose = View(poses),
            id = View<const std::uint32_t>(particles.id), hold = View(particles.hold),
            x = View(particles.position), low = View(particles.position_low),
            v = View(particles.velocity)](Index i) {
               if (hold[i] == 0) return;
               const HeldPlace& place = find(places, id[i]);
               const Hold& by = holds[hold[i] - 1u];
               const Vec3d there = pose[hold[i] - 1u].to_world(to_double(place.position));
               x[i] = to_float(there);
               low[i] = cut_off(there);
               if (to < by.until) return;
               if (by.launches) v[i] = place.velocity;
               hold[i] = 0;
           });
}

void Held::limit_time_step(double time, double distance, TimeStepLimit& limit) const {
    for (std::size_t k = 0; k < holds_.size(); ++k) {
        const Hold& hold = holds_[k];
        if (!hold.motion.moves() || time >= hold.until || bounds_[k].empty()) continue;
        const double end = std::isfinite(limit.seconds) ? time + limit.seconds : time;
        const double fastest = top_speed(hold.motion, bounds_[k], false, time, end);
        limit.tighten(distance / fastest, [&] { return "motion of what is held of `" + hold.object + "`"; });
    }
}

std::vector<Pose> Held::poses_at(double time) const {
    std::vector<Pose> poses;
    for (const Hold& hold : holds_) poses.push_back(hold.motion.at(time));
    return poses;
}

}  // namespace thixo
