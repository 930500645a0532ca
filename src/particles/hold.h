#pragma once

#include <string>
#include <vector>

#include "particles/object.h"
#include "particles/table.h"

namespace thixo {

/// What holds some particles of an object: one of its held regions, or its pause.
struct Hold {
    std::string object;  ///< its name
    Motion motion;
    double until = end_of_time;  ///< s
    bool launches = false;       ///< lets go with the velocity of the start, not with that of the motion
};

/// The holds of all objects, object by object: its regions in their order, then the pause of one that is
/// released later. Particles refer to them by `hold`, counted from 1.
std::vector<Hold> holds_of(const std::vector<Object>& objects);

/// How many of them an object has.
std::size_t count_holds(const Object& object);

/// Puts the particles from row `first` on, all of the object's, into its holds, whose numbers begin with
/// `number`. Where regions overlap, the first one holds.
void hold(const Object& object, std::uint16_t number, int dimensions, ParticleTable& particles, Index first);

}  // namespace thixo
