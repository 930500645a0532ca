#include <algorithm>
#include <bit>
#include <utility>

#include "core/marks.h"
#include "core/select.h"
#include "rigid/rigid_bodies.h"

namespace thixo {

// Who is in which body: found from the rows that changed, and what bodies keep of those they were made of.

namespace {

/// In spacings: how thin a body may be and still spin about itself.
constexpr double thinnest = 0.1;

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

}  // namespace thixo
