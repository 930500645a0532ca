#pragma once

#include <vector>

#include "collide/walls.h"
#include "particles/material.h"
#include "rigid/rigid_contacts.h"

namespace thixo {

/// Contacts of rigid bodies with walls, now or within dt (s). The friction is that of the wall, as for all matter that touches
/// it; of the two restitutions the larger one counts.
std::vector<Contact> contacts_at_walls(const Device& device, const Walls& walls, const RigidBodies& bodies,
                                       const RigidContacts& rules, const std::vector<Material>& materials,
                                       const ParticleTable& particles, double dt);

}  // namespace thixo
