#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "particles/table.h"

namespace thixo {

/// What happened to a body.
enum class BodyEvent : std::uint32_t {
    started,   ///< it was there at the start
    froze,     ///< liquid became a body of its own
    came_off,  ///< it was a part of its parent
    merged,    ///< its parent became a part of it
    melted     ///< nothing of it is left
};

/// When something happened.
struct Moment {
    double time = 0;          ///< s
    std::uint64_t frame = 0;  ///< the one that it is first seen in
};

/// An entry in the history of bodies.
struct BodyChange {
    double time;  ///< s
    std::uint64_t frame;
    BodyEvent event;
    std::uint32_t body;
    std::uint32_t parent;  ///< or 0
    std::uint32_t unused = 0;
    std::uint64_t particles;  ///< of the body, after it

    friend bool operator==(const BodyChange&, const BodyChange&) = default;
};

/// All that happened to bodies, in the order of time.
using Lineage = std::vector<BodyChange>;

/// How many bodies there ever were: their numbers run from 1 to it.
std::uint32_t last_body(const Lineage& lineage);

/// Calls `visit` with every row that a row hangs together with.
using Bonds = std::function<void(Index row, const std::function<void(Index)>& visit)>;

/// Numbers the connected parts of what is solid: from 1 in the order of their objects, and within one by their lowest id.
void number_bodies(const Bonds& bonds, ParticleTable& particles, Lineage& lineage);

/// Brings numbers in line with the bonds, where the `may_split`, numbers of bodies, lost or gained some, and gives numbers to solid
/// particles that have none. Of a body that fell apart the part with most particles keeps the number (of equals that with
/// the lowest id), the others are new bodies. Of bodies that became one the largest keeps its number (of equals the lowest one).
void renumber_bodies(const Bonds& bonds, const std::vector<std::uint32_t>& may_split, Moment moment,
                     ParticleTable& particles, Lineage& lineage);

/// How many bodies the particles belong to now.
std::uint64_t count_bodies(const ParticleTable& particles);

}  // namespace thixo
