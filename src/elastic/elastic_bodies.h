#pragma once

#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "core/quaternion.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "elastic/fracture.h"
#include "elastic/meeting.h"
#include "elastic/places.h"
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

    template <class Visit>
    void for_each_field(Visit&& visit) {
        visit(link_counts, "elastic_link_counts");
        visit(links, "elastic_links");
        visit(rotations, "elastic_rotations");
        visit(plastic_strains, "elastic_plastic");
    }
};

/// By what the frames of bodies, by number, were turned.
using FrameTurns = std::map<std::uint32_t, Mat3d>;

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

    /// Gives every elastic particle a slot, and for reference neighbours the particles of its object within the support.
    void create(const Device& device, ParticleTable& particles, const Neighbours& neighbours);

    /// Whether all that is linked with these rows surely hangs together without them; false where that is not told at a glance.
    bool holds_without(const Device& device, const ParticleTable& particles, View<const Index> rows) const;

    /// Particles that melted give back their slots; those they were linked to forget them. Returns all slots that lost links.
    std::vector<Index> leave(const Device& device, ParticleTable& particles, View<const Index> rows);

    /// Bodies that are about to be linked, because something freezes between them, need one frame for their undeformed states: they
    /// share links. Where the frames of two differ, the smaller one gets that of the larger: turning all its reference vectors, and
    /// its rotations back, changes no force. Returns by what it turned which bodies. `neighbours` lists all pairs; `rigid_frames`
    /// are the rotations of rigid rows.
    FrameTurns unite_frames(const Device& device, const ParticleTable& particles, const Meeting& meeting,
                            const Neighbours& neighbours, View<const Packed4> rigid_frames);

    /// Rows get slots, if they have none, and for reference neighbours, undeformed as they are now, the rows with slots within the
    /// support that they may be linked with. Returns all slots that may have got links.
    std::vector<Index> join(const Device& device, ParticleTable& particles, View<const Index> rows,
                            const Meeting& meeting, const Neighbours& neighbours,
                            View<const Packed4> rigid_frames);

    /// Takes note of where the rows of slots are now; to be called when rows have changed places.
    void locate(const Device& device, const ParticleTable& particles);

    /// Makes slots softer than their materials: by `stiffness`, of each row, in 0 … 1.
    void soften(const Device& device, View<const float> stiffness);

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
    /// materials hold. Returns whether any link went: its ends then meet as strangers. Adds the numbers of bodies that may
    /// have fallen apart to `may_split`.
    bool break_links(const Device& device, const ParticleTable& particles,
                     std::vector<std::uint32_t>& may_split);

    /// Calls visit(row) for the reference neighbours of a row.
    template <class Visit>
    void visit_links(const ParticleTable& particles, Index row, const Visit& visit) const {
        const std::uint32_t s = particles.slot[row];
        if (s == no_slot) return;
        reference_.view().for_each_neighbour(s, [&](Index other) { visit(row_[other]); });
    }

    /// They will be asked for soon.
    void prefetch_links(const ParticleTable& particles, Index row) const {
        if (const std::uint32_t s = particles.slot[row]; s != no_slot) reference_.view().prefetch_linked(s);
    }

    /// Whether two rows meet as strangers, by pressure: not so reference neighbours, nor particles of one body that have a
    /// reference neighbour in common, which come within reach of each other when their body is compressed.
    struct Strangers {
        Reference reference;
        View<const std::uint32_t> slot, body;

        bool operator()(Index i, Index j) const {
            const std::uint32_t a = slot[i], b = slot[j];
            return a == no_slot || b == no_slot || body[i] != body[j] ||
                   !(reference.linked(a, b) || reference.share_neighbour(a, b));
        }
    };
    Strangers strangers(const ParticleTable& particles) const {
        return {reference_.view(), View<const std::uint32_t>(particles.slot),
                View<const std::uint32_t>(particles.body)};
    }

    /// What its own body, undeformed, adds to a slot's compression: V⁰ᵢ W(0) is not part of it.
    View<const float> shares() const { return share_; }

    /// J, of the last forces: of the strain, and of what the strain does not see.
    double energy(const Device& device) const;

    /// Acceleration of a row in the last forces, m/s².
    Vec3f acceleration(const ParticleTable& particles, Index row) const;

    /// The elastic wave limits the step; implicit ones may be fifty times as long.
    void limit_time_step(TimeStepLimit& limit) const;

    /// The row of a slot that nobody has.
    static constexpr Index vacant = std::numeric_limits<Index>::max();

    bool damped() const { return damped_; }  ///< any of them
    bool empty() const { return reference_.size() == 0; }
    Reference reference() const { return reference_.view(); }
    View<const Index> rows() const { return row_; }                    ///< of each slot, or `vacant`
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

    /// What bounds of frequencies take from a slot, see find_frequencies.
    struct StiffnessBound {
        Packed4 diagonal;  ///< of L; w: (λ + 2μ) Σₖ |gᵢₖ|
        Packed4 beside;    ///< yz, xz and xy of L; w: κ
    };

    bool corrects(std::uint16_t material) const;
    bool turns_by_mass(std::uint16_t material) const;

    void resize_slots();
    void read_slots(const Device& device, const ParticleTable& particles, View<const Index> slots);
    void measure_cells(View<const Index> slots);
    std::vector<Index> take_slots(Index count);
    NewLinks new_links(const Device& device, const ParticleTable& particles, View<const Index> rows,
                       const Meeting& meeting, const Neighbours& neighbours) const;
    std::optional<Quaternion<double>> frame_of(const ParticleTable& particles, Index row,
                                               View<const Packed4> rigid_frames) const;
    void turn_frame(View<const Index> slots, const Mat3d& rotation);
    void give_frames(const ParticleTable& particles, View<const Index> newcomers,
                     const Neighbours& neighbours, View<const Packed4> rigid_frames);
    void pack(const Device& device, const ParticleTable& particles);
    Places places() const { return {x_.data()}; }

    void weigh_contact(const Device& device, View<const Index> slots);
    std::vector<std::uint8_t> measure_volumes(const Device& device, View<const Index> slots);
    /// Weighs links of a slot that are new, and those with slots that are `resized`; none are if that is empty.
    template <class Kernel>
    void weigh_links(const Kernel& kernel, Index s, View<const std::uint8_t> resized);
    void weigh_turns(const Device& device, View<const Index> slots);
    Neighbourhood neighbourhood(Index s) const;
    Mat3d mass_moment(Index s) const;
    void describe_slot(Index s, const Neighbourhood& neighbourhood);
    void bound_stiffness(Index s);
    void find_frequencies(const Device& device, View<const Index> slots);
    void set_limits(View<const Index> slots);
    void apply_softness(Index s);

    /// The rotation of each body, for which that of its first slot is taken.
    std::vector<Mat3f> body_rotations() const;
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
    std::vector<Index> row_;                ///< of each slot, or `vacant`
    std::vector<std::uint16_t> material_;   ///< of each slot
    std::vector<float> mass_, radius_;      ///< of each slot, kg, m
    std::vector<float> contact_volume_;     ///< V⁰ of each slot, m³
    std::vector<float> cell_;               ///< space that each slot fills, m³
    std::vector<float> volume_;             ///< V̄ of each slot, m³
    std::vector<float> share_;              ///< s⁰ of each slot
    std::vector<StiffnessBound> bounds_;    ///< of each slot
    std::vector<float> own_bound_;          ///< what each slot adds to the bound of its own frequency, N/m
    std::vector<float> frequency_;          ///< bound of the highest one at each slot, 1/s
    std::vector<float> highest_frequency_;  ///< in each material, 1/s

    std::vector<SlotBlock> blocks_;
    std::vector<float> softness_;  ///< E of each slot in that of its material; empty while all are 1
    std::vector<Packed4> full_;    ///< λ, μ and κ of each slot at full stiffness, 2/d of a body; likewise
    std::vector<Sym3<Lanes>>
        mass_moment_;  ///< Σⱼ mⱼ W Xⱼᵢ Xⱼᵢᵀ, of eight slots each; where rotations are those of it
    std::vector<PlasticBlock> plastic_;                              ///< empty where nothing yields
    std::vector<Packed4> rotation_;                                  ///< quaternions
    bool damped_ = false, turned_by_mass_ = false, yields_ = false;  ///< any material

    std::vector<Sym3f> stress_;  ///< where any material breaks by it

    std::vector<Place> x_;             ///< of each slot
    std::vector<Packed4> v_;           ///< of each slot, where anything is damped
    std::vector<std::uint32_t> body_;  ///< of each slot
    std::vector<Mat3f> turn_;          ///< how each body is turned, about
    std::vector<Exerted> exerted_;     ///< by each slot in the last forces

    StiffnessLinks stiffness_links_;
    std::vector<Response> response_;  ///< of each slot to the last displacements of the linear operator
};

}  // namespace thixo
