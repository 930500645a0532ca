// Particles that join elastic bodies and leave them: what freezes and melts.

#include <algorithm>
#include <map>

#include "core/marks.h"
#include "core/rotation.h"
#include "elastic/elastic_bodies.h"
#include "elastic/stress.h"
#include "sph/influence_radius.h"

namespace thixo {

namespace {

/// Rᵀ x = x + 2 (v × (v × x) − w v × x) / |q|²: q need not be a unit quaternion.
Vec3d turned_back(const Quaternion<double>& q, const Vec3d& x) {
    const Vec3d a = cross(q.v, x);
    return x + (cross(q.v, a) - q.w * a) * (2 / (norm2(q.v) + q.w * q.w));
}

}  // namespace

/// Each of those around the rows, but the first, is linked to one before it: then all of them hang on the first.
bool ElasticBodies::holds_without(const Device& device, const ParticleTable& particles,
                                  View<const Index> rows) const {
    std::vector<Index> slots;
    for (const Index row : rows) slots.push_back(particles.slot[row]);
    const std::vector<Index> around = reference_.with_neighbours(device, slots);
    std::vector<std::uint8_t> stays(reference_.size());
    for (const Index s : around) stays[s] = 1;
    for (const Index s : slots) stays[s] = 0;
    const Reference reference = reference_.view();
    int firsts = 0;
    for (std::size_t k = 0; k < around.size() && firsts < 2; ++k) {
        if (k + prefetch_ahead < around.size()) reference.prefetch_linked(around[k + prefetch_ahead]);
        const Index s = around[k];
        if (stays[s] && !reference.any_neighbour(s, [&](Index other) { return other < s && stays[other]; }))
            ++firsts;
    }
    return firsts == 1;
}

std::vector<Index> ElasticBodies::leave(const Device& device, ParticleTable& particles,
                                        View<const Index> rows) {
    if (rows.empty()) return {};
    std::vector<Index> left;
    for (const Index row : rows) left.push_back(particles.slot[row]);
    std::vector<Index> touched = reference_.with_neighbours(device, left);
    reference_.detach(device, left, touched);
    for (const Index row : rows) {
        row_[particles.slot[row]] = vacant;
        body_[particles.slot[row]] = 0;
        particles.slot[row] = no_slot;
        particles.position_low[row] = {};  // nobody keeps it up from now on
    }
    read_slots(device, particles, left);
    refresh(device, touched);
    return touched;
}

std::vector<Index> ElasticBodies::join(const Device& device, ParticleTable& particles, View<const Index> rows,
                                       const Meeting& meeting, const Neighbours& neighbours,
                                       View<const Packed4> rigid_frames) {
    if (rows.empty()) return {};
    std::vector<Index> newcomers, all;  // slots of all rows
    for (const Index i : rows) {
        if (particles.slot[i] == no_slot) newcomers.push_back(i);
    }
    const std::vector<Index> slots = take_slots(static_cast<Index>(newcomers.size()));
    for (std::size_t k = 0; k < slots.size(); ++k) particles.slot[newcomers[k]] = slots[k];
    for (const Index i : rows) all.push_back(particles.slot[i]);
    resize_slots();
    for (const Index i : newcomers) {
        row_[particles.slot[i]] = i;
        body_[particles.slot[i]] = particles.body[i];
    }
    read_slots(device, particles, slots);
    for (const Index s : slots) {
        if (yields_) set_lane(plastic_[s / lane_count].strain, s % lane_count, Mat3f{});
        if (!softness_.empty()) softness_[s] = 1;
    }
    give_frames(particles, newcomers, neighbours, rigid_frames);

    reference_.add(device, new_links(device, particles, rows, meeting, neighbours));
    std::vector<Index> touched = reference_.with_neighbours(device, all);
    refresh(device, touched);
    return touched;
}

/// New links take the state as it is for undeformed, seen in the frames of both ends: Xⱼᵢ = R̄ᵀ xⱼᵢ. [SSP07, fig. 3]
/// Each end finds its own; to the bit both find the opposite.
NewLinks ElasticBodies::new_links(const Device& device, const ParticleTable& particles,
                                  View<const Index> rows, const Meeting& meeting,
                                  const Neighbours& neighbours) const {
    const Marks joins(particles.size()), others(particles.size());
    for (const Index i : rows) joins.set(i);
    const auto h = static_cast<float>(influence_radius * support_);
    const Reference known = reference_.view();
    const auto find = [&](Index i, ReferenceLink* list) THIXO_ONE_BODY -> Index {
        const Index a = particles.slot[i];
        Index count = 0;
        for (const Index j : neighbours.of(i)) {
            const std::uint32_t b = particles.slot[j];
            if (b == no_slot || !(joins[i] || joins[j])) continue;
            const Vec3f x = particles.position[j] - particles.position[i];
            if (!(norm2(x) < h * h) || known.linked_at_either(a, b) || !meeting.linkable(i, j)) continue;
            Quaternion<double> mean = quaternion_of(rotation_[a]);
            add_aligned(mean, quaternion_of(rotation_[b]));
            list[count++] = {b, to_float(turned_back(mean, to_double(x)))};
            if (!joins[j]) others.set(j);
        }
        return count;
    };
    NewLinks out;
    const auto add = [&](View<const Index> of_rows) {
        std::vector<Index> slots, most;
        for (const Index i : of_rows) {
            slots.push_back(particles.slot[i]);
            most.push_back(neighbours.count(i));
        }
        out.add(device, slots, most, [&](Index k, ReferenceLink* list) {
            neighbours.prefetch_after(of_rows, k);
            return find(of_rows[k], list);
        });
    };
    add(rows);
    add(others.rows());
    return out;
}

std::vector<Index> ElasticBodies::take_slots(Index count) {
    std::vector<Index> out;
    for (Index s = 0; s < reference_.size() && out.size() < count; ++s) {
        if (row_[s] == vacant) out.push_back(s);
    }
    const Index more = count - static_cast<Index>(out.size()), first = reference_.size();
    reference_.add_slots(more);
    for (Index k = 0; k < more; ++k) out.push_back(first + k);
    return out;
}

FrameTurns ElasticBodies::unite_frames(const Device& device, const ParticleTable& particles,
                                       const Meeting& meeting, const Neighbours& neighbours,
                                       View<const Packed4> rigid_frames) {
    if (!meeting.joins_bodies()) return {};
    std::map<std::uint32_t, Quaternion<double>> frame;  // of each body, where it meets others
    const auto h = static_cast<float>(support_);
    for (const Index i : meeting.freezing()) {
        for (const Index j : neighbours.of(i)) {
            if (!(norm2(particles.position[j] - particles.position[i]) < h * h)) continue;
            const std::optional<Quaternion<double>> q = frame_of(particles, j, rigid_frames);
            const std::uint32_t body = particles.body[j];
            if (!q || body == 0 || meeting.group(i) != meeting.group(j)) continue;
            if (const auto [known, is_new] = frame.emplace(body, *q); !is_new) add_aligned(known->second, *q);
        }
    }
    if (frame.size() < 2) return {};
    std::vector<std::vector<Index>> slots(meeting.last_body() + 1);
    for (Index s = 0; s < row_.size(); ++s) {
        if (row_[s] != vacant) slots[particles.body[row_[s]]].push_back(s);
    }
    std::map<std::uint32_t, std::uint32_t> largest;  // of each group
    for (const auto& [body, q] : frame) {
        std::uint32_t& known = largest.emplace(meeting.group_of_body(body), body).first->second;
        if (slots[body].size() > slots[known].size()) known = body;
    }
    FrameTurns turns;
    std::vector<Index> turned;
    for (const auto& [body, q] : frame) {
        const std::uint32_t leader = largest[meeting.group_of_body(body)];
        if (leader == body) continue;
        const Mat3d to = matrix(normalized(frame[leader])), from = matrix(normalized(q));
        turns[body] = transposed(to) * from;
        turn_frame(slots[body], turns[body]);
        turned.insert(turned.end(), slots[body].begin(), slots[body].end());
    }
    std::sort(turned.begin(), turned.end());
    refresh(device, turned);
    return turns;
}

/// The rotation of a solid row; none if it has none yet.
std::optional<Quaternion<double>> ElasticBodies::frame_of(const ParticleTable& particles, Index row,
                                                          View<const Packed4> rigid_frames) const {
    if (particles.slot[row] != no_slot) return quaternion_of(rotation_[particles.slot[row]]);
    if (particles.part[row] > 0) return quaternion_of(rigid_frames[row]);
    return {};
}

/// X ← C X, R ← R Cᵀ, ε_p ← C ε_p Cᵀ
void ElasticBodies::turn_frame(View<const Index> slots, const Mat3d& c) {
    reference_.turn(slots, c);
    const Quaternion<double> back = conjugate(quaternion(c));
    for (const Index s : slots) {
        rotation_[s] = record_of(normalized(quaternion_of(rotation_[s]) * back));
        if (plastic_.empty()) continue;
        Sym3<Lanes>& strain = plastic_[s / lane_count].strain;
        const Mat3d turned = c * to_double(lane(strain.full(), s % lane_count)) * transposed(c);
        set_lane(strain, s % lane_count, turned);
    }
}

/// Rigid newcomers have the rotation of their part. What freezes takes that of the solid neighbours it finds, those next to them
/// first; far from any it starts unturned.
void ElasticBodies::give_frames(const ParticleTable& particles, View<const Index> newcomers,
                                const Neighbours& neighbours, View<const Packed4> rigid_frames) {
    std::vector<bool> known(row_.size(), true);
    std::vector<Index> left;
    for (const Index i : newcomers) {
        if (particles.part[i] > 0) {
            rotation_[particles.slot[i]] = rigid_frames[i];
        } else {
            known[particles.slot[i]] = false;
            left.push_back(i);
        }
    }
    const auto h = static_cast<float>(support_);
    while (!left.empty()) {
        std::vector<Index> found, still;
        for (const Index i : left) {
            Quaternion<double> sum{};
            for (const Index j : neighbours.of(i)) {
                const std::uint32_t s = particles.slot[j];
                if (s != no_slot && known[s] && norm2(particles.position[j] - particles.position[i]) < h * h)
                    add_aligned(sum, quaternion_of(rotation_[s]));
            }
            const bool any = norm2(sum.v) + sum.w * sum.w > 0;
            rotation_[particles.slot[i]] = any ? record_of(normalized(sum)) : Packed4{0, 0, 0, 1};
            (any ? found : still).push_back(i);
        }
        if (found.empty()) return;
        for (const Index i : found) known[particles.slot[i]] = true;
        left = std::move(still);
    }
}

}  // namespace thixo
