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
#include "elastic/slot_block.h"
#include "elastic/stiffness_links.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// What elastic bodies remember from one step to the next; saved in checkpoints.
struct ElasticState {
    std::vector<Index> link_counts;  ///< reference neighbours of each slot
    std::vector<ReferenceLink> links;
    std::vector<Packed4> rotations;  ///< quaternion of each slot, where the search for the next one starts
    std::vector<Sym3f> plastic_strains;  ///< of each slot; none where nothing yields
    Lineage lineage;

    template <class Visit>
    void for_each_field(Visit&& visit) {
        visit(link_counts, "elastic_link_counts");
        visit(links, "elastic_links");
        visit(rotations, "elastic_rotations");
        visit(plastic_strains, "elastic_plastic");
        visit(lineage, "lineage");
    }
};

/// Elasticity of the particles that have a slot: forces between reference neighbours that depend on how their neighbourhoods
/// are deformed. Every model is the same two passes over the reference neighbours ([theory](docs/theory/elastic.md)):
///
///     Sᵢ = I + Rᵢᵀ Σⱼ V̄ⱼ wᵢⱼ (xⱼᵢ − Rᵢ Xⱼᵢ) Xⱼᵢᵀ Lᵢ,   Qᵢ = Rᵢ P(Sᵢ) Lᵢ
///     Fᵢ = V̄ᵢ Σⱼ V̄ⱼ wᵢⱼ (Qᵢ + Qⱼ) Xⱼᵢ
///
/// with x now, X in the undeformed state and V̄ the body volume. Links carry the weight V̄ᵢ V̄ⱼ wᵢⱼ.
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

    /// The change of the elastic forces by small displacements u of the slots (x, y, z of a record), around the rotations of the
    /// last forces: −(a K + b C) u with the stiffness K and the damping C of the corotated linear model, both symmetric and
    /// never negative. N, in the order of slots.
    void apply_stiffness(const Device& device, double a, double b, View<const Packed4> displacement,
                         View<Vec3f> force);

    /// The first of its two passes: for those who have more to do with each force. Holds until it is called again.
    LinearResponse respond_linearly(const Device& device, double a, double b,
                                    View<const Packed4> displacement);

    /// Lets go of the links that are stretched at these positions, or were pulled by the last forces, beyond what their
    /// materials hold, and numbers what came off. Returns whether any link went: its ends then meet as strangers.
    bool break_links(const Device& device, ParticleTable& particles, double time);

    const Lineage& lineage() const { return lineage_; }
    Lineage& lineage() { return lineage_; }  ///< for bodies that are not elastic

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

    /// J, of the last forces: of the strain, and of what the strain does not see.
    double energy(const Device& device) const;

    /// Acceleration of a row in the last forces, m/s².
    Vec3f acceleration(const ParticleTable& particles, Index row) const;

    /// The elastic wave limits the step; implicit ones may be fifty times as long.
    void limit_time_step(TimeStepLimit& limit) const;

    bool damped() const { return damped_; }  ///< any of them
    bool empty() const { return reference_.size() == 0; }
    Reference reference() const { return reference_.view(); }
    View<const Index> rows() const { return row_; }                    ///< of each slot
    View<const Packed4> positions() const { return x_; }               ///< of each slot, of the last forces
    View<const std::uint16_t> materials() const { return material_; }  ///< of each slot

    /// Of each slot in the last forces, turned back into the undeformed frame, Pa; empty where no material breaks by stress.
    View<const Sym3f> stresses() const { return stress_; }

    /// The links, for those who take some away or add some; then `refresh`.
    ReferenceNeighbourhoods& links() { return reference_; }
    /// Brings weights, volumes and corrections in line with the links: all of them, or where links of these slots came or went.
    void refresh(const Device& device);
    void refresh(const Device& device, View<const Index> touched);

    std::size_t bytes() const;

private:
    /// What the neighbourhood of a slot is like while it is not deformed.
    struct Neighbourhood {
        Mat3d moment;       ///< M
        Mat3d fit;          ///< M⁺
        int rank = 0;       ///< 3 in solids, 2 in layers, 1 in rods, 0 alone
        double fourth = 0;  ///< Σⱼ V̄ⱼ wᵢⱼ |Xⱼᵢ|⁴
    };

    bool corrects(std::uint16_t material) const;
    bool turns_by_mass(std::uint16_t material) const;

    void read_particles(const Device& device, const ParticleTable& particles);
    void measure_cells();
    void pack(const Device& device, const ParticleTable& particles);

    void weigh_contact(const Device& device, View<const Index> slots);
    void weigh_links(const Device& device, View<const Index> slots);
    void weigh_turns(const Device& device, View<const Index> slots);
    Neighbourhood neighbourhood(Index s) const;
    void describe_slot(Index s, const Neighbourhood& neighbourhood);
    void find_frequencies(const Device& device, View<const Index> slots);
    /// What of the methods is in use.
    void survey_materials();

    void respond(const Device& device);
    void exert(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration) const;

    std::vector<Material> materials_;
    ElasticMethods methods_;
    KernelName contact_kernel_;
    double support_;
    int dimensions_;
    double spacing_;

    ReferenceNeighbourhoods reference_;
    Fracture fracture_;
    Lineage lineage_;
    std::vector<Index> row_;                    ///< of each slot
    std::vector<std::uint16_t> material_;       ///< of each slot
    std::vector<float> mass_, radius_;          ///< of each slot, kg, m
    std::vector<float> cell_;                   ///< space that each slot fills, m³
    std::vector<float> volume_;                 ///< V̄ of each slot, m³
    std::vector<float> share_;                  ///< s⁰ of each slot
    std::vector<float> own_slope_, stiffness_;  ///< of each slot, see find_frequencies
    std::vector<float> frequency_;              ///< bound of the highest one at each slot, 1/s
    std::vector<float> highest_frequency_;      ///< in each material, 1/s

    std::vector<SlotBlock> blocks_;
    std::vector<PlasticBlock> plastic_;  ///< empty where nothing yields
    std::vector<Packed4> rotation_;      ///< quaternions
    bool damped_ = false, turned_by_mass_ = false;

    std::vector<Sym3f> stress_;  ///< where any material breaks by it

    std::vector<Packed4> x_, v_;    ///< of each slot; velocities where anything is damped
    std::vector<Exerted> exerted_;  ///< by each slot in the last forces

    StiffnessLinks stiffness_links_;
    std::vector<Response> response_;  ///< of each slot to the last displacements of the linear operator
};

}  // namespace thixo
