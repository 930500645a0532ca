// Particles that join elastic bodies and leave them: what freezes and melts.

#include <algorithm>
#include <map>
#include <numeric>

#include "core/rotation.h"
#include "elastic/elastic_bodies.h"
#include "elastic/stress.h"

namespace thixo {

namespace {

Quaternion<double> quaternion_of(const Packed4& q) { return {{q.x, q.y, q.z}, q.w}; }
Packed4 record_of(const Quaternion<double>& q) {
    return {static_cast<float>(q.v.x), static_cast<float>(q.v.y), static_cast<float>(q.v.z),
            static_cast<float>(q.w)};
}

/// Sets that grow together, each named by its lowest member.
class Union {
public:
    explicit Union(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }

    std::uint32_t find(std::uint32_t a) {
        while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
        return a;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace

void ElasticBodies::leave(const Device& device, ParticleTable& particles, View<const Index> rows) {
    if (rows.empty()) return;
    std::vector<Index> left;
    for (const Index row : rows) left.push_back(particles.slot[row]);
    const std::vector<Index> touched = reference_.with_neighbours(left);
    reference_.detach(left);
    for (const Index row : rows) {
        row_[particles.slot[row]] = vacant;
        body_[particles.slot[row]] = 0;
        particles.slot[row] = no_slot;
        particles.position_low[row] = {};  // nobody keeps it up from now on
    }
    read_slots(device, particles, left);
    refresh(device, touched);
}

void ElasticBodies::join(const Device& device, ParticleTable& particles, View<const Index> rows,
                         const Neighbours& neighbours) {
    if (rows.empty()) return;
    std::vector<Index> touched = unite_frames(particles, rows, neighbours);
    const std::vector<Index> slots = take_slots(static_cast<Index>(rows.size()));
    for (std::size_t k = 0; k < slots.size(); ++k) particles.slot[rows[k]] = slots[k];
    resize_slots();
    pack(device, particles);
    read_slots(device, particles, slots);
    for (const Index s : slots) {
        if (yields_) set_lane(plastic_[s / lane_count].strain, s % lane_count, Mat3f{});
        if (!softness_.empty()) softness_[s] = 1;
    }
    give_frames(particles, rows, neighbours);

    // New links take the state as it is for undeformed, seen in the frames of both ends: Xⱼᵢ = R̄ᵀ xⱼᵢ. [SSP07, fig. 3]
    std::vector<ReferencePair> pairs;
    const auto h = static_cast<float>(support_);
    std::vector<bool> is_new(reference_.size());
    for (const Index s : slots) is_new[s] = true;
    for (const Index i : rows) {
        const Index a = particles.slot[i];
        for (const Index j : neighbours.of(i)) {
            const std::uint32_t b = particles.slot[j];
            const Vec3f x = particles.position[j] - particles.position[i];
            if (b == no_slot || (is_new[b] && b < a) || !(norm2(x) < h * h)) continue;
            Quaternion<double> mean = quaternion_of(rotation_[a]);
            add_aligned(mean, quaternion_of(rotation_[b]));
            pairs.push_back({a, b, to_float(transposed(matrix(normalized(mean))) * to_double(x))});
        }
    }
    reference_.add(pairs);
    touched.insert(touched.end(), slots.begin(), slots.end());
    refresh(device, reference_.with_neighbours(touched));
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

/// Bodies that are about to be linked need one frame for their undeformed states: they share links. Where the frames of two differ,
/// the smaller one gets that of the larger: turning all its reference vectors, and its rotations back, changes no force. Returns
/// the slots that were turned.
std::vector<Index> ElasticBodies::unite_frames(const ParticleTable& particles, View<const Index> rows,
                                               const Neighbours& neighbours) {
    // Who meets in what freezes: joiners are nodes behind the bodies.
    std::uint32_t last = 0;
    for (const std::uint32_t body : particles.body) last = std::max(last, body);
    std::map<Index, std::uint32_t> node;
    for (const Index i : rows) node.emplace(i, static_cast<std::uint32_t>(last + 1 + node.size()));
    Union groups(last + 1 + node.size());
    std::map<std::uint32_t, Quaternion<double>> frame;  // of each body, where it meets others
    const auto h = static_cast<float>(support_);
    for (const Index i : rows) {
        for (const Index j : neighbours.of(i)) {
            if (!(norm2(particles.position[j] - particles.position[i]) < h * h)) continue;
            if (const auto other = node.find(j); other != node.end()) groups.join(node[i], other->second);
            if (particles.slot[j] == no_slot) continue;
            const std::uint32_t body = particles.body[j];
            groups.join(node[i], body);
            const Quaternion<double> q = quaternion_of(rotation_[particles.slot[j]]);
            if (const auto [known, is_new] = frame.emplace(body, q); !is_new) add_aligned(known->second, q);
        }
    }
    if (frame.size() < 2) return {};
    std::vector<std::vector<Index>> slots(last + 1);
    for (Index s = 0; s < row_.size(); ++s) {
        if (row_[s] != vacant) slots[particles.body[row_[s]]].push_back(s);
    }
    std::map<std::uint32_t, std::uint32_t> largest;  // of each group
    for (const auto& [body, q] : frame) {
        std::uint32_t& known = largest.emplace(groups.find(body), body).first->second;
        if (slots[body].size() > slots[known].size()) known = body;
    }
    std::vector<Index> turned;
    for (const auto& [body, q] : frame) {
        const std::uint32_t leader = largest[groups.find(body)];
        if (leader == body) continue;
        const Mat3d to = matrix(normalized(frame[leader])), from = matrix(normalized(q));
        turn_frame(slots[body], transposed(to) * from);
        turned.insert(turned.end(), slots[body].begin(), slots[body].end());
    }
    return turned;
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

/// What freezes takes the rotation of the solid neighbours it finds, those next to them first; far from any it starts unturned.
void ElasticBodies::give_frames(const ParticleTable& particles, View<const Index> rows,
                                const Neighbours& neighbours) {
    std::vector<bool> known(row_.size(), true);
    for (const Index i : rows) known[particles.slot[i]] = false;
    const auto h = static_cast<float>(support_);
    std::vector<Index> left(rows.begin(), rows.end());
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
