#pragma once

#include <vector>

#include "body/phase_changes.h"
#include "body/solids.h"
#include "collide/body_contact.h"
#include "collide/walls.h"
#include "rigid/rigid_contacts.h"

namespace thixo {

/// Contact of solids with each other and with walls: constraints on the velocities of deformable bodies,
/// impulses between rigid ones. The contact pairs are taken from the neighbour lists.
class SolidContacts {
public:
    SolidContacts(const std::vector<Material>& materials, const Discretisation& discretisation,
                  double gravity);

    /// Collects the pairs of rigid rows and other solids; before pairs of the same body leave the lists. With
    /// `changes` only around the rows that changed, and those that changed their cluster.
    void collect_rigid(const Device& device, const ParticleTable& particles, const Solids& solids,
                       const Neighbours& all, const PhaseChanges* changes);
    /// Collects the pairs of deformable solids; behind that.
    void collect_deformable(const Device& device, const ParticleTable& particles, const Solids& solids,
                            const Neighbours& contact_pairs);

    /// Changes velocities, which pressure acted on for `kick` s, so that deformable bodies do not pass
    /// through each other within dt (s). Returns whether any was changed.
    bool solve_deformable(const Device& device, double kick, double dt, const BodyAnswer& answer,
                          ParticleTable& particles);

    /// The same for rigid bodies, against each other, against elastic rows and walls. `ease`, `again` and
    /// `late`: RigidContacts.
    bool solve_rigid(const Device& device, const Walls& walls, double dt, RigidBodies& bodies,
                     ParticleTable& particles, View<const float> ease, bool again, bool late);

    const BodyContact& deformable() const { return deformable_; }
    const RigidContacts& rigid() const { return rigid_; }
    RigidContacts& rigid() { return rigid_; }
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit_state(self.rigid_, visit);
    }
    std::size_t bytes() const { return deformable_.bytes() + rigid_.bytes() + bytes_of(contact_mass_); }

private:
    std::vector<Material> materials_;
    double spacing_;
    BodyContact deformable_;
    RigidContacts rigid_;
    std::vector<float> contact_mass_;
};

}  // namespace thixo
