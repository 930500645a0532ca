#include "rigid/rigid_bodies.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/rotation.h"

namespace thixo {

namespace {

/// In radians: within a step arms are taken to stay as they are.
constexpr double most_turn = 0.3;

bool by_number(const RigidBody& body, std::uint32_t number) { return body.number < number; }
bool by_id(const RigidMember& member, std::uint32_t id) { return member.id < id; }

}  // namespace

RigidBodies::RigidBodies(const std::vector<Material>& materials, const Discretisation& discretisation)
    : materials_(materials),
      kernel_(discretisation.kernel),
      support_(discretisation.support),
      dimensions_(discretisation.dimensions),
      spacing_(discretisation.spacing) {
    for (const Material& material : materials)
        specific_volume_.push_back(static_cast<float>(1 / material.density));
}

void RigidBodies::restore(const Device& device, const ParticleTable& particles, RigidState state) {
    state_ = std::move(state);
    divide();
    locate(device, particles);
    // What was imposed is what the rows have: whoever saved them did so between two steps.
    launch(device, static_cast<Index>(row_.size()),
           [row = View<const Index>(row_), v = View<const Vec3f>(particles.velocity),
            out = View(imposed_)](Index k) { out[k] = v[row[k]]; });
}

void RigidBodies::divide() {
    const auto count = static_cast<Index>(state_.members.size());
    owner_.resize(count);
    row_.resize(count);
    imposed_.resize(count);
    applied_.assign(state_.bodies.size(), {});
    blocks_.clear();
    for (Index b = 0; b < state_.bodies.size(); ++b) {
        const RigidBody& body = state_.bodies[b];
        const Index end = body.first_member + body.count;
        if (end > count) throw std::logic_error("a rigid body has more particles than there are");
        for (Index k = body.first_member; k < end; k += launch_grain)
            blocks_.push_back({b, k, std::min(end, k + launch_grain)});
        std::fill(owner_.begin() + body.first_member, owner_.begin() + end, b);
    }
}

void RigidBodies::locate(const Device& device, const ParticleTable& particles) {
    if (empty()) return;
    launch(device, particles.size(),
           [this, number = View<const std::uint32_t>(particles.part),
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
        out[row_[k]] = record_of(state_.bodies[owner_[k]].orientation);
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

void RigidBodies::add_shares(const Device& device, View<WallTerm> walls, View<WallMotion> motion) const {
    launch(device, static_cast<Index>(row_.size()),
           [=, row = View<const Index>(row_), member = members()](Index k) {
               WallTerm& term = walls[row[k]];
               term = {{}, term.share + member[k].share};
               if (!motion.empty()) motion[row[k]] = {};
           });
}

void RigidBodies::gather(const Device& device, View<Vec3f> acceleration) {
    if (empty()) return;
    const std::vector<Frame> frame = frames();
    applied_ = sum(device, frame, [=, row = View<const Index>(row_), member = members()](Index k) {
        return double{member[k].mass} * to_double(acceleration[row[k]]);
    });
    std::vector<Momentum> rate(applied_.size());  // of V and of ω
    for (std::size_t b = 0; b < rate.size(); ++b) {
        const RigidBody& body = state_.bodies[b];
        if (body.hold > 0) continue;
        const Vec3d gyroscopic = cross(frame[b].spin, body.angular_momentum);
        rate[b] = {applied_[b].linear / body.mass,
                   body.inverse_inertia_in_world() * (applied_[b].angular - gyroscopic)};
    }
    launch(device, static_cast<Index>(row_.size()),
           [=, row = View<const Index>(row_), owner = View<const Index>(owner_), member = members(),
            frame = View<const Frame>(frame), rate = View<const Momentum>(rate)](Index k) {
               const Index b = owner[k];
               acceleration[row[k]] =
                   to_float(rate[b].linear + cross(rate[b].angular, frame[b].arm(member[k])));
           });
}

void RigidBodies::kick(const Device& device, double span, ParticleTable& particles) {
    for (std::size_t b = 0; b < state_.bodies.size(); ++b) {
        RigidBody& body = state_.bodies[b];
        if (body.hold > 0) continue;
        body.velocity += (span / body.mass) * applied_[b].linear;
        body.angular_momentum += span * applied_[b].angular;
    }
    impose(device, particles);
}

void RigidBodies::impose(const Device& device, ParticleTable& particles) {
    if (empty()) return;
    const std::vector<Frame> frame = frames();
    launch(
        device, static_cast<Index>(row_.size()),
        [row = View<const Index>(row_), owner = View<const Index>(owner_), member = members(),
         frame = View<const Frame>(frame), imposed = View(imposed_), v = View(particles.velocity)](Index k) {
            const Frame& body = frame[owner[k]];
            v[row[k]] = imposed[k] = to_float(body.velocity_at(body.arm(member[k])));
        });
}

void RigidBodies::take(const Device& device, ParticleTable& particles) {
    if (empty()) return;
    const std::vector<Momentum> change =
        sum(device, frames(),
            [row = View<const Index>(row_), member = members(), v = View<const Vec3f>(particles.velocity),
             imposed = View<const Vec3f>(imposed_)](Index k) {
                return double{member[k].mass} * (to_double(v[row[k]]) - to_double(imposed[k]));
            });
    for (std::size_t b = 0; b < state_.bodies.size(); ++b) {
        RigidBody& body = state_.bodies[b];
        if (body.hold > 0) continue;
        body.velocity += change[b].linear / body.mass;
        body.angular_momentum += change[b].angular;
    }
    impose(device, particles);
}

void RigidBodies::bind(const Device& device, View<Packed4> records) const {
    std::vector<Frame> frame = frames();
    const auto flow = [=, row = View<const Index>(row_)](Index k) {
        const Packed4& r = records[2 * row[k] + 1];
        return Vec3d{r.x, r.y, r.z};
    };
    const std::vector<Momentum> total = sum(device, frame, [=, member = members()](Index k) {
        return (double{member[k].mass} / double{member[k].volume}) * flow(k);
    });
    for (std::size_t b = 0; b < frame.size(); ++b) {
        const RigidBody& body = state_.bodies[b];
        if (body.hold > 0) continue;
        frame[b].velocity = total[b].linear / body.mass;
        frame[b].spin = body.inverse_inertia_in_world() * total[b].angular;
    }
    launch(device, static_cast<Index>(row_.size()),
           [=, row = View<const Index>(row_), owner = View<const Index>(owner_), member = members(),
            frame = View<const Frame>(frame)](Index k) {
               const Frame& body = frame[owner[k]];
               const Vec3f u = to_float(double{member[k].volume} * body.velocity_at(body.arm(member[k])));
               records[2 * row[k] + 1] = {u.x, u.y, u.z, 0};
           });
}

void RigidBodies::lead(View<const Pose> from, View<const Pose> to, double dt) {
    for (RigidBody& body : state_.bodies) {
        if (body.hold == 0) continue;
        const Pose &p = from[body.hold - 1], &q = to[body.hold - 1];
        if (dt > 0) {
            const Mat3d before = transposed(Mat3d{p.axes[0], p.axes[1], p.axes[2]}),
                        after = transposed(Mat3d{q.axes[0], q.axes[1], q.axes[2]});
            body.velocity = (q.to_world(p.from_world(body.center)) - body.center) / dt;
            body.led_spin = turn_of(after * transposed(before)) / dt;
        } else {
            body.velocity = p.velocity_at(body.center);
            body.led_spin = p.angular_velocity;
        }
        const Mat3d turn = matrix(body.orientation);
        body.angular_momentum = turn * (body.inertia * (transposed(turn) * body.led_spin));
    }
}

/// What leads each body: who holds the first of its particles that somebody holds.
std::vector<std::uint32_t> RigidBodies::holds(const ParticleTable& particles) const {
    std::vector<std::uint32_t> hold(state_.bodies.size());
    std::uint16_t any = 0;
    for (const std::uint16_t of_row : particles.hold) any = static_cast<std::uint16_t>(any | of_row);
    for (std::size_t k = any ? row_.size() : 0; k-- > 0;) {
        if (particles.hold[row_[k]] > 0) hold[owner_[k]] = particles.hold[row_[k]];
    }
    return hold;
}

void RigidBodies::follow_holds(const Device& device, const ParticleTable& particles) {
    const std::vector<std::uint32_t> hold = holds(particles);
    bool released = false;
    for (std::size_t b = 0; b < hold.size(); ++b) released |= state_.bodies[b].hold > 0 && hold[b] == 0;
    const std::vector<Momentum> total = released
                                            ? sum(device, frames(),
                                                  [row = View<const Index>(row_), member = members(),
                                                   v = View<const Vec3f>(particles.velocity)](Index k) {
                                                      return double{member[k].mass} * to_double(v[row[k]]);
                                                  })
                                            : std::vector<Momentum>(hold.size());
    for (std::size_t b = 0; b < hold.size(); ++b) {
        RigidBody& body = state_.bodies[b];
        if (body.hold > 0 && hold[b] == 0) {
            body.velocity = total[b].linear / body.mass;
            body.angular_momentum = total[b].angular;
        }
        body.hold = hold[b];
    }
}

void RigidBodies::advance(const Device& device, double dt, ParticleTable& particles) {
    for (RigidBody& body : state_.bodies) body.advance(dt);
    const std::vector<Frame> frame = frames();
    launch(device, static_cast<Index>(row_.size()),
           [row = View<const Index>(row_), owner = View<const Index>(owner_), member = members(),
            frame = View<const Frame>(frame), slot = View<const std::uint32_t>(particles.slot),
            x = View(particles.position), low = View(particles.position_low)](Index k) {
               const Frame& body = frame[owner[k]];
               const Vec3d place = body.center + body.arm(member[k]);
               x[row[k]] = to_float(place);
               if (slot[row[k]] != no_slot) low[row[k]] = to_float(place - to_double(x[row[k]]));
           });
    follow_holds(device, particles);
    impose(device, particles);
}

void RigidBodies::limit_time_step(double distance, TimeStepLimit& limit) const {
    double fastest = 0, spin = 0;
    for (const RigidBody& body : state_.bodies) spin = std::max(spin, norm(body.angular_velocity()));
    for (const Vec3f& v : imposed_) fastest = std::max(fastest, double{norm(v)});
    limit.tighten(distance / fastest, [] { return std::string("contact of rigid bodies"); });
    limit.tighten(most_turn / spin, [] { return std::string("spin of rigid bodies"); });
}

std::size_t RigidBodies::bytes() const {
    return state_.bodies.capacity() * (sizeof(RigidBody) + sizeof(Momentum)) +
           state_.members.capacity() * sizeof(RigidMember) +
           (row_.capacity() + owner_.capacity() + member_of_row_.capacity() + moved_.capacity()) *
               sizeof(Index) +
           imposed_.capacity() * sizeof(Vec3f) + records_.capacity() * sizeof(Packed4);
}

}  // namespace thixo
