#pragma once

#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "elastic/reference.h"
#include "elastic/settings.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// What elastic bodies remember from one step to the next; saved in checkpoints.
struct ElasticState {
    std::vector<Index> link_counts;  ///< reference neighbours of each slot
    std::vector<ReferenceLink> links;

    template <class Visit>
    void for_each_field(Visit&& visit) {
        visit(link_counts, "elastic_link_counts");
        visit(links, "elastic_links");
    }
};

/// Elasticity of the particles that have a slot: forces between reference neighbours that depend on how their neighbourhoods
/// are deformed, after
///
///     Jᵢ = (Σⱼ V̄ⱼ wᵢⱼ xⱼᵢ Xⱼᵢᵀ) Lᵢ,   Lᵢ = (Σⱼ V̄ⱼ wᵢⱼ Xⱼᵢ Xⱼᵢᵀ)⁻¹,   w = −W'/r
///
/// with x now, X in the undeformed state and V̄ the body volume [SSP07, eq. 11].
class ElasticBodies {
public:
    /// `contact_kernel` is the one that weighs density, by which bodies feel others.
    ElasticBodies(const std::vector<Material>& materials, const ElasticMethods& methods,
                  KernelName contact_kernel, double support, int dimensions, double spacing);

    /// Gives every elastic particle a slot, and for reference neighbours the particles of its object within the support.
    void create(const Device& device, ParticleTable& particles, const Neighbours& neighbours);

    /// Takes up a saved state; the particles have their slots.
    void restore(const Device& device, const ParticleTable& particles, const ElasticState& state);
    ElasticState state() const;

    /// Adds the elastic forces of the positions and velocities as they are to `acceleration`.
    void add_forces(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration);

    /// Whether two rows meet as strangers, by pressure: not so reference neighbours, nor particles of one body that have a
    /// reference neighbour in common, which come within reach of each other when their body is compressed.
    struct Strangers {
        Reference reference;
        View<const std::uint32_t> slot;

        bool operator()(Index i, Index j) const {
            const std::uint32_t a = slot[i], b = slot[j];
            return a == no_slot || b == no_slot ||
                   !(reference.linked(a, b) || reference.share_neighbour(a, b));
        }
    };
    Strangers strangers(const ParticleTable& particles) const {
        return {reference_.view(), View<const std::uint32_t>(particles.slot)};
    }

    /// What its own body, undeformed, adds to a slot's compression: V⁰ᵢ W(0) is not part of it.
    View<const float> shares() const { return share_; }

    /// J, of the last forces.
    double energy(const Device& device) const;

    /// The elastic wave limits the step.
    void limit_time_step(TimeStepLimit& limit) const;

    bool empty() const { return reference_.size() == 0; }
    Reference reference() const { return reference_.view(); }
    /// The row of each slot, as of the last forces.
    View<const Index> rows() const { return row_; }

    std::size_t bytes() const;

private:
    /// Lamé's constants, of solids in 3D and of 2D bodies in plane strain.
    struct Constants {
        float lambda, mu;   ///< Pa
        float hourglass;    ///< κ, Pa
        double wave_speed;  ///< m/s
    };

    void resize(Index count);
    /// Weights, volumes and corrections from the reference neighbourhoods.
    void prepare(const Device& device);
    void find_rows(const Device& device, const ParticleTable& particles);

    std::vector<Material> materials_;
    ElasticMethods methods_;
    KernelName contact_kernel_;
    double support_;
    int dimensions_;
    double spacing_;
    std::vector<Constants> constants_;  ///< of each material

    ReferenceNeighbourhoods reference_;
    std::vector<Index> row_;                ///< of each slot
    std::vector<std::uint16_t> material_;   ///< of each slot
    std::vector<Packed4> position_volume_;  ///< x, V̄
    std::vector<Mat3f> correction_;         ///< L
    std::vector<Packed4>
        stress_;  ///< three records a slot: rows of the matrix that pass 2 gathers; w of the first: κ
    std::vector<float> share_;   ///< s⁰
    std::vector<float> energy_;  ///< of each slot, J
};

}  // namespace thixo
