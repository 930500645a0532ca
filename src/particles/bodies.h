#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "particles/table.h"

namespace thixo {

/// How a body came to be: it came off another one, or, with parent 0, it was there at the start.
struct BodyOrigin {
    double time;  ///< s
    std::uint32_t parent, child;
    std::uint64_t particles;  ///< of the child, at that time

    friend bool operator==(const BodyOrigin&, const BodyOrigin&) = default;
};

/// All bodies that there ever were, by number: the first entry is that of body 1.
using Lineage = std::vector<BodyOrigin>;

/// Calls `visit` with every row that a row hangs together with.
using Bonds = std::function<void(Index row, const std::function<void(Index)>& visit)>;

/// Numbers the connected parts of what is solid: from 1 in the order of their objects, and within one by their lowest id.
void number_bodies(const Bonds& bonds, ParticleTable& particles, Lineage& lineage);

/// Looks whether the `suspects`, numbers of bodies that lost bonds, still hang together. Of one that does not, the part with
/// most particles keeps the number (of equals that with the lowest id), and the others are new bodies.
void part_bodies(const Bonds& bonds, const std::vector<std::uint32_t>& suspects, double time,
                 ParticleTable& particles, Lineage& lineage);

/// How many bodies the particles belong to now.
std::uint64_t count_bodies(const ParticleTable& particles);

}  // namespace thixo
