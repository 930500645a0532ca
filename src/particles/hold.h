#pragma once

#include <optional>
#include <string>
#include <vector>

#include "particles/grab.h"
#include "particles/object.h"
#include "particles/table.h"

namespace thixo {

/// Whom something takes hold of that begins during the run: whoever fits, and is free.
struct Grip {
    std::optional<Shape> region = {};           ///< none: wherever they are
    std::vector<std::uint16_t> objects = {};    ///< numbers, sorted; none: whatever they came from
    std::vector<std::uint16_t> materials = {};  ///< numbers, sorted; none: of any
    bool solids = false;                        ///< no liquids, and no longer those who melt
    bool whole_bodies = false;                  ///< and all that hangs together with them
    bool at_once = false;                       ///< who is there at the start; not who comes later
    double start = 0;                           ///< s
};

/// What holds some particles: a held region of an object, its release, a pause, or a grab.
struct Hold {
    std::string what;  ///< it holds, for messages
    Motion motion;
    double until = end_of_time;     ///< s
    bool launches = false;          ///< lets go with the velocity it found, not with that of the motion
    std::optional<Grip> grip = {};  ///< none: it holds from the start, whoever the table says
};

/// What pauses and grabs refer to, by number.
struct Names {
    std::vector<std::string> objects;  ///< and behind them emitters
    std::vector<std::string> materials;
};

/// The holds of all objects, object by object: its regions in their order, then the pause of one that is
/// released later. Particles refer to them by `hold`, counted from 1.
std::vector<Hold> holds_of(const std::vector<Object>& objects);

/// Those of pauses and grabs, which follow them. Names that there are not are passed over.
Hold hold_of(const Pause& pause, const Names& names);
Hold hold_of(const Grab& grab, const Names& names);

/// How many of them an object has.
std::size_t count_holds(const Object& object);

/// Puts the particles from row `first` on, all of the object's, into its holds, whose numbers begin with
/// `number`. Where regions overlap, the first one holds.
void hold(const Object& object, std::uint16_t number, int dimensions, ParticleTable& particles, Index first);

}  // namespace thixo
