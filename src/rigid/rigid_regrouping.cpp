#include "rigid/rigid_regrouping.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/prefetch.h"
#include "core/select.h"

namespace thixo {

Vec3d exact_position(const ParticleTable& particles, Index row) {
    return to_double(particles.position[row]) + to_double(particles.position_low[row]);
}

namespace {

MassPoint point_of(const ParticleTable& particles, Index row) {
    return {particles.mass[row], exact_position(particles, row), to_double(particles.velocity[row])};
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

MassSums sum_up(const Device& device, const ParticleTable& particles, View<const Index> rows) {
    struct Add {
        MassSums operator()(MassSums a, const MassPoint& point) const { return a.add(point), a; }
        MassSums operator()(MassSums a, const MassSums& b) const { return a += b; }
    };
    return reduce(
        device, static_cast<Index>(rows.size()), MassSums(exact_position(particles, rows[0])),
        [&](Index k) { return point_of(particles, rows[k]); }, Add{});
}

/// Whether sums over n particles are computed anew when there were m before: each time the number has doubled
/// or halved. In between the sums follow the rows that come and go, so that rounding errors do not pile up.
bool sums_are_due(std::size_t n, std::size_t m) { return std::bit_width(n) != std::bit_width(m); }

}  // namespace

RigidRegrouping::RigidRegrouping(const Device& device, const ParticleTable& particles,
                                 const RigidState& state, View<const Index> row, View<const Index> body,
                                 View<const Index> newcomers)
    : device_(device), particles_(particles), body_(body) {
    const View<const std::uint32_t> cluster(particles.rigid_cluster);
    moves_.gone = select(device, static_cast<Index>(row.size()),
                         [&](Index k) { return cluster[row[k]] != state.bodies[body[k]].number; });
    struct Newcomer {
        std::uint64_t order;  ///< by body and id
        Index row, member;
    };
    std::vector<Newcomer> come;
    const auto add = [&](Index i, Index member) {
        moves_.rows.push_back(i);
        if (cluster[i] > 0) come.push_back({std::uint64_t{cluster[i]} << 32 | particles.id[i], i, member});
    };
    for (const Index k : moves_.gone) add(row[k], k);
    for (const Index i : newcomers) add(i, none);
    std::sort(come.begin(), come.end(),
              [](const Newcomer& a, const Newcomer& b) { return a.order < b.order; });
    for (const Newcomer& one : come) {
        moves_.come.push_back(one.row);
        moves_.member.push_back(one.member);
    }
}

void RigidRegrouping::apply(double thinnest, std::vector<Index>& row, RigidState& state) {
    order_ = reorder(state, row, body_);
    move_members(state.members);
    last_ = {
        std::move(state.bodies), {body_.begin(), body_.end()}, std::exchange(row, std::move(order_.row))};
    assemble_bodies(thinnest, row, state.bodies);
}

RigidRegrouping::Order RigidRegrouping::reorder(const RigidState& state, View<const Index> row,
                                                View<const Index> body) const {
    const auto old = static_cast<Index>(row.size());
    Order out;
    auto& [rows, known, runs, arrivals] = out;
    rows.reserve(old - moves_.gone.size() + moves_.come.size());
    known.reserve(rows.capacity());
    Index next = 0;  // the first former member that was not taken over yet
    auto gone = moves_.gone.begin();
    const auto take_until = [&](Index end) {
        while (next < end) {
            const Index stop = gone != moves_.gone.end() ? std::min(end, *gone) : end;
            if (next < stop) runs.push_back({next, static_cast<Index>(rows.size()), stop - next});
            rows.insert(rows.end(), row.begin() + next, row.begin() + stop);
            for (; next < stop; ++next) known.push_back(next);
            if (gone == moves_.gone.end() || next != *gone) continue;
            ++gone;
            ++next;
        }
    };
    for (std::size_t k = 0; k < moves_.come.size(); ++k) {
        const Index newcomer = moves_.come[k];
        const auto before = [&](Index member) {
            const std::uint32_t number = state.bodies[body[member]].number;
            return std::pair(number, state.members[member].id) <
                   std::pair(particles_.rigid_cluster[newcomer], particles_.id[newcomer]);
        };
        // Newcomers are in order, too: galloping search from the place of the last one.
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
        rows.push_back(newcomer);
        known.push_back(moves_.member[k]);
    }
    take_until(old);
    return out;
}

/// Of the rows of a body now, which were the members `known` before; it comes from the body `origin`.
RigidRegrouping::Membership RigidRegrouping::membership(View<const Index> rows, View<const Index> known,
                                                        Index origin) const {
    Membership out{.rows = rows};
    if (origin == none) return out;
    const RigidBody& from = last_.bodies[origin];
    const std::uint32_t number = particles_.rigid_cluster[rows[0]];
    const auto add_left = [&](Index i) {
        if (particles_.rigid_cluster[i] != number) out.left.push_back(i);
    };
    const auto add_joined = [&](Index i, Index member) {
        if (member == none || last_.body[member] != origin) out.joined.push_back(i);
    };
    const Index first = from.first_member, end = first + from.count;
    if (number == from.number) {
        for (auto k = std::lower_bound(moves_.gone.begin(), moves_.gone.end(), first);
             k != moves_.gone.end() && *k < end; ++k)
            add_left(last_.row[*k]);
        for (std::size_t k = 0; k < moves_.come.size(); ++k) {
            if (particles_.rigid_cluster[moves_.come[k]] == number)
                add_joined(moves_.come[k], moves_.member[k]);
        }
    } else {
        for (Index k = first; k < end; ++k) add_left(last_.row[k]);
        for (std::size_t k = 0; k < rows.size(); ++k) add_joined(rows[k], known[k]);
    }
    return out;
}

/// The body of its rows, in the frame of `origin`, the one that it comes from; or of none.
RigidBody RigidRegrouping::assemble_rows(const Membership& now, const RigidBody* origin,
                                         double thinnest) const {
    const View<const Index> rows = now.rows;
    MassSums sums;
    if (!origin || sums_are_due(rows.size(), origin->count)) {
        sums = sum_up(device_, particles_, rows);
    } else {
        sums = MassSums(*origin);
        add_rows(particles_, now.left, -1, sums);
        add_rows(particles_, now.joined, 1, sums);
    }
    RigidBody body = sums.body(thinnest);
    if (!origin) return body;
    const Mat3d turn = matrix(origin->orientation);
    body.orientation = origin->orientation;
    body.prescribed_spin = origin->prescribed_spin;
    body.inertia = transposed(turn) * body.inertia * turn;
    body.inverse_inertia = transposed(turn) * body.inverse_inertia * turn;
    return body;
}

/// The bodies of rows in their new order.
void RigidRegrouping::assemble_bodies(double thinnest, View<const Index> row,
                                      std::vector<RigidBody>& bodies) {
    const View<const std::uint32_t> cluster(particles_.rigid_cluster);
    bodies.clear();
    for (std::size_t begin = 0, end = 0; begin < row.size(); begin = end) {
        const std::uint32_t number = cluster[row[begin]];
        end = static_cast<std::size_t>(std::partition_point(row.begin() + begin, row.end(),
                                                            [&](Index i) { return cluster[i] == number; }) -
                                       row.begin());
        const View<const Index> here{order_.known.data() + begin, end - begin};
        const auto* member = std::find_if(here.begin(), here.end(), [](Index k) { return k != none; });
        const Index origin = member != here.end() ? last_.body[*member] : none;
        const RigidBody* from = origin != none ? &last_.bodies[origin] : nullptr;
        const Membership now = membership({row.data() + begin, end - begin}, here, origin);
        RigidBody& body = bodies.emplace_back(
            from && now.left.empty() && now.joined.empty() ? *from : assemble_rows(now, from, thinnest));
        body.number = number;
        body.first_member = static_cast<std::uint32_t>(begin);
        body.count = static_cast<std::uint32_t>(end - begin);
        const Mat3d back = transposed(matrix(body.orientation));
        origins_.push_back({origin, back, from ? back * (from->center - body.center) : Vec3d{}});
    }
}

/// Brings members into the new order, in place: runs that move towards the front make room for those behind
/// them, and so do, from the last one on, runs that move to the back.
void RigidRegrouping::move_members(std::vector<RigidMember>& members) const {
    std::vector<RigidMember> others;  // from one body to another
    for (const Index k : moves_.member) {
        if (k != none) others.push_back(members[k]);
    }
    members.resize(std::max(members.size(), order_.row.size()));
    for (const Run& run : order_.runs) {
        if (run.to < run.from) std::copy_n(&members[run.from], run.count, &members[run.to]);
    }
    for (auto run = order_.runs.rbegin(); run != order_.runs.rend(); ++run) {
        const RigidMember* from = &members[run->from];
        if (run->to > run->from) std::copy_backward(from, from + run->count, &members[run->to] + run->count);
    }
    members.resize(order_.row.size());
    auto other = others.begin();
    for (std::size_t k = 0; other != others.end(); ++k) {
        if (moves_.member[k] != none) members[order_.arrivals[k]] = *other++;
    }
}

}  // namespace thixo
