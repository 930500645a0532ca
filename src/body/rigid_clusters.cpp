#include "body/rigid_clusters.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/highest.h"

namespace thixo {

namespace {

/// The connected component of a row, sorted by id; marks its rows as reached.
std::vector<Index> component_of(const RigidClusterLinks& links, const ParticleTable& particles, Index first,
                                std::vector<bool>& reached) {
    std::vector<Index> rows{first};
    reached[first] = true;
    for (std::size_t next = 0; next < rows.size(); ++next) {
        links.visit(particles, rows[next], [&](Index j) {
            if (reached[j]) return;
            reached[j] = true;
            rows.push_back(j);
        });
    }
    std::sort(rows.begin(), rows.end(), [&](Index a, Index b) { return particles.id[a] < particles.id[b]; });
    return rows;
}

}  // namespace

std::uint32_t last_cluster(const ParticleTable& particles) { return highest(particles.rigid_cluster); }

void number_clusters(const RigidClusterLinks& links, ParticleTable& particles) {
    std::vector<std::uint32_t> may_split;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.phase[i] != Phase::rigid) continue;
        particles.rigid_cluster[i] = particles.object[i] + 1u;
        may_split.push_back(particles.rigid_cluster[i]);
    }
    split_clusters(links, may_split, particles);
}

void split_clusters(const RigidClusterLinks& links, View<const std::uint32_t> may_split,
                    ParticleTable& particles) {
    if (may_split.empty()) return;
    std::uint32_t last = last_cluster(particles);
    std::vector<bool> candidate(std::max(last, *std::max_element(may_split.begin(), may_split.end())) + 1);
    for (const std::uint32_t cluster : may_split) candidate[cluster] = true;
    candidate[0] = false;
    std::map<std::uint32_t, std::vector<std::vector<Index>>> components;
    std::vector<bool> reached(particles.size());
    for (Index i = 0; i < particles.size(); ++i) {
        if (!reached[i] && candidate[particles.rigid_cluster[i]])
            components[particles.rigid_cluster[i]].push_back(component_of(links, particles, i, reached));
    }
    for (auto& [cluster, list] : components) {
        std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) {
            return a.size() != b.size() ? a.size() > b.size()
                                        : particles.id[a.front()] < particles.id[b.front()];
        });
        for (std::size_t k = 1; k < list.size(); ++k) {
            ++last;
            for (const Index i : list[k]) particles.rigid_cluster[i] = last;
        }
    }
}

}  // namespace thixo
