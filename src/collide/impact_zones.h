#pragma once

#include "collide/contact_pairs.h"
#include "core/launch.h"

namespace thixo {

/// Whether members a and b are on their way to less than the hard distance or, if they are that near already, to less than now.
bool crosses(const ContactState& state, Index a, Index b, const ContactLimits& limits, float dt);

/// Whether the link of a and b, `length` long at rest, is on its way to more than the hard limit or, if it is that long already, to
/// more than now: along its direction, as rigid motion leaves that alone.
bool tears(const ContactState& state, Index a, Index b, float length, const ContactLimits& limits, float dt);

/// Members that would cross each other, or tear a link, move as one rigid body, with their momentum and angular momentum, for the rest of the step
/// (rigid impact zones, Provot 1997; Bridson et al. 2002). Rigid motion changes no distance, and a straight step along it lengthens
/// distances. Zones that would cross others, or tear off them, are joined, so that the rounds end: each leaves fewer zones. Returns the number
/// of members in zones.
Index freeze_zones(const Device& device, const ContactPairs& pairs, ContactState& state,
                   const ContactLimits& limits, float dt);

}  // namespace thixo
