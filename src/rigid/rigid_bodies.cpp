#include "rigid/rigid_bodies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/marks.h"
#include "core/rotation.h"
#include "core/select.h"

namespace thixo {

namespace {

/// In radians: within a step arms are taken to stay as they are.
constexpr double most_turn = 0.3;

/// In spacings: how thin a body may be and still spin about itself.
constexpr double thinnest = 0.1;

bool by_number(const RigidBody& body, std::uint32_t number) { return body.number < number; }
bool by_id(const RigidMember& member, std::uint32_t id) { return member.id < id; }

/// In double precision where the row has it.
Vec3d place_of(const ParticleTable& particles, Index row) {
    return to_double(particles.position[row]) + to_double(particles.position_low[row]);
}

MassPoint point_of(const ParticleTable& particles, Index row) {
    return {particles.mass[row], place_of(particles, row), to_double(particles.velocity[row])};
}

constexpr Index nobody = 0xffffffff;

/// Whether sums over n particles are made anew when there were m before: each time their number has doubled, or has become half as many. In
/// between the sums follow those who come and go, so rounding has no time to pile up.
bool sums_are_due(std::size_t n, std::size_t m) { return std::bit_width(n) != std::bit_width(m); }

}  // namespace

RigidBodies::RigidBodies(const std::vector<Material>& materials, KernelName kernel, double support,
                         int dimensions, double spacing)
    : materials_(materials), kernel_(kernel), support_(support), dimensions_(dimensions), spacing_(spacing) {
    for (const Material& material : materials)
        specific_volume_.push_back(static_cast<float>(1 / material.density));
}

MassSums RigidBodies::sum_up(const Device& device, const ParticleTable& particles,
                             View<const Index> rows) const {
    const MassSums none(place_of(particles, rows[0]));
    return reduce(
        device, static_cast<Index>(rows.size()), none,
        [&](Index k) {
            MassSums one(none.about);
            one.add(point_of(particles, rows[k]));
            return one;
        },
        [](MassSums a, const MassSums& b) { return a += b; });
}

/// Of the particles that are now in a body, which has the frame of `origin`, one that there was before; or of none.
RigidBody RigidBodies::assemble_rows(const Device& device, const ParticleTable& particles,
                                     const Membership& now, const RigidBody* origin) const {
    const View<const Index> rows = now.rows;
    MassSums sums;
    if (!origin || sums_are_due(rows.size(), origin->count)) {
        sums = sum_up(device, particles, rows);
    } else {
        sums = MassSums(*origin);
        for (const Index i : now.left) sums.add(point_of(particles, i), -1);
        for (const Index i : now.joined) sums.add(point_of(particles, i));
    }
    RigidBody body = sums.body(thinnest * spacing_);
    if (!origin) return body;
    const Mat3d turn = matrix(origin->orientation);
    body.orientation = origin->orientation;
    body.led_spin = origin->led_spin;
    body.inertia = transposed(turn) * body.inertia * turn;
    body.inverse_inertia = transposed(turn) * body.inverse_inertia * turn;
    return body;
}

RigidBodies::Moves RigidBodies::find_moves(const Device& device, const ParticleTable& particles) const {
    const View<const std::uint32_t> part(particles.part);
    Moves out{.before = particles.part};
    out.gone = select(device, static_cast<Index>(row_.size()),
                      [&](Index k) { return part[row_[k]] != state_.bodies[owner_[k]].number; });
    std::vector<std::pair<Index, Index>> come;  // rows, and the members that they were
    for (const Index k : out.gone) {
        out.before[row_[k]] = state_.bodies[owner_[k]].number;
        out.rows.push_back(row_[k]);
        if (part[row_[k]] > 0) come.emplace_back(row_[k], k);
    }
    // Mostly the numbers tell that nobody came who was in no body before.
    const auto rigid = static_cast<std::size_t>(
        reduce_sum(device, particles.size(), [=](Index i) { return part[i] > 0 ? 1. : 0.; }));
    if (rigid > row_.size() - out.gone.size() + come.size()) {
        Marks known(particles.size());
        launch(device, static_cast<Index>(row_.size()),
               [&known, row = View<const Index>(row_)](Index k) { known.set(row[k]); });
        for (const Index i :
             select(device, particles.size(), [&](Index k) { return part[k] > 0 && !known[k]; })) {
            out.before[i] = 0;
            out.rows.push_back(i);
            come.emplace_back(i, nobody);
        }
    }
    std::sort(come.begin(), come.end(), [&](const auto& a, const auto& b) {
        return std::pair(part[a.first], particles.id[a.first]) <
               std::pair(part[b.first], particles.id[b.first]);
    });
    for (const auto& [row, member] : come) {
        out.come.push_back(row);
        out.member.push_back(member);
    }
    return out;
}

RigidBodies::Order RigidBodies::reorder(const ParticleTable& particles, const Moves& moves) const {
    const auto old = static_cast<Index>(row_.size());
    Order out;
    auto& [rows, known] = out;
    rows.reserve(old - moves.gone.size() + moves.come.size());
    known.reserve(rows.capacity());
    Index next = 0;  // the first of the old ones that was not taken over yet
    auto gone = moves.gone.begin();
    const auto take_until = [&](Index end) {
        while (next < end) {
            const Index stop = gone != moves.gone.end() ? std::min(end, *gone) : end;
            rows.insert(rows.end(), row_.begin() + next, row_.begin() + stop);
            for (; next < stop; ++next) known.push_back(next);
            if (gone == moves.gone.end() || next != *gone) continue;
            ++gone;
            ++next;
        }
    };
    for (std::size_t k = 0; k < moves.come.size(); ++k) {
        const Index row = moves.come[k];
        const auto before = [&](Index member) {
            const std::uint32_t number = state_.bodies[owner_[member]].number;
            return std::pair(number, state_.members[member].id) <
                   std::pair(particles.part[row], particles.id[row]);
        };
        // Newcomers are in order, too: the next one's place is not far.
        Index low = next, step = 1;
        while (low < old && before(std::min(old, low + step) - 1)) {
            low = std::min(old, low + step);
            step *= 2;
        }
        for (Index high = std::min(old, low + step); low < high;) {
            const Index middle = low + (high - low) / 2;
            before(middle) ? low = middle + 1 : high = middle;
        }
        take_until(low);
        rows.push_back(row);
        known.push_back(moves.member[k]);
    }
    take_until(old);
    return out;
}

/// Of those that are in a body now, whose origin had these rows before.
RigidBodies::Membership RigidBodies::membership(const ParticleTable& particles, View<const Index> rows,
                                                const RigidBody* origin, View<const Index> old_row,
                                                const Moves& moves) const {
    Membership out{.rows = rows};
    if (!origin) return out;
    const std::uint32_t number = particles.part[rows[0]];
    const auto take_left = [&](Index i) {
        if (particles.part[i] != number) out.left.push_back(i);
    };
    const auto take_joined = [&](Index i) {
        if (moves.before[i] != origin->number) out.joined.push_back(i);
    };
    const Index first = origin->first_member, end = first + origin->count;
    if (number == origin->number) {
        for (auto k = std::lower_bound(moves.gone.begin(), moves.gone.end(), first);
             k != moves.gone.end() && *k < end; ++k)
            take_left(old_row[*k]);
        for (const Index i : moves.come) {
            if (particles.part[i] == number) take_joined(i);
        }
    } else {
        for (Index k = first; k < end; ++k) take_left(old_row[k]);
        for (const Index i : rows) take_joined(i);
    }
    return out;
}

void RigidBodies::regroup(const Device& device, const ParticleTable& particles,
                          const Neighbours& neighbours) {
    const Moves moves = find_moves(device, particles);
    if (moves.rows.empty()) return follow_holds(device, particles);
    Order order = reorder(particles, moves);
    const std::vector<Index> known = std::move(order.known), old_owner = owner_,
                             old_row = std::exchange(row_, std::move(order.row));
    const std::vector<RigidBody> old_bodies = std::move(state_.bodies);
    last_members_.swap(state_.members);
    state_.bodies.clear();
    state_.members.resize(row_.size());
    struct Origin {
        Index body;   ///< that it comes from, or nobody
        Mat3d back;   ///< into its own frame
        Vec3d shift;  ///< of its members' places
    };
    std::vector<Origin> origins;
    for (std::size_t begin = 0, end = 0; begin < row_.size(); begin = end) {
        const std::uint32_t number = particles.part[row_[begin]];
        end = static_cast<std::size_t>(
            std::partition_point(row_.begin() + static_cast<std::ptrdiff_t>(begin), row_.end(),
                                 [&](Index i) { return particles.part[i] == number; }) -
            row_.begin());
        const auto first = known.begin() + static_cast<std::ptrdiff_t>(begin),
                   last = known.begin() + static_cast<std::ptrdiff_t>(end),
                   member = std::find_if(first, last, [](Index k) { return k != nobody; });
        const Index origin = member != last ? old_owner[*member] : nobody;
        const RigidBody* from = origin != nobody ? &old_bodies[origin] : nullptr;
        const Membership now =
            membership(particles, {row_.data() + begin, end - begin}, from, old_row, moves);
        RigidBody& body = state_.bodies.emplace_back(from && now.left.empty() && now.joined.empty()
                                                         ? *from
                                                         : assemble_rows(device, particles, now, from));
        body.number = number;
        body.first_member = static_cast<std::uint32_t>(begin);
        body.count = static_cast<std::uint32_t>(end - begin);
        const Mat3d back = transposed(matrix(body.orientation));
        origins.push_back({origin, back, from ? back * (from->center - body.center) : Vec3d{}});
    }
    divide();
    std::vector<std::uint8_t> fresh(row_.size());  // where the old description of a member does not hold
    launch(device, static_cast<Index>(row_.size()), [&](Index k) {
        const Index i = row_[k];
        const Origin& origin = origins[owner_[k]];
        RigidMember& member = state_.members[k];
        if (known[k] != nobody && old_owner[known[k]] == origin.body) {
            member = last_members_[known[k]];
            member.place += origin.shift;
            return;
        }
        fresh[k] = 1;
        member = {.id = particles.id[i],
                  .mass = particles.mass[i],
                  .volume = static_cast<float>(particles.mass[i] / materials_[particles.material[i]].density),
                  .place = origin.back * (place_of(particles, i) - state_.bodies[owner_[k]].center)};
    });
    find_surface(device, particles, neighbours, moves, fresh);
    follow_holds(device, particles);
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

void RigidBodies::follow_holds(const Device& device, const ParticleTable& particles) {
    std::vector<std::uint32_t> hold(state_.bodies.size());
    std::uint16_t any = 0;
    for (const std::uint16_t of_row : particles.hold) any = static_cast<std::uint16_t>(any | of_row);
    for (std::size_t k = any ? row_.size() : 0; k-- > 0;) {
        if (particles.hold[row_[k]] > 0) hold[owner_[k]] = particles.hold[row_[k]];
    }
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
           (state_.members.capacity() + last_members_.capacity()) * sizeof(RigidMember) +
           (row_.capacity() + owner_.capacity()) * sizeof(Index) + imposed_.capacity() * sizeof(Vec3f);
}

}  // namespace thixo
