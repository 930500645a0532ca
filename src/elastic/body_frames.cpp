#include "elastic/body_frames.h"

#include <optional>
#include <utility>

#include "core/rotation.h"

namespace thixo {

namespace {

/// The rotation of a solid row; none if it has none yet.
std::optional<Quaternion<double>> rotation_of(const ElasticColumns& columns, const ParticleTable& particles,
                                              View<const Packed4> rigid_frames, Index row) {
    if (particles.elastic_index[row] != no_index)
        return quaternion_of(columns.rotation[particles.elastic_index[row]]);
    if (particles.rigid_cluster[row] > 0) return quaternion_of(rigid_frames[row]);
    return {};
}

}  // namespace

std::vector<std::vector<Index>> indices_of_bodies(const ElasticColumns& columns,
                                                  const ParticleTable& particles, std::uint32_t last_body) {
    std::vector<std::vector<Index>> out(last_body + 1);
    for (Index s = 0; s < columns.size(); ++s) {
        if (columns.row[s] != vacant_index) out[particles.body[columns.row[s]]].push_back(s);
    }
    return out;
}

FrameTurns BodyFrames::turns_to_unite(const ElasticColumns& columns, const BodyMerge& merge) const {
    std::map<std::uint32_t, Quaternion<double>> frame;  // of each body, where it meets others
    const auto h = static_cast<float>(support);
    for (const Index i : merge.freezing()) {
        for (const Index j : neighbours.of(i)) {
            if (!(norm2(particles.position[j] - particles.position[i]) < h * h)) continue;
            const auto q = rotation_of(columns, particles, rigid_frames, j);
            const std::uint32_t body = particles.body[j];
            if (!q || body == 0 || merge.group(i) != merge.group(j)) continue;
            if (const auto [known, is_new] = frame.emplace(body, *q); !is_new) add_aligned(known->second, *q);
        }
    }
    if (frame.size() < 2) return {};
    const auto indices = indices_of_bodies(columns, particles, merge.last_body());
    std::map<std::uint32_t, std::uint32_t> largest;  // of each group
    for (const auto& [body, q] : frame) {
        std::uint32_t& known = largest.emplace(merge.group_of_body(body), body).first->second;
        if (indices[body].size() > indices[known].size()) known = body;
    }
    FrameTurns turns;
    for (const auto& [body, q] : frame) {
        const std::uint32_t leader = largest[merge.group_of_body(body)];
        if (leader == body) continue;
        const Mat3d to = matrix(normalized(frame[leader])), from = matrix(normalized(q));
        turns[body] = transposed(to) * from;
    }
    return turns;
}

void turn_frame(View<const Index> indices, const Mat3d& c, ElasticColumns& columns,
                ReferenceNeighbourhoods& links) {
    links.turn(indices, c);
    const Quaternion<double> back = conjugate(quaternion(c));
    for (const Index s : indices) {
        columns.rotation[s] = record_of(normalized(quaternion_of(columns.rotation[s]) * back));
        if (columns.plastic.empty()) continue;
        Sym3<Lanes>& strain = columns.plastic[s / lane_count].strain;
        const Mat3d turned = c * to_double(lane(strain.full(), s % lane_count)) * transposed(c);
        set_lane(strain, s % lane_count, turned);
    }
}

void BodyFrames::give_rotations(View<const Index> rows, ElasticColumns& columns) const {
    std::vector<bool> known(columns.size(), true);
    std::vector<Index> left;
    for (const Index i : rows) {
        if (particles.rigid_cluster[i] > 0) {
            columns.rotation[particles.elastic_index[i]] = rigid_frames[i];
        } else {
            known[particles.elastic_index[i]] = false;
            left.push_back(i);
        }
    }
    const auto h = static_cast<float>(support);
    while (!left.empty()) {
        std::vector<Index> found, still;
        for (const Index i : left) {
            Quaternion<double> sum{};
            for (const Index j : neighbours.of(i)) {
                const std::uint32_t s = particles.elastic_index[j];
                if (s != no_index && known[s] && norm2(particles.position[j] - particles.position[i]) < h * h)
                    add_aligned(sum, quaternion_of(columns.rotation[s]));
            }
            const bool any = norm2(sum.v) + sum.w * sum.w > 0;
            columns.rotation[particles.elastic_index[i]] =
                any ? record_of(normalized(sum)) : Packed4{0, 0, 0, 1};
            (any ? found : still).push_back(i);
        }
        if (found.empty()) return;
        for (const Index i : found) known[particles.elastic_index[i]] = true;
        left = std::move(still);
    }
}

}  // namespace thixo
