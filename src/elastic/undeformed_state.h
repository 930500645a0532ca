#pragma once

#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "core/time_step.h"
#include "elastic/elastic_block.h"
#include "elastic/elastic_columns.h"
#include "elastic/elastic_models.h"
#include "elastic/frequency_bound.h"
#include "elastic/reference.h"
#include "elastic/settings.h"
#include "particles/material.h"

namespace thixo {

/// What follows from the links while nothing is deformed, and is precomputed: volumes, weights of links,
/// ranks, corrections and constants of neighbourhoods. Where links come or go, it is brought up to date
/// around them.
class UndeformedState {
public:
    /// `contact_kernel` is the one that weighs density, by which bodies feel others.
    UndeformedState(const std::vector<Material>& materials, const ElasticMethods& methods,
                    KernelName contact_kernel, double support, int dimensions, double spacing);

    void clear();
    void resize(Index n);

    /// To be called when particles of these indices are new.
    void measure_cells(const ElasticColumns& columns, View<const Index> indices);

    /// To be called when links of these indices have come or gone: also writes the weights of links.
    void refresh(const Device& device, const ElasticColumns& columns, View<const Index> touched,
                 ReferenceNeighbourhoods& links);

    /// Makes particles softer than their materials: by `stiffness`, of each row, in 0 … 1. Returns whether
    /// anything has changed. Those that become stiffer relax when forces are next computed.
    bool soften(const Device& device, View<const float> stiffness, ElasticColumns& columns,
                ReferenceNeighbourhoods& links);
    /// Of each index; empty while all are 1. Part of the state: relaxation depends on the last one.
    const std::vector<float>& softness() const { return softness_; }
    void restore_softness(const Device& device, const std::vector<float>& softness,
                          const ElasticColumns& columns, ReferenceNeighbourhoods& links);
    /// What is new is as stiff as its material.
    void harden(View<const Index> indices);

    View<const ElasticBlock> blocks() const { return blocks_; }
    /// Σⱼ mⱼ W Xⱼᵢ Xⱼᵢᵀ of eight indices each; empty where no model turns by it.
    View<const Sym3<Lanes>> mass_moments() const { return mass_moment_; }
    View<const float> volumes() const { return volume_; }  ///< V̄, m³
    /// Compression by particles of the same body; V⁰ᵢ W(0) is not part of it.
    View<const float> contact_sums() const { return contact_sum_; }
    const FrequencyBound& frequencies() const { return frequencies_; }

    std::size_t bytes() const;

private:
    /// The neighbourhood of an index.
    struct Neighbourhood {
        Mat3d moment;       ///< M
        Mat3d fit;          ///< M⁺
        int rank = 0;       ///< 3 in solids, 2 in layers, 1 in rods, 0 alone
        double fourth = 0;  ///< Σⱼ V̄ⱼ wᵢⱼ |Xⱼᵢ|⁴
    };

    void sum_contacts(const Device& device, const ElasticColumns& columns, const Reference& reference,
                      View<const Index> indices);
    std::vector<std::uint8_t> measure_volumes(const Device& device, const ElasticColumns& columns,
                                              const Reference& reference, View<const Index> indices);
    /// Weighs links of an index that are new, and those with indices that are `resized`; none are if that is
    /// empty.
    template <class Kernel>
    void weigh_links(const Kernel& kernel, const ElasticColumns& columns, Index s,
                     View<const std::uint8_t> resized, ReferenceNeighbourhoods& links) const;
    Neighbourhood neighbourhood(const Reference& reference, Index s) const;
    void precompute(const ElasticColumns& columns, Index s, const Neighbourhood& here);
    void keep_full_stiffness(Index s);
    void apply_softness(Index s);
    void relax(Index s, float stiffness, ElasticColumns& columns) const;

    std::vector<Material> materials_;
    std::vector<ElasticModel> models_;  ///< of each material
    ElasticMethods methods_;
    KernelName contact_kernel_;
    double support_;
    int dimensions_;
    double spacing_;
    bool turns_by_mass_ = false;  ///< any model

    std::vector<float> cell_;         ///< space that each particle fills, m³
    std::vector<float> volume_;       ///< V̄, m³
    std::vector<float> contact_sum_;  ///< s⁰
    std::vector<ElasticBlock> blocks_;
    std::vector<Sym3<Lanes>> mass_moment_;
    std::vector<float> softness_;  ///< E of each particle in that of its material; empty while all are 1
    std::vector<Packed4> full_;    ///< λ, μ and κ at full stiffness, 2/d of a body; likewise
    FrequencyBound frequencies_;
};

}  // namespace thixo
