#pragma once

#include <vector>

#include "core/mat3.h"
#include "core/simd.h"
#include "core/state.h"
#include "elastic/reference.h"
#include "particles/material.h"
#include "particles/table.h"

namespace thixo {

/// What elastic bodies keep from one step to the next.
struct ElasticState {
    std::vector<Index> link_counts;  ///< reference neighbours of each index
    std::vector<ReferenceLink> links;
    std::vector<Packed4> rotations;  ///< quaternion of each index, where the search for the next one starts
    std::vector<Sym3f> plastic_strains;  ///< of each index; none where nothing yields

    template <class Visitor>
    void visit_state(Visitor&& visit) {
        visit("elastic_link_counts", link_counts, StateOrder::listed);
        visit("elastic_links", links, StateOrder::listed);
        visit("elastic_rotations", rotations, StateOrder::listed);
        visit("elastic_plastic", plastic_strains, StateOrder::listed);
    }

    /// Refuses, by an InputError, numbers that lead nowhere and links that are known at one end only.
    void check(const ParticleTable& particles) const;
    void check(const ParticleTable& particles, const std::vector<Material>& materials) const;
};

}  // namespace thixo
