#include <algorithm>
#include <bit>
#include <utility>

#include "core/marks.h"
#include "core/prefetch.h"
#include "core/select.h"
#include "rigid/rigid_bodies.h"

namespace thixo {

// Who is in which body: found from the rows that changed, and what bodies keep of those they were made of.

namespace {

/// In spacings: how thin a body may be and still spin about itself.
constexpr double thinnest = 0.1;

/// As long as nobody has described it or said where it is.
RigidMember newcomer(const ParticleTable& particles, View<const Material> materials, Index row) {
    const float mass = particles.mass[row];
    return {.id = particles.id[row],
            .mass = mass,
            .volume = static_cast<float>(mass / materials[particles.material[row]].density)};
}

/// In double precision where the row has it.
Vec3d place_of(const ParticleTable& particles, Index row) {
    return to_double(particles.position[row]) + to_double(particles.position_low[row]);
}

MassPoint point_of(const ParticleTable& particles, Index row) {
    return {particles.mass[row], place_of(particles, row), to_double(particles.velocity[row])};
}

/// The same as MassSums::add for some rows, which are scattered over memory.
void add_rows(const ParticleTable& particles, View<const Index> rows, double times, MassSums& sums) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (k + prefetch_ahead < rows.size()) {
            const Index i = rows[k + prefetch_ahead];
            prefetch(&particles.mass[i], sizeof(float));
            for (const auto* column : {&particles.position, &particles.position_low, &particles.velocity})
                prefetch(&(*column)[i], sizeof(Vec3f));
        }
        sums.add(point_of(particles, rows[k]), times);
    }
}

constexpr Index nobody = 0xffffffff;

/// Whether sums over n particles are made anew when there were m before: each time their number has doubled, or has become half as many. In
/// between the sums follow those who come and go, so rounding has no time to pile up.
bool sums_are_due(std::size_t n, std::size_t m) { return std::bit_width(n) != std::bit_width(m); }

}  // namespace

MassSums RigidBodies::sum_up(const Device& device, const ParticleTable& particles,
                             View<const Index> rows) const {
    struct Add {
        MassSums operator()(MassSums a, const MassPoint& point) const { return a.add(point), a; }
        MassSums operator()(MassSums a, const MassSums& b) const { return a += b; }
    };
    return reduce(
        device, static_cast<Index>(rows.size()), MassSums(place_of(particles, rows[0])),
        [&](Index k) { return point_of(particles, rows[k]); }, Add{});
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
        add_rows(particles, now.left, -1, sums);
        add_rows(particles, now.joined, 1, sums);
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

/// Rows in bodies that are no members.
std::vector<Index> RigidBodies::find_newcomers(const Device& device, const ParticleTable& particles) const {
    Marks known(particles.size());
    launch(device, static_cast<Index>(row_.size()),
           [&known, row = View<const Index>(row_)](Index k) { known.set(row[k]); });
    return select(device, particles.size(), [&](Index i) { return particles.part[i] > 0 && !known[i]; });
}

RigidBodies::Moves RigidBodies::find_moves(const Device& device, const ParticleTable& particles,
                                           View<const Index> newcomers) const {
    const View<const std::uint32_t> part(particles.part);
    Moves out;
    out.gone = select(device, static_cast<Index>(row_.size()),
                      [&](Index k) { return part[row_[k]] != state_.bodies[owner_[k]].number; });
    struct Newcomer {
        std::uint64_t order;  ///< by body and id
        Index row, member;
    };
    std::vector<Newcomer> come;
    const auto take = [&](Index i, Index member) {
        out.rows.push_back(i);
        if (part[i] > 0) come.push_back({std::uint64_t{part[i]} << 32 | particles.id[i], i, member});
    };
    for (const Index k : out.gone) take(row_[k], k);
    for (const Index i : newcomers) take(i, nobody);
    std::sort(come.begin(), come.end(),
              [](const Newcomer& a, const Newcomer& b) { return a.order < b.order; });
    for (const Newcomer& one : come) {
        out.come.push_back(one.row);
        out.member.push_back(one.member);
    }
    return out;
}

RigidBodies::Order RigidBodies::reorder(const ParticleTable& particles, const Moves& moves) const {
    const auto old = static_cast<Index>(row_.size());
    Order out;
    auto& [rows, known, runs, arrivals] = out;
    rows.reserve(old - moves.gone.size() + moves.come.size());
    known.reserve(rows.capacity());
    Index next = 0;  // the first of the old ones that was not taken over yet
    auto gone = moves.gone.begin();
    const auto take_until = [&](Index end) {
        while (next < end) {
            const Index stop = gone != moves.gone.end() ? std::min(end, *gone) : end;
            if (next < stop) runs.push_back({next, static_cast<Index>(rows.size()), stop - next});
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
        arrivals.push_back(static_cast<Index>(rows.size()));
        rows.push_back(row);
        known.push_back(moves.member[k]);
    }
    take_until(old);
    return out;
}

/// Of those that are in a body now, and were these members before; it comes from a body that there was.
RigidBodies::Membership RigidBodies::membership(const ParticleTable& particles, View<const Index> rows,
                                                View<const Index> known, Index origin, const Last& last,
                                                const Moves& moves) const {
    Membership out{.rows = rows};
    if (origin == nobody) return out;
    const RigidBody& from = last.bodies[origin];
    const std::uint32_t number = particles.part[rows[0]];
    const auto take_left = [&](Index i) {
        if (particles.part[i] != number) out.left.push_back(i);
    };
    const auto take_joined = [&](Index i, Index member) {
        if (member == nobody || last.owner[member] != origin) out.joined.push_back(i);
    };
    const Index first = from.first_member, end = first + from.count;
    if (number == from.number) {
        for (auto k = std::lower_bound(moves.gone.begin(), moves.gone.end(), first);
             k != moves.gone.end() && *k < end; ++k)
            take_left(last.row[*k]);
        for (std::size_t k = 0; k < moves.come.size(); ++k) {
            if (particles.part[moves.come[k]] == number) take_joined(moves.come[k], moves.member[k]);
        }
    } else {
        for (Index k = first; k < end; ++k) take_left(last.row[k]);
        for (std::size_t k = 0; k < rows.size(); ++k) take_joined(rows[k], known[k]);
    }
    return out;
}

/// The bodies of rows in their new order, without their members.
std::vector<RigidBodies::Origin> RigidBodies::assemble_bodies(const Device& device,
                                                              const ParticleTable& particles,
                                                              View<const Index> known, const Last& last,
                                                              const Moves& moves) {
    std::vector<Origin> origins;
    state_.bodies.clear();
    for (std::size_t begin = 0, end = 0; begin < row_.size(); begin = end) {
        const std::uint32_t number = particles.part[row_[begin]];
        end = static_cast<std::size_t>(
            std::partition_point(row_.begin() + static_cast<std::ptrdiff_t>(begin), row_.end(),
                                 [&](Index i) { return particles.part[i] == number; }) -
            row_.begin());
        const View<const Index> here{known.data() + begin, end - begin};
        const auto* member = std::find_if(here.begin(), here.end(), [](Index k) { return k != nobody; });
        const Index origin = member != here.end() ? last.owner[*member] : nobody;
        const RigidBody* from = origin != nobody ? &last.bodies[origin] : nullptr;
        const Membership now =
            membership(particles, {row_.data() + begin, end - begin}, here, origin, last, moves);
        RigidBody& body = state_.bodies.emplace_back(from && now.left.empty() && now.joined.empty()
                                                         ? *from
                                                         : assemble_rows(device, particles, now, from));
        body.number = number;
        body.first_member = static_cast<std::uint32_t>(begin);
        body.count = static_cast<std::uint32_t>(end - begin);
        const Mat3d back = transposed(matrix(body.orientation));
        origins.push_back({origin, back, from ? back * (from->center - body.center) : Vec3d{}});
    }
    return origins;
}

/// Brings members in the new order, where they are: runs that move towards the front make room for those behind them, and so do, from the
/// last one on, those that move to the back. Newcomers are still to be filled in.
void RigidBodies::move_members(const Order& order, const Moves& moves) {
    std::vector<RigidMember>& members = state_.members;
    std::vector<RigidMember> others;  // from one body to another
    for (const Index k : moves.member) {
        if (k != nobody) others.push_back(members[k]);
    }
    members.resize(std::max(members.size(), order.row.size()));
    for (const Run& run : order.runs) {
        if (run.to < run.from) std::copy_n(&members[run.from], run.count, &members[run.to]);
    }
    for (auto run = order.runs.rbegin(); run != order.runs.rend(); ++run) {
        const RigidMember* from = &members[run->from];
        if (run->to > run->from) std::copy_backward(from, from + run->count, &members[run->to] + run->count);
    }
    members.resize(order.row.size());
    auto other = others.begin();
    for (std::size_t k = 0; other != others.end(); ++k) {
        if (moves.member[k] != nobody) members[order.arrivals[k]] = *other++;
    }
}

/// Says where members are, and gives their rows the velocities of the bodies. Returns those of which the old description does not hold.
Marks RigidBodies::take_members(const Device& device, View<const Index> known, View<const Origin> origins,
                                View<const Index> last_owner, ParticleTable& particles) {
    member_of_row_.resize(particles.size());
    Marks fresh(static_cast<Index>(row_.size()));
    const std::vector<Frame> frames_of_bodies = frames();
    launch(
        device, static_cast<Index>(row_.size()),
        [=, &particles, &fresh, materials = View<const Material>(materials_), row = View<const Index>(row_),
         owner = View<const Index>(owner_), frames = View<const Frame>(frames_of_bodies),
         members = View(state_.members), member_of_row = View(member_of_row_), imposed = View(imposed_),
         v = View(particles.velocity)](Index k) {
            const Index i = row[k], before = known[k];
            const Origin& origin = origins[owner[k]];
            const Frame& body = frames[owner[k]];
            const bool stays = before != nobody && last_owner[before] == origin.body;
            RigidMember& member = members[k];
            if (stays) {
                member.place += origin.shift;
            } else {
                fresh.set(k);
                member = newcomer(particles, materials, i);
                member.place = origin.back * (place_of(particles, i) - body.center);
            }
            member_of_row[i] = k;
            v[i] = imposed[k] = to_float(body.velocity_at(body.arm(member)));
        });
    return fresh;
}

void RigidBodies::regroup(const Device& device, ParticleTable& particles, const Neighbours& neighbours) {
    regroup(device, particles, neighbours, find_newcomers(device, particles));
}

void RigidBodies::regroup(const Device& device, ParticleTable& particles, const Neighbours& neighbours,
                          View<const Index> newcomers) {
    follow_holds(device, particles);  // who was let go has the velocities that rows have by now
    const Moves moves = find_moves(device, particles, newcomers);
    moved_ = moves.rows;
    if (moved_.empty()) return impose(device, particles);
    Order order = reorder(particles, moves);
    move_members(order, moves);
    const std::vector<Index> known = std::move(order.known);
    const Last last{std::move(state_.bodies), owner_, std::exchange(row_, std::move(order.row))};
    const std::vector<Origin> origins = assemble_bodies(device, particles, known, last, moves);
    divide();
    const std::vector<std::uint32_t> hold = holds(particles);
    for (std::size_t b = 0; b < hold.size(); ++b) state_.bodies[b].hold = hold[b];
    const Marks fresh = take_members(device, known, origins, last.owner, particles);
    find_surface(device, particles, neighbours, moves, fresh);
}

}  // namespace thixo
