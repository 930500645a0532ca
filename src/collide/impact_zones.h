#pragma once

#include "collide/contact_pairs.h"
#include "core/launch.h"

namespace thixo {

/// Nothing changes the motion of two that are held, so that they are left out: impulses between them would
/// grow without end, and friction would hand the couples of these on to what is linked with them.
inline bool both_held(const ContactState& state, Index a, Index b) {
    return state.velocity[a].w == 0 && state.velocity[b].w == 0;
}

/// Whether members a and b would come closer than the hard distance or, if they already are, closer than now.
bool crosses(const ContactState& state, Index a, Index b, const ContactLimits& limits, float dt);

/// Whether the link of a and b, `length` long at rest, would exceed the hard limit or, if it already does,
/// become longer than now. Measured along its direction, which rigid motion does not change.
bool tears(const ContactState& state, Index a, Index b, float length, const ContactLimits& limits, float dt);

/// Members that would cross each other, or tear a link, move as one rigid body, with their momentum and
/// angular momentum, for the rest of the step (rigid impact zones, Provot 1997; Bridson et al. 2002). Rigid
/// motion changes no distance, and a straight step along it lengthens distances. A zone follows what is held.
/// Zones that would cross others, or tear off them, are merged; each pass leaves fewer zones, so the
/// iteration ends. Returns the number of members in zones.
Index freeze_zones(const Device& device, const ContactPairs& pairs, ContactState& state,
                   const ContactLimits& limits, float dt);

}  // namespace thixo
