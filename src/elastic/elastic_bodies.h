#pragma once

#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "elastic/bodies.h"
#include "elastic/fracture.h"
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
    Lineage lineage;

    template <class Visit>
    void for_each_field(Visit&& visit) {
        visit(link_counts, "elastic_link_counts");
        visit(links, "elastic_links");
        visit(lineage, "lineage");
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

    /// Gives every elastic particle a slot, for reference neighbours the particles of its object within the support, and the
    /// number of its body.
    void create(const Device& device, ParticleTable& particles, const Neighbours& neighbours);

    /// Takes up a saved state; the particles have their slots.
    void restore(const Device& device, const ParticleTable& particles, const ElasticState& state);
    ElasticState state() const;

    /// Adds the elastic forces of the positions and velocities as they are to `acceleration`.
    void add_forces(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration);

    /// The change of the elastic forces by small displacements of the slots (x, y, z of a record), with all rotations as they were
    /// in the last forces: −(a K + b C) u with the stiffness K and the damping C of the corotated linear model, symmetric
    /// and negative. N, in the order of slots.
    void apply_stiffness(const Device& device, double a, double b, View<const Packed4> displacement,
                         View<Vec3f> force);

    /// Lets go of the links that are stretched at these positions, or were pulled by the last forces, beyond what their
    /// materials hold, and numbers what came off. Returns whether any link went: the rows then meet others as strangers.
    bool break_links(const Device& device, ParticleTable& particles, double time);

    const Lineage& lineage() const { return lineage_; }

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
    View<const Index> rows() const { return row_; }  ///< of each slot

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
    /// The same but weights, for some of the slots.
    void refresh(const Device& device, View<const Index> slots);
    void find_rows(const Device& device, const ParticleTable& particles);

    std::vector<Material> materials_;
    ElasticMethods methods_;
    KernelName contact_kernel_;
    double support_;
    int dimensions_;
    double spacing_;
    std::vector<Constants> constants_;  ///< of each material

    ReferenceNeighbourhoods reference_;
    Fracture fracture_;
    Lineage lineage_;
    std::vector<Index> row_;                ///< of each slot
    std::vector<std::uint16_t> material_;   ///< of each slot
    std::vector<Packed4> position_volume_;  ///< x, V̄
    std::vector<Mat3f> correction_;         ///< L
    std::vector<Mat3f> rotation_;
    std::vector<Packed4> response_;
    std::vector<Packed4>
        stress_;  ///< three records a slot: rows of the matrix that pass 2 gathers; w of the first: κ
    std::vector<float> share_;   ///< s⁰
    std::vector<float> energy_;  ///< of each slot, J
};

}  // namespace thixo
