#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "core/launch.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "elastic/body_frames.h"
#include "elastic/body_merge.h"
#include "elastic/elastic_columns.h"
#include "elastic/elastic_energy.h"
#include "elastic/elastic_forces.h"
#include "elastic/elastic_state.h"
#include "elastic/fracture.h"
#include "elastic/linear_elasticity.h"
#include "elastic/reference.h"
#include "elastic/settings.h"
#include "elastic/undeformed_state.h"
#include "particles/cut_plane.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// Elasticity of the particles that have an elastic index: forces between reference neighbours that depend on
/// the deformation of their neighbourhoods. Every model is the same two passes over the links between
/// reference neighbours (`ElasticForces`, [theory](docs/theory/elastic.md)), with quantities that follow from
/// the links alone (`UndeformedState`). Links carry the weight V̄ᵢ V̄ⱼ wᵢⱼ. This type keeps all of them
/// consistent while particles join, leave, and links break.
class ElasticBodies {
public:
    /// `contact_kernel` is the one that weighs density, by which bodies feel others.
    ElasticBodies(const std::vector<Material>& materials, const ElasticMethods& methods,
                  KernelName contact_kernel, double support, int dimensions, double spacing);

    /// Gives every elastic particle an index, and for reference neighbours the particles of its object within
    /// the support.
    void create(const Device& device, ParticleTable& particles, const Neighbours& neighbours);

    /// Whether all that is linked with these rows surely stays connected without them: a local test, which
    /// may say no where it does.
    bool holds_without(const Device& device, const ParticleTable& particles, View<const Index> rows) const;

    /// Particles that melted give back their indices, and their links go. Returns all indices that lost
    /// links.
    std::vector<Index> leave(const Device& device, ParticleTable& particles, View<const Index> rows);

    /// Bodies that are about to be linked, because something freezes between them, need one frame for their
    /// undeformed states: they share links. Where the frames of two differ, the smaller one gets that of the
    /// larger: turning all its reference vectors, and its rotations back, changes no force. Returns the
    /// bodies that were turned. `neighbours` lists all pairs; `rigid_frames` are the rotations of rigid rows.
    FrameTurns unite_frames(const Device& device, const ParticleTable& particles, const BodyMerge& merge,
                            const Neighbours& neighbours, View<const Packed4> rigid_frames);

    /// Rows get indices, if they have none, and for reference neighbours, undeformed as they are now, the
    /// elastic rows within the support that they may be linked with. Returns all indices that may have got
    /// links.
    std::vector<Index> join(const Device& device, ParticleTable& particles, View<const Index> rows,
                            const BodyMerge& merge, const Neighbours& neighbours,
                            View<const Packed4> rigid_frames);

    /// To be called when rows were sorted.
    void locate(const Device& device, const ParticleTable& particles) { columns_.locate(device, particles); }

    /// Makes particles softer than their materials: by `stiffness`, of each row, in 0 … 1.
    void soften(const Device& device, View<const float> stiffness);

    /// Takes up a saved state; the particles have their indices.
    void restore(const Device& device, const ParticleTable& particles, const ElasticState& state);
    ElasticState state() const;
    /// Loading fills `loaded`, which `restore` then takes up.
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        if constexpr (std::is_const_v<Self>) {
            const ElasticState now = self.state();
            visit_state(now, visit);
        } else {
            visit_state(self.loaded_, visit);
        }
    }
    const ElasticState& loaded() const { return loaded_; }
    void restore(const Device& device, const ParticleTable& particles) {
        restore(device, particles, std::exchange(loaded_, {}));
    }

    /// Adds the elastic forces of the positions and velocities as they are to `acceleration`.
    void add_forces(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration);

    /// −(a K + b C) u, N, of small displacements u by elastic index, see `LinearElasticity`.
    void apply_stiffness(const Device& device, double a, double b, View<const Packed4> displacement,
                         View<Vec3f> force);

    /// The first of its two passes. Holds until it is called again.
    LinearResponse respond_linearly(const Device& device, double a, double b,
                                    View<const Packed4> displacement);

    /// Removes the links that are stretched at these positions, or were pulled by the last forces, beyond
    /// what their materials hold. Returns whether any link went: its ends are then a contact pair. Adds the
    /// numbers of bodies that may have split to `may_split`.
    bool break_links(const Device& device, const ParticleTable& particles,
                     std::vector<std::uint32_t>& may_split);

    /// Removes the links that cross a cut, likewise.
    bool cut_links(const Device& device, const ParticleTable& particles, const CutPlane& cut,
                   std::vector<std::uint32_t>& may_split);

    /// Calls visit(row) for the reference neighbours of a row.
    template <class Visit>
    void visit_links(const ParticleTable& particles, Index row, const Visit& visit) const {
        const std::uint32_t s = particles.elastic_index[row];
        if (s == no_index) return;
        reference_.view().for_each_neighbour(s, [&](Index other) { visit(columns_.row[other]); });
    }

    /// To be called some rows before `visit_links`.
    void prefetch_links(const ParticleTable& particles, Index row) const {
        if (const std::uint32_t s = particles.elastic_index[row]; s != no_index)
            reference_.view().prefetch_linked(s);
    }

    /// The interaction filter: whether two rows are a contact pair, which interacts by pressure. Reference
    /// neighbours are not, nor particles of the same body that have a reference neighbour in common, which
    /// come within reach when the body is compressed.
    struct ContactPairs {
        Reference reference;
        View<const std::uint32_t> index, body;

        bool operator()(Index i, Index j) const {
            const std::uint32_t a = index[i], b = index[j];
            return a == no_index || b == no_index || body[i] != body[j] ||
                   !(reference.linked(a, b) || reference.share_neighbour(a, b));
        }
    };
    ContactPairs contact_pairs(const ParticleTable& particles) const {
        return {reference_.view(), View<const std::uint32_t>(particles.elastic_index),
                View<const std::uint32_t>(particles.body)};
    }

    /// Compression of each index by particles of the same body, undeformed; V⁰ᵢ W(0) is not part of it.
    View<const float> contact_sums() const { return undeformed_.contact_sums(); }

    /// Adds the accelerations at the positions as they are, which may be others than those of the last
    /// forces, and leaves the state as it is; returns the energy there.
    ElasticLedger evaluate(const Device& device, const ParticleTable& particles,
                           View<Vec3f> acceleration) const;

    /// J, of the last forces: of the strain, and of deformations that the strain does not see.
    double energy(const Device& device) const;

    /// Acceleration of a row in the last forces, m/s².
    Vec3f acceleration(const ParticleTable& particles, Index row) const;

    /// The CFL condition of elastic waves limits explicit steps; implicit ones may be fifty times as long.
    void limit_time_step(TimeStepLimit& limit) const {
        undeformed_.frequencies().limit_time_step(materials_, integrator_, limit);
    }

    /// The row of an index that no particle has.
    static constexpr Index vacant = vacant_index;

    bool damped() const { return forces_.damped(); }  ///< any material
    bool empty() const { return reference_.size() == 0; }
    Reference reference() const { return reference_.view(); }
    View<const Index> rows() const { return columns_.row; }                    ///< of each index, or `vacant`
    View<const std::uint16_t> materials() const { return columns_.material; }  ///< of each index

    /// Of each index in the last forces, in the undeformed frame, Pa; empty where no material breaks by
    /// stress.
    View<const Sym3f> stresses() const { return forces_.stresses(); }

    /// The links, to remove some or add some; then `refresh`.
    ReferenceNeighbourhoods& links() { return reference_; }
    /// Brings weights, volumes and corrections in line with the links: all of them, or where links of these
    /// indices came or went.
    void refresh(const Device& device);
    void refresh(const Device& device, View<const Index> touched);

    std::size_t bytes() const;

private:
    /// Behind `ReferenceNeighbourhoods::cut`.
    bool follow_cut(const Device& device, const ParticleTable& particles, const std::vector<CutLink>& cut,
                    std::vector<std::uint32_t>& may_split);
    void resize();
    /// Reads what does not change while a particle is elastic.
    void read_particles(const Device& device, const ParticleTable& particles, View<const Index> indices);
    void set_plastic_limits(View<const Index> indices);
    std::vector<Index> take_indices(Index count);
    NewLinks new_links(const Device& device, const ParticleTable& particles, View<const Index> rows,
                       const BodyMerge& merge, const Neighbours& neighbours) const;

    std::vector<Material> materials_;
    ElasticIntegrator integrator_;
    double support_;
    double spacing_;
    bool yields_ = false;  ///< any material

    ElasticColumns columns_;
    ReferenceNeighbourhoods reference_;
    UndeformedState undeformed_;
    ElasticForces forces_;
    LinearElasticity linear_;
    Fracture fracture_;
    ElasticState loaded_;  ///< empty but between loading and `restore`
};

}  // namespace thixo
