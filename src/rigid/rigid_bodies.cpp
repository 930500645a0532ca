#include "rigid/rigid_bodies.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/rotation.h"
#include "core/select.h"

namespace thixo {

namespace {

/// In spacings: how thin a body may be and still spin about its own axis.
constexpr double thinnest = 0.1;

/// In radians: the most that a body may turn in a step. Lever arms that count as constant are wrong by 1 −
/// cos 0.3, 4.5 %. The limit of 0.3 spacings for each particle (`limit_time_step`) is a smaller angle for
/// all bodies with particles more than a spacing off their axis.
constexpr double most_turn = 0.3;

bool by_number(const RigidBody& body, std::uint32_t number) { return body.number < number; }
bool by_id(const RigidMember& member, std::uint32_t id) { return member.id < id; }

}  // namespace

RigidBodies::RigidBodies(const std::vector<Material>& materials, const Discretisation& discretisation)
    : materials_(materials),
      spacing_(discretisation.spacing),
      surface_(materials, discretisation.kernel, discretisation.support, discretisation.dimensions,
               discretisation.spacing) {}

void RigidBodies::restore(const Device& device, const ParticleTable& particles) {
    list_members();
    locate(device, particles);
    // States are saved between two steps, when rows have the velocities that were scattered.
    launch(device, static_cast<Index>(row_.size()),
           [row = View<const Index>(row_), v = View<const Vec3f>(particles.velocity),
            out = View(scattered_)](Index k) { out[k] = v[row[k]]; });
}

/// Rows in clusters that are no members.
std::vector<Index> RigidBodies::find_newcomers(const Device& device, const ParticleTable& particles) const {
    Marks known(particles.size());
    launch(device, static_cast<Index>(row_.size()),
           [&known, row = View<const Index>(row_)](Index k) { known.set(row[k]); });
    return select(device, particles.size(),
                  [&](Index i) { return particles.rigid_cluster[i] > 0 && !known[i]; });
}

void RigidBodies::regroup(const Device& device, ParticleTable& particles, const Neighbours& neighbours) {
    regroup(device, particles, neighbours, find_newcomers(device, particles));
}

void RigidBodies::regroup(const Device& device, ParticleTable& particles, const Neighbours& neighbours,
                          View<const Index> newcomers) {
    update_kinematic(device,
                     particles);  // bodies that were released have the velocities that rows have by now
    RigidRegrouping regrouping(device, particles, state_, row_, body_, newcomers);
    moved_ = regrouping.moved();
    if (moved_.empty()) return scatter_velocities(device, particles);
    regrouping.apply(thinnest * spacing_, row_, state_);
    list_members();
    const std::vector<std::uint32_t> ids = kinematic_ids(particles);
    for (std::size_t b = 0; b < ids.size(); ++b) state_.bodies[b].kinematic_id = ids[b];
    const Marks fresh = update_members(device, regrouping, particles);
    surface_.update(device, particles, neighbours, {row_, body_, member_of_row_}, moved_, fresh, state_);
}

Marks RigidBodies::update_members(const Device& device, const RigidRegrouping& regrouping,
                                  ParticleTable& particles) {
    member_of_row_.resize(particles.size());
    Marks fresh(static_cast<Index>(row_.size()));
    const std::vector<Frame> frames_of_bodies = frames();
    launch(device, static_cast<Index>(row_.size()),
           [&particles, &fresh, &regrouping, materials = View<const Material>(materials_),
            row = View<const Index>(row_), owner = View<const Index>(body_),
            frames = View<const Frame>(frames_of_bodies), members = View(state_.members),
            member_of_row = View(member_of_row_), scattered = View(scattered_),
            v = View(particles.velocity)](Index k) {
               const Index i = row[k];
               const RigidRegrouping::Origin& origin = regrouping.origin(owner[k]);
               const Frame& body = frames[owner[k]];
               RigidMember& member = members[k];
               if (regrouping.stays(k, owner[k])) {
                   member.place += origin.shift;
               } else {
                   fresh.set(k);
                   const float mass = particles.mass[i];
                   member = {.id = particles.id[i],
                             .mass = mass,
                             .volume = static_cast<float>(mass / materials[particles.material[i]].density)};
                   member.place = origin.back * (exact_position(particles, i) - body.center);
               }
               member_of_row[i] = k;
               v[i] = scattered[k] = to_float(body.velocity_at(body.arm(member)));
           });
    return fresh;
}

void RigidBodies::list_members() {
    const auto count = static_cast<Index>(state_.members.size());
    body_.resize(count);
    row_.resize(count);
    scattered_.resize(count);
    applied_.assign(state_.bodies.size(), {});
    blocks_.clear();
    for (Index b = 0; b < state_.bodies.size(); ++b) {
        const RigidBody& body = state_.bodies[b];
        const Index end = body.first_member + body.count;
        if (end > count) throw std::logic_error("a rigid body has more particles than there are");
        for (Index k = body.first_member; k < end; k += launch_grain)
            blocks_.push_back({b, k, std::min(end, k + launch_grain)});
        std::fill(body_.begin() + body.first_member, body_.begin() + end, b);
    }
}

void RigidBodies::locate(const Device& device, const ParticleTable& particles) {
    if (empty()) return;
    launch(device, particles.size(),
           [this, number = View<const std::uint32_t>(particles.rigid_cluster),
            id = View<const std::uint32_t>(particles.id)](Index i) {
               if (number[i] == 0) return;
               const auto body =
                   std::lower_bound(state_.bodies.begin(), state_.bodies.end(), number[i], by_number);
               const auto first = state_.members.begin() + body->first_member;
               const auto member = std::lower_bound(first, first + body->count, id[i], by_id);
               row_[static_cast<std::size_t>(member - state_.members.begin())] = i;
           });
}

std::vector<RigidBodies::Frame> RigidBodies::frames() const {
    std::vector<Frame> out;
    out.reserve(state_.bodies.size());
    for (const RigidBody& body : state_.bodies)
        out.push_back({matrix(body.orientation), body.center, body.velocity, body.angular_velocity()});
    return out;
}

template <class Value>
std::vector<RigidBodies::Momentum> RigidBodies::sum(const Device& device, View<const Frame> frame,
                                                    const Value& momentum) const {
    std::vector<Momentum> partial(blocks_.size()), total(state_.bodies.size());
    // A block is as much work as a launch hands to a thread at a time.
#pragma omp parallel for schedule(dynamic) num_threads(device.threads) if (blocks_.size() > 1)
    for (std::int64_t b = 0; b < static_cast<std::int64_t>(blocks_.size()); ++b) {
        const Block& block = blocks_[static_cast<std::size_t>(b)];
        Momentum& out = partial[static_cast<std::size_t>(b)];
        for (Index k = block.begin; k < block.end; ++k) {
            const Vec3d p = momentum(k);
            out.linear += p;
            out.angular += cross(frame[block.body].arm(state_.members[k]), p);
        }
    }
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        total[blocks_[b].body].linear += partial[b].linear;
        total[blocks_[b].body].angular += partial[b].angular;
    }
    return total;
}

std::vector<Packed4> RigidBodies::frames_of_rows(Index rows) const {
    std::vector<Packed4> out(rows, Packed4{});
    for (std::size_t k = 0; k < row_.size(); ++k)
        out[row_[k]] = record_of(state_.bodies[body_[k]].orientation);
    return out;
}

void RigidBodies::turn_frames(const ParticleTable& particles, const std::map<std::uint32_t, Mat3d>& turns) {
    for (RigidBody& body : state_.bodies) {
        const auto turn = turns.find(particles.body[row_[body.first_member]]);
        if (turn == turns.end()) continue;
        const Mat3d& c = turn->second;
        body.orientation = normalized(body.orientation * conjugate(quaternion(c)));
        body.inertia = c * body.inertia * transposed(c);
        body.inverse_inertia = c * body.inverse_inertia * transposed(c);
        for (Index k = body.first_member; k < body.first_member + body.count; ++k) {
            RigidMember& member = state_.members[k];
            member.place = c * member.place;
            for (Vec3f& n : member.normal) n = to_float(c * to_double(n));
        }
    }
}

void RigidBodies::add_own_compression(const Device& device, View<WallTerm> walls,
                                      View<WallMotion> motion) const {
    launch(device, static_cast<Index>(row_.size()),
           [=, row = View<const Index>(row_), member = members()](Index k) {
               WallTerm& term = walls[row[k]];
               term = {{}, term.gamma + member[k].own_gamma};
               if (!motion.empty()) motion[row[k]] = {};
           });
}

void RigidBodies::gather_forces(const Device& device, View<Vec3f> acceleration) {
    if (empty()) return;
    const std::vector<Frame> frame = frames();
    applied_ = sum(device, frame, [=, row = View<const Index>(row_), member = members()](Index k) {
        return double{member[k].mass} * to_double(acceleration[row[k]]);
    });
    std::vector<Momentum> rate(applied_.size());  // of V and of ω
    for (std::size_t b = 0; b < rate.size(); ++b) {
        const RigidBody& body = state_.bodies[b];
        if (body.kinematic_id > 0) continue;
        const Vec3d gyroscopic = cross(frame[b].spin, body.angular_momentum);
        rate[b] = {applied_[b].linear / body.mass,
                   body.inverse_inertia_in_world() * (applied_[b].angular - gyroscopic)};
    }
    launch(device, static_cast<Index>(row_.size()),
           [=, row = View<const Index>(row_), owner = View<const Index>(body_), member = members(),
            frame = View<const Frame>(frame), rate = View<const Momentum>(rate)](Index k) {
               const Index b = owner[k];
               acceleration[row[k]] =
                   to_float(rate[b].linear + cross(rate[b].angular, frame[b].arm(member[k])));
           });
}

RigidBodies::Rate RigidBodies::rate(Index body) const {
    const RigidBody& of = state_.bodies[body];
    if (of.kinematic_id > 0) return {};
    return {applied_[body].linear / of.mass, of.inverse_inertia_in_world() * applied_[body].angular};
}

void RigidBodies::add_force(Index body, const Vec3d& force, const Vec3d& torque) {
    applied_[body].linear += force;
    applied_[body].angular += torque;
}

void RigidBodies::change_velocity(Index body, const Velocity& change) {
    RigidBody& of = state_.bodies[body];
    of.velocity += change.linear;
    const Mat3d turn = matrix(of.orientation);
    of.angular_momentum += turn * (of.inertia * (transposed(turn) * change.spin));
}

void RigidBodies::kick(const Device& device, double span, ParticleTable& particles) {
    for (std::size_t b = 0; b < state_.bodies.size(); ++b) {
        RigidBody& body = state_.bodies[b];
        if (body.kinematic_id > 0) continue;
        body.velocity += (span / body.mass) * applied_[b].linear;
        body.angular_momentum += span * applied_[b].angular;
    }
    kicked_.clear();
    for (const RigidBody& body : state_.bodies) kicked_.push_back(body.velocity);
    scatter_velocities(device, particles);
}

void RigidBodies::scatter_velocities(const Device& device, ParticleTable& particles) {
    if (empty()) return;
    const std::vector<Frame> frame = frames();
    launch(device, static_cast<Index>(row_.size()),
           [row = View<const Index>(row_), owner = View<const Index>(body_), member = members(),
            frame = View<const Frame>(frame), scattered = View(scattered_),
            v = View(particles.velocity)](Index k) {
               const Frame& body = frame[owner[k]];
               v[row[k]] = scattered[k] = to_float(body.velocity_at(body.arm(member[k])));
           });
}

void RigidBodies::project_velocities(const Device& device, ParticleTable& particles) {
    if (empty()) return;
    const std::vector<Momentum> change =
        sum(device, frames(),
            [row = View<const Index>(row_), member = members(), v = View<const Vec3f>(particles.velocity),
             scattered = View<const Vec3f>(scattered_)](Index k) {
                return double{member[k].mass} * (to_double(v[row[k]]) - to_double(scattered[k]));
            });
    for (std::size_t b = 0; b < state_.bodies.size(); ++b) {
        RigidBody& body = state_.bodies[b];
        if (body.kinematic_id > 0) continue;
        body.velocity += change[b].linear / body.mass;
        body.angular_momentum += change[b].angular;
    }
    scatter_velocities(device, particles);
}

std::vector<RigidBodies::Velocity> RigidBodies::project_records(const Device& device,
                                                                View<Packed4> records) const {
    const std::vector<Frame> frame = frames();
    const auto flow = [=, row = View<const Index>(row_)](Index k) {
        const Packed4& r = records[2 * row[k] + 1];
        return Vec3d{r.x, r.y, r.z};
    };
    const std::vector<Momentum> total = sum(device, frame, [=, member = members()](Index k) {
        return (double{member[k].mass} / double{member[k].volume}) * flow(k);
    });
    std::vector<Velocity> motion;
    for (std::size_t b = 0; b < frame.size(); ++b) {
        const RigidBody& body = state_.bodies[b];
        motion.push_back(
            body.kinematic_id > 0
                ? Velocity{frame[b].velocity, frame[b].spin}
                : Velocity{total[b].linear / body.mass, body.inverse_inertia_in_world() * total[b].angular});
    }
    scatter_records(device, motion, records);
    return motion;
}

void RigidBodies::scatter_records(const Device& device, View<const Velocity> motion,
                                  View<Packed4> records) const {
    std::vector<Frame> frame = frames();
    for (std::size_t b = 0; b < frame.size(); ++b) {
        frame[b].velocity = motion[b].linear;
        frame[b].spin = motion[b].spin;
    }
    launch(device, static_cast<Index>(row_.size()),
           [=, row = View<const Index>(row_), owner = View<const Index>(body_), member = members(),
            frame = View<const Frame>(frame)](Index k) {
               const Frame& body = frame[owner[k]];
               const Vec3f u = to_float(double{member[k].volume} * body.velocity_at(body.arm(member[k])));
               records[2 * row[k] + 1] = {u.x, u.y, u.z, 0};
           });
}

void RigidBodies::prescribe_motion(View<const Pose> from, View<const Pose> to, double dt) {
    for (RigidBody& body : state_.bodies) {
        if (body.kinematic_id == 0) continue;
        const Pose &p = from[body.kinematic_id - 1], &q = to[body.kinematic_id - 1];
        if (dt > 0) {
            const Mat3d before = transposed(Mat3d{p.axes[0], p.axes[1], p.axes[2]}),
                        after = transposed(Mat3d{q.axes[0], q.axes[1], q.axes[2]});
            body.velocity = (q.to_world(p.from_world(body.center)) - body.center) / dt;
            body.prescribed_spin = turn_of(after * transposed(before)) / dt;
        } else {
            body.velocity = p.velocity_at(body.center);
            body.prescribed_spin = p.angular_velocity;
        }
        const Mat3d turn = matrix(body.orientation);
        body.angular_momentum = turn * (body.inertia * (transposed(turn) * body.prescribed_spin));
    }
}

/// The prescribed motion of each body: that of its first kinematic particle.
std::vector<std::uint32_t> RigidBodies::kinematic_ids(const ParticleTable& particles) const {
    std::vector<std::uint32_t> ids(state_.bodies.size());
    std::uint16_t any = 0;
    for (const std::uint16_t of_row : particles.kinematic_id) any = static_cast<std::uint16_t>(any | of_row);
    for (std::size_t k = any ? row_.size() : 0; k-- > 0;) {
        if (particles.kinematic_id[row_[k]] > 0) ids[body_[k]] = particles.kinematic_id[row_[k]];
    }
    return ids;
}

void RigidBodies::update_kinematic(const Device& device, const ParticleTable& particles) {
    const std::vector<std::uint32_t> ids = kinematic_ids(particles);
    bool released = false;
    for (std::size_t b = 0; b < ids.size(); ++b) released |= state_.bodies[b].kinematic_id > 0 && ids[b] == 0;
    const std::vector<Momentum> total = released
                                            ? sum(device, frames(),
                                                  [row = View<const Index>(row_), member = members(),
                                                   v = View<const Vec3f>(particles.velocity)](Index k) {
                                                      return double{member[k].mass} * to_double(v[row[k]]);
                                                  })
                                            : std::vector<Momentum>(ids.size());
    for (std::size_t b = 0; b < ids.size(); ++b) {
        RigidBody& body = state_.bodies[b];
        if (body.kinematic_id > 0 && ids[b] == 0) {
            body.velocity = total[b].linear / body.mass;
            body.angular_momentum = total[b].angular;
        }
        body.kinematic_id = ids[b];
    }
}

void RigidBodies::advance(const Device& device, double dt, ParticleTable& particles) {
    for (RigidBody& body : state_.bodies) body.advance(dt);
    const std::vector<Frame> frame = frames();
    launch(device, static_cast<Index>(row_.size()),
           [row = View<const Index>(row_), owner = View<const Index>(body_), member = members(),
            frame = View<const Frame>(frame), elastic = View<const std::uint32_t>(particles.elastic_index),
            x = View(particles.position), low = View(particles.position_low)](Index k) {
               const Frame& body = frame[owner[k]];
               const Vec3d place = body.center + body.arm(member[k]);
               x[row[k]] = to_float(place);
               if (elastic[row[k]] != no_index) low[row[k]] = to_float(place - to_double(x[row[k]]));
           });
    update_kinematic(device, particles);
    scatter_velocities(device, particles);
}

void RigidBodies::limit_time_step(double distance, TimeStepLimit& limit, double gain) const {
    double fastest = 0, spin = 0;
    for (const RigidBody& body : state_.bodies) spin = std::max(spin, norm(body.angular_velocity()));
    for (const Vec3f& v : scattered_) fastest = std::max(fastest, double{norm(v)});
    limit.tighten(time_for(distance, fastest, gain), [] { return std::string("contact of rigid bodies"); });
    limit.tighten(most_turn / spin, [] { return std::string("spin of rigid bodies"); });
}

std::size_t RigidBodies::bytes() const {
    return state_.bodies.capacity() * (sizeof(RigidBody) + sizeof(Momentum)) +
           state_.members.capacity() * sizeof(RigidMember) +
           (row_.capacity() + body_.capacity() + member_of_row_.capacity() + moved_.capacity()) *
               sizeof(Index) +
           scattered_.capacity() * sizeof(Vec3f) + surface_.bytes();
}

}  // namespace thixo
