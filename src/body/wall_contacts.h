#pragma once

#include <vector>

#include "collide/walls.h"
#include "particles/material.h"
#include "rigid/rigid_contacts.h"

namespace thixo {

/// Where rigid bodies touch walls, or will within dt (s). The friction is that of the wall, as for all who touch it; of the two
/// restitutions the larger one counts.
std::vector<Contact> contacts_at_walls(const Device& device, const Walls& walls, const RigidBodies& bodies,
                                       const RigidContacts& rules, const std::vector<Material>& materials,
                                       const ParticleTable& particles, double dt);

}  // namespace thixo
