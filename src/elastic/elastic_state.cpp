#include "elastic/elastic_state.h"

#include <algorithm>
#include <cstdint>

#include "core/state_check.h"

namespace thixo {

namespace {

/// Whether each index has a row. Refuses an index that does not exist or has two rows.
std::vector<bool> taken_indices(View<const std::uint32_t> indices, std::size_t count) {
    std::vector<bool> taken(count);
    for (const std::uint32_t s : indices) {
        if (s == no_index) continue;
        if (s >= count) refuse_state("elastic_index", "number {} is not below {}", s, count);
        if (taken[s]) refuse_state("elastic_index", "two particles have the number {}", s);
        taken[s] = true;
    }
    return taken;
}

}  // namespace

bool ElasticState::has_plastic_strains(const std::vector<Material>& materials) {
    return std::any_of(materials.begin(), materials.end(), [](const Material& material) {
        const HeatSettings& heat = material.heat;
        const bool stiffens = heat.melting_point && heat.freezing_point &&
                              *heat.freezing_point < *heat.melting_point &&
                              heat.transition == PhaseTransition::sudden;
        return material.solid.elastic_limit > 0 || stiffens;
    });
}

void ElasticState::check(const ParticleTable& particles) const {
    const std::size_t n = link_counts.size();
    const std::vector<bool> taken = taken_indices(particles.elastic_index, n);
    check_length("elastic_rotations", rotations.size(), n);
    if (!tangents.empty()) check_length("elastic_tangents", tangents.size(), n);
    if (!plastic_strains.empty()) check_length("elastic_plastic", plastic_strains.size(), n);
    check_length("elastic_hourglass", hourglass.size(), plastic_strains.size());
    if (!softness.empty()) check_length("elastic_softness", softness.size(), n);
    for (const float h : hourglass)
        if (!(h >= 0 && h <= 1)) refuse_state("elastic_hourglass", "{} is not in 0 … 1", h);
    for (std::size_t s = 0; s < tangents.size(); ++s) {
        const SavedTangent& tangent = tangents[s];
        if (taken[s] && !(tangent.stiffness >= 1 && tangent.damping >= 1))
            refuse_state("elastic_tangents", "{} or {} is below 1", tangent.stiffness, tangent.damping);
    }
    for (const float s : softness)
        if (!(s > 0 && s <= 1)) refuse_state("elastic_softness", "{} is not in 0 … 1", s);

    std::uint64_t total = 0;
    for (std::size_t s = 0; s < n; ++s) {
        if (link_counts[s] > 0 && !taken[s])
            refuse_state("elastic_link_counts", "number {} has links but no particle", s);
        total += link_counts[s];
    }
    check_length("elastic_links", links.size(), total);

    // Every link is known at both ends, with opposite vectors: sorted by both numbers, the links and their
    // reverses are the same.
    struct End {
        Index from, to;
        auto operator<=>(const End&) const = default;
    };
    std::vector<End> there, back;
    there.reserve(links.size());
    back.reserve(links.size());
    const ReferenceLink* link = links.data();
    for (Index s = 0; s < n; ++s) {
        for (Index k = 0; k < link_counts[s]; ++k, ++link) {
            if (link->neighbour >= n || link->neighbour == s)
                refuse_state("elastic_links", "number {} cannot be linked with number {}", s,
                             link->neighbour);
            there.push_back({s, link->neighbour});
            back.push_back({link->neighbour, s});
        }
    }
    std::sort(there.begin(), there.end());
    std::sort(back.begin(), back.end());
    if (there != back) refuse_state("elastic_links", "a link is known at one end only");
    if (std::adjacent_find(there.begin(), there.end()) != there.end())
        refuse_state("elastic_links", "two numbers are linked twice");
}

void ElasticState::check(const ParticleTable& particles, const std::vector<Material>& materials) const {
    check_length("elastic_plastic", plastic_strains.size(),
                 has_plastic_strains(materials) ? link_counts.size() : 0);
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.elastic_index[i] != no_index &&
            materials[particles.material[i]].solid.model == SolidModel::lattice)
            refuse_state("elastic_index", "particle {} is of a material that has a lattice", particles.id[i]);
    }
}

}  // namespace thixo
