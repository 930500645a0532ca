#pragma once

#include <optional>
#include <string>
#include <vector>

#include "particles/grab.h"
#include "particles/object.h"
#include "particles/table.h"

namespace thixo {

/// Which particles become kinematic during the run: those that fit, and are not kinematic yet.
struct Grip {
    std::optional<Shape> region = {};           ///< none: everywhere
    std::vector<std::uint16_t> objects = {};    ///< numbers, sorted; none: of all objects
    std::vector<std::uint16_t> materials = {};  ///< numbers, sorted; none: of all materials
    bool solids = false;                        ///< no liquids; released when they melt
    bool whole_bodies = false;                  ///< and all particles of their bodies
    bool at_once = false;  ///< particles that are there at the start; not those that come later
    double start = 0;      ///< s
};

/// A prescribed motion of some particles: a kinematic region of an object, its release, a pause, or a grab.
struct Hold {
    std::string what;  ///< for messages
    Motion motion;
    double until = end_of_time;     ///< s
    bool launches = false;          ///< releases with the velocity before it, not with that of the motion
    std::optional<Grip> grip = {};  ///< none: from the start, for rows with its number
};

/// What pauses and grabs refer to, by number.
struct Names {
    std::vector<std::string> objects;  ///< and behind them emitters
    std::vector<std::string> materials;
};

/// The holds of all objects, object by object: its regions in their order, then the pause of one that is
/// released later. Particles refer to them by `kinematic_id`, counted from 1.
std::vector<Hold> holds_of(const std::vector<Object>& objects);

/// Those of pauses and grabs, which follow them. Unknown names are ignored.
Hold hold_of(const Pause& pause, const Names& names);
Hold hold_of(const Grab& grab, const Names& names);

/// How many of them an object has.
std::size_t count_holds(const Object& object);

/// Puts the particles from row `first` on, all of the object's, into its holds, whose numbers begin with
/// `number`. Where regions overlap, the first one applies.
void hold(const Object& object, std::uint16_t number, int dimensions, ParticleTable& particles, Index first);

}  // namespace thixo
