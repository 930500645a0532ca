#pragma once

#include <vector>

#include "core/mat3.h"
#include "core/simd.h"
#include "core/state.h"
#include "elastic/reference.h"
#include "particles/material.h"
#include "particles/table.h"

namespace thixo {

/// `Tangent` of one index, without gaps.
struct SavedTangent {
    Vec3f axis{};  ///< with `w` the quaternion of the rotation
    float w = 1, stiffness = 1, damping = 1;
};

/// What elastic bodies keep from one step to the next.
struct ElasticState {
    std::vector<Index> link_counts;  ///< reference neighbours of each index
    std::vector<ReferenceLink> links;
    std::vector<Packed4> rotations;  ///< quaternion of each index, where the search for the next one starts
    std::vector<SavedTangent> tangents;  ///< of each index; none where steps are explicit
    std::vector<Sym3f> plastic_strains;  ///< of each index; none where nothing yields
    std::vector<float> hourglass;        ///< fraction of κ that is stiff, of each index; likewise
    std::vector<float> softness;         ///< of each index; none while all are as stiff as their materials

    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("elastic_link_counts", self.link_counts, StateOrder::listed);
        visit("elastic_links", self.links, StateOrder::listed);
        visit("elastic_rotations", self.rotations, StateOrder::listed);
        visit("elastic_tangents", self.tangents, StateOrder::listed);
        visit("elastic_plastic", self.plastic_strains, StateOrder::listed);
        visit("elastic_hourglass", self.hourglass, StateOrder::listed);
        visit("elastic_softness", self.softness, StateOrder::listed);
    }

    /// Whether bodies of these materials have plastic strains: they yield, or become stiffer as they cool.
    static bool has_plastic_strains(const std::vector<Material>& materials);

    /// Refuses, by an InputError, numbers that lead nowhere and links that are known at one end only.
    void check(const ParticleTable& particles) const;
    void check(const ParticleTable& particles, const std::vector<Material>& materials) const;
};

}  // namespace thixo
