#pragma once

#include <vector>

#include "core/launch.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "elastic/elastic_block.h"
#include "elastic/elastic_columns.h"
#include "elastic/reference.h"
#include "elastic/settings.h"
#include "particles/material.h"

namespace thixo {

/// A bound of the highest frequency at each elastic index, by Gershgorin's circles around the blocks of the
/// stiffness matrix. The strain of i is Σₖ uₖ gᵢₖᵀ, gᵢₖ = V̄ₖ wᵢₖ Lᵢ Xₖᵢ and gᵢᵢ = −Σₖ gᵢₖ. What it does not
/// see is less stiff than springs κᵢ + κⱼ:
///
///     mⱼ ωⱼ² ≤ Σᵢ V̄ᵢ (λ + 2μ)ᵢ |gᵢⱼ| Σₖ |gᵢₖ| + 2 Σᵢ (κᵢ + κⱼ) V̄ᵢ V̄ⱼ wᵢⱼ
class FrequencyBound {
public:
    void resize(Index n);

    /// What index i adds to the sums of its neighbours.
    void precompute(const Reference& reference, const ElasticBlock& block, float volume, Index i);

    /// Brings the bounds up to date around indices that were precomputed anew.
    void refresh(const Device& device, const ElasticColumns& columns, const ReferenceNeighbourhoods& links,
                 View<const Index> indices, std::size_t materials);

    /// The CFL condition of elastic waves, for leapfrog; implicit steps may be fifty times as long.
    void limit_time_step(const std::vector<Material>& materials, ElasticIntegrator integrator,
                         TimeStepLimit& limit) const;

    std::size_t bytes() const { return bytes_of(terms_, own_, frequency_, highest_); }

private:
    struct Term {
        Packed4 diagonal;  ///< of L; w: (λ + 2μ) Σₖ |gᵢₖ|
        Packed4 beside;    ///< yz, xz and xy of L; w: κ
    };

    std::vector<Term> terms_;
    std::vector<float> own_;        ///< what each index adds to the sum of its own, N/m
    std::vector<float> frequency_;  ///< 1/s
    std::vector<float> highest_;    ///< of each material, 1/s
};

}  // namespace thixo
