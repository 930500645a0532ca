#include "sim/kinematics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "particles/position.h"

namespace thixo {

namespace {

/// A row in the frame of its prescribed motion, which is at `pose`.
KinematicPlace place_of(const ParticleTable& particles, Index i, const Pose& pose) {
    const Vec3d x = to_double(particles.position[i]) + to_double(particles.position_low[i]);
    return {particles.id[i], particles.kinematic_id[i], pose.from_world(x), particles.velocity[i]};
}

void sort_by_id(std::vector<KinematicPlace>& places) {
    std::sort(places.begin(), places.end(),
              [](const KinematicPlace& a, const KinematicPlace& b) { return a.id < b.id; });
}

std::vector<KinematicPlace> places_of(const ParticleTable& particles) {
    std::vector<KinematicPlace> places;
    for (Index i = 0; i < particles.size(); ++i)
        if (particles.kinematic_id[i] > 0) places.push_back(place_of(particles, i, Pose{}));
    sort_by_id(places);
    return places;
}

bool is_in(const std::vector<std::uint16_t>& numbers, std::uint16_t number) {
    return numbers.empty() || std::binary_search(numbers.begin(), numbers.end(), number);
}

/// Bodies with a kinematic rigid particle: by number.
std::vector<bool> kinematic_bodies(const ParticleTable& particles) {
    std::vector<bool> out;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.body[i] >= out.size()) out.resize(particles.body[i] + 1u);
        if (particles.phase[i] == Phase::rigid && particles.kinematic_id[i] > 0)
            out[particles.body[i]] = true;
    }
    return out;
}

/// The rows that become kinematic by a grip, in their order.
std::vector<Index> gripped_rows(const Grip& grip, int dimensions, const ParticleTable& p) {
    const std::vector<bool> kinematic = kinematic_bodies(p);
    std::vector<bool> touched(kinematic.size());  // bodies that become kinematic as a whole
    const auto free = [&](Index i) {
        return p.kinematic_id[i] == 0 && !(p.phase[i] == Phase::rigid && kinematic[p.body[i]]);
    };
    const auto as_a_whole = [&](Index i) {
        return p.phase[i] == Phase::rigid || (grip.whole_bodies && p.phase[i] != Phase::liquid);
    };
    std::vector<bool> fits(p.size());
    for (Index i = 0; i < p.size(); ++i) {
        fits[i] = free(i) && !(grip.solids && p.phase[i] == Phase::liquid) &&
                  is_in(grip.objects, p.object[i]) && is_in(grip.materials, p.material[i]) &&
                  (!grip.region ||
                   signed_distance(*grip.region, to_double(p.position[i]), dimensions).distance <= 0);
        if (fits[i] && as_a_whole(i)) touched[p.body[i]] = true;
    }
    std::vector<Index> rows;
    for (Index i = 0; i < p.size(); ++i)
        if (fits[i] || (as_a_whole(i) && touched[p.body[i]] && free(i))) rows.push_back(i);
    return rows;
}

const KinematicPlace* first_from(View<const KinematicPlace> places, std::uint32_t id) {
    return std::lower_bound(
        places.begin(), places.end(), id,
        [](const KinematicPlace& place, std::uint32_t other) { return place.id < other; });
}

/// The place of a kinematic particle.
const KinematicPlace& find(View<const KinematicPlace> places, std::uint32_t id) {
    return *first_from(places, id);
}

bool contains(View<const KinematicPlace> places, std::uint32_t id) {
    const KinematicPlace* place = first_from(places, id);
    return place != places.end() && place->id == id;
}

}  // namespace

Kinematics::Kinematics(const std::vector<Hold>& holds, const ParticleTable& particles)
    : holds_(holds), places_(places_of(particles)), started_until_(-std::numeric_limits<double>::infinity()) {
    find_bounds();
}

void Kinematics::restore(double time) {
    started_until_ = time;
    find_bounds();
}

void Kinematics::find_bounds() {
    bounds_.assign(holds_.size(), {});
    for (const KinematicPlace& place : places_) {
        if (place.kinematic_id > holds_.size())
            throw std::logic_error("a kinematic particle has no prescribed motion");
        bounds_[place.kinematic_id - 1].include(place.position);
    }
}

bool Kinematics::starts(const Hold& hold, double time) const {
    if (!hold.grip || time < hold.grip->start || time >= hold.until) return false;
    return !hold.grip->at_once || hold.grip->start > started_until_;
}

std::vector<KinematicPlace> Kinematics::grip_rows(std::size_t k, int dimensions, double time,
                                                  ParticleTable& particles) const {
    std::vector<KinematicPlace> places;
    const Pose pose = holds_[k].motion.at(time);
    for (const Index i : gripped_rows(*holds_[k].grip, dimensions, particles)) {
        particles.kinematic_id[i] = static_cast<std::uint16_t>(k + 1);
        places.push_back(place_of(particles, i, pose));
        particles.velocity[i] = to_float(pose.velocity_at(to_double(particles.position[i])));
    }
    return places;
}

bool Kinematics::start_rows(int dimensions, double time, ParticleTable& particles) {
    std::vector<KinematicPlace> places;
    for (std::size_t k = 0; k < holds_.size(); ++k) {
        if (!starts(holds_[k], time)) continue;
        const std::vector<KinematicPlace> gripped = grip_rows(k, dimensions, time, particles);
        places.insert(places.end(), gripped.begin(), gripped.end());
    }
    started_until_ = time;
    if (places.empty()) return false;
    keep(std::move(places), particles);
    return true;
}

std::size_t Kinematics::add(const Device& device, int dimensions, double time, Hold hold,
                            ParticleTable& particles, RigidBodies& bodies) {
    holds_.push_back(std::move(hold));
    std::vector<KinematicPlace> places = grip_rows(holds_.size() - 1, dimensions, time, particles);
    const std::size_t count = places.size();
    if (count == 0) {
        holds_.pop_back();
    } else {
        keep(std::move(places), particles);
        take_bodies(device, time, particles, bodies);
    }
    return count;
}

void Kinematics::change(std::size_t from_last, const Motion& motion, double until) {
    Hold& hold = holds_[holds_.size() - 1 - from_last];
    hold.motion = motion;
    hold.until = until;
}

/// Beside those that are kinematic already.
void Kinematics::keep(std::vector<KinematicPlace> places, const ParticleTable& particles) {
    sort_by_id(places);
    // Places of particles that were released are dropped: every id is listed once.
    const std::vector<KinematicPlace> added = places;
    for (Index i = 0; i < particles.size(); ++i)
        if (particles.kinematic_id[i] > 0 && !contains(added, particles.id[i]))
            places.push_back(find(places_, particles.id[i]));
    sort_by_id(places);
    places_ = std::move(places);
    find_bounds();
}

void Kinematics::release_melted(const Device& device, ParticleTable& particles) const {
    if (places_.empty()) return;
    launch(device, particles.size(),
           [holds = View(holds_), phase = View<const Phase>(particles.phase),
            kinematic_id = View(particles.kinematic_id)](Index i) {
               if (kinematic_id[i] == 0 || phase[i] != Phase::liquid) return;
               const Hold& by = holds[kinematic_id[i] - 1u];
               if (by.grip && by.grip->solids) kinematic_id[i] = 0;
           });
}

void Kinematics::clear_acceleration(const Device& device, const ParticleTable& particles,
                                    View<Vec3f> acceleration) const {
    if (places_.empty()) return;
    launch(device, particles.size(),
           [=, kinematic_id = View<const std::uint16_t>(particles.kinematic_id)](Index i) {
               if (kinematic_id[i] > 0) acceleration[i] = {};
           });
}

void Kinematics::prescribe_velocity(const Device& device, ParticleTable& particles, double from,
                                    double to) const {
    if (places_.empty()) return;
    const std::vector<Pose> first = poses_at(from), last = poses_at(to);
    launch(device, particles.size(),
           [=, places = View(places_), a = View(first), b = View(last),
            kinematic_id = View<const std::uint16_t>(particles.kinematic_id),
            id = View<const std::uint32_t>(particles.id), v = View(particles.velocity)](Index i) {
               if (kinematic_id[i] == 0) return;
               const Pose &p = a[kinematic_id[i] - 1u], &q = b[kinematic_id[i] - 1u];
               const Vec3d X = find(places, id[i]).position, x = p.to_world(X);
               // In double precision: the difference of two floats over a short step would be noise.
               v[i] = to_float(to > from ? (q.to_world(X) - x) / (to - from) : p.velocity_at(x));
           });
}

void Kinematics::place(const Device& device, ParticleTable& particles, double from, double to) const {
    if (places_.empty()) return;
    prescribe_velocity(device, particles, from, to);
    const std::vector<Pose> poses = poses_at(to);
    launch(device, particles.size(),
           [=, places = View(places_), holds = View(holds_), pose = View(poses),
            id = View<const std::uint32_t>(particles.id), kinematic_id = View(particles.kinematic_id),
            x = View(particles.position), low = View(particles.position_low),
            v = View(particles.velocity)](Index i) {
               if (kinematic_id[i] == 0) return;
               const KinematicPlace& place = find(places, id[i]);
               const Hold& by = holds[kinematic_id[i] - 1u];
               const Vec3d there = pose[kinematic_id[i] - 1u].to_world(place.position);
               x[i] = to_float(there);
               low[i] = cut_off(there);
               if (to < by.until) return;
               if (by.launches) v[i] = place.velocity;
               kinematic_id[i] = 0;
           });
}

void Kinematics::prescribe_bodies(RigidBodies& bodies, double from, double to) const {
    bodies.prescribe_motion(poses_at(from), poses_at(to), to - from);
}

void Kinematics::start(const Device& device, int dimensions, double time, ParticleTable& particles,
                       RigidBodies& bodies) {
    if (start_rows(dimensions, time, particles)) take_bodies(device, time, particles, bodies);
}

void Kinematics::take_bodies(const Device& device, double time, ParticleTable& particles,
                             RigidBodies& bodies) const {
    if (bodies.empty()) return;
    bodies.update_kinematic(device, particles);
    prescribe_bodies(bodies, time, time);
    bodies.scatter_velocities(device, particles);
}

void Kinematics::limit_time_step(double time, double distance, TimeStepLimit& limit) const {
    for (std::size_t k = 0; k < holds_.size(); ++k) {
        const Hold& hold = holds_[k];
        if (!hold.motion.moves() || time >= hold.until || bounds_[k].empty()) continue;
        const double end = std::isfinite(limit.seconds) ? time + limit.seconds : time;
        const double fastest = top_speed(hold.motion, bounds_[k], false, time, end);
        limit.tighten(distance / fastest, [&] { return "motion of " + hold.what; });
    }
}

std::vector<Pose> Kinematics::poses_at(double time) const {
    std::vector<Pose> poses;
    for (const Hold& hold : holds_) poses.push_back(hold.motion.at(time));
    return poses;
}

}  // namespace thixo
