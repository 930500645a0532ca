#pragma once

#include <functional>
#include <vector>

#include "particles/material.h"
#include "particles/table.h"
#include "rigid/contact.h"
#include "rigid/rigid_bodies.h"
#include "sph/neighbours.h"

namespace thixo {

/// Rigid bodies against each other, against particles of elastic bodies and against walls. Surfaces are half
/// a spacing outside of the outermost particles. Where one of two particles lies on a flat part of its body
/// the contact has the normal of that part: along the lines between particles, surfaces would interlock like
/// cobbles.
class RigidContacts {
public:
    RigidContacts(const std::vector<Material>& materials, double spacing, double gravity);

    /// Collects the contact pairs of rigid rows and other solids from the lists, which must hold all pairs:
    /// those that `may_touch`. If only some rows `changed` their phase or cluster since the last call, pairs
    /// are collected again around those.
    void collect(const Device& device, const ParticleTable& particles, const RigidBodies& bodies,
                 const Neighbours& neighbours, const std::function<bool(Index, Index)>& may_touch,
                 const Rows& changed = {});

    /// Changes velocities of bodies and elastic rows, and shifts bodies out of others, so that within dt (s)
    /// nothing enters anything. `at_walls` are contacts of bodies with walls that are near enough. `ease`: by
    /// how much impulses on its rows move an elastic body, as a fraction of what they would move free
    /// particles by, of each body by its number; empty: 1. `again`: what is left after bodies answered the
    /// impulses of the last call; those are remembered, and overlap has been dealt with. `late`: velocities
    /// are those of the end of the step. Bodies that nothing touches, or that bounce, are then moved by −½ a
    /// Δt², so that they fly on parabolas whatever the length of the step.
    void solve(const Device& device, std::vector<Contact> at_walls, double dt, RigidBodies& bodies,
               ParticleTable& particles, View<const float> ease = {}, bool again = false, bool late = false);

    /// Whether a contact matters in a step of dt: n·u is the speed at which it opens (m/s).
    bool counts(double gap, double opening, double dt) const;
    double spacing() const { return spacing_; }

    /// Impulses of the last step, for a warm start of the next; saved in checkpoints.
    const std::vector<ContactMemory>& memory() const { return memory_; }
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("rigid_contacts", self.memory_, StateOrder::listed);
    }

    int iterations() const { return iterations_; }      ///< of the last step
    std::size_t contacts() const { return contacts_; }  ///< of the last step
    std::size_t bytes() const;

private:
    /// A particle of a rigid body, and one of another body.
    struct Pair {
        Index member, row;
        Index other;  ///< member that the row is, or `no_member`: it is elastic
    };

    std::vector<Mover> movers_of(const RigidBodies& bodies) const;
    void find_contacts(const ParticleTable& particles, const RigidBodies& bodies, double dt,
                       View<const float> ease, std::vector<Mover>& movers, std::vector<Contact>& out);

    std::vector<Material> materials_;
    double spacing_;
    double slow_;  ///< m/s, see ContactSettings
    std::vector<Pair> pairs_;
    std::vector<Index> outermost_;     ///< rows of bodies that had other solids in their lists then
    std::vector<Index> elastic_rows_;  ///< of the movers behind the bodies
    std::vector<ContactMemory> memory_;
    int iterations_ = 0;
    std::size_t contacts_ = 0;
};

}  // namespace thixo
