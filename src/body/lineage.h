#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "particles/table.h"

namespace thixo {

/// What happened to a body.
enum class BodyEvent : std::uint32_t {
    started,   ///< it existed at the start
    froze,     ///< liquid became a new body
    came_off,  ///< it was split off from its parent
    merged,    ///< its parent became a part of it
    melted     ///< none of its particles is left
};

/// When something happened.
struct Moment {
    double time = 0;          ///< s
    std::uint64_t frame = 0;  ///< the first frame that shows it
};

/// An entry in the history of bodies.
struct BodyChange {
    double time;  ///< s
    std::uint64_t frame;
    BodyEvent event;
    std::uint32_t body;
    std::uint32_t parent;  ///< or 0
    std::uint32_t unused = 0;
    std::uint64_t particles;     ///< of the body, after the event
    double mass = 0;             ///< kg, of those
    Vec3d center{}, velocity{};  ///< m, m/s, of their centre of mass

    friend bool operator==(const BodyChange&, const BodyChange&) = default;
};

/// The history of all bodies, in the order of time.
using Lineage = std::vector<BodyChange>;

/// How many bodies there ever were: their numbers run from 1 to it.
std::uint32_t last_body(const Lineage& lineage);

/// The graph of solid rows: calls `visit` with every row that a row is connected to.
using Connectivity = std::function<void(Index row, const std::function<void(Index)>& visit)>;

/// Numbers the connected components of the solid rows: from 1 in the order of their objects, and within one
/// object by their lowest id.
void number_bodies(const Connectivity& connectivity, ParticleTable& particles, Lineage& lineage);

/// Brings the numbers in line with the connectivity, where the bodies `may_split` lost or gained connections,
/// and numbers solid rows without a body. Of a body that was split the component with most particles keeps
/// the number (of equals that with the lowest id), the others are new bodies. Of bodies that were merged the
/// largest keeps its number (of equals the lowest one).
void renumber_bodies(const Connectivity& connectivity, const std::vector<std::uint32_t>& may_split,
                     Moment moment, ParticleTable& particles, Lineage& lineage);

/// How many bodies the particles belong to now.
std::uint64_t count_bodies(const ParticleTable& particles);

}  // namespace thixo
