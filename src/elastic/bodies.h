#pragma once

#include <cstdint>
#include <vector>

#include "elastic/reference.h"
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

/// Numbers the connected parts of what reference links join: from 1 in the order of their objects, and within one by
/// their lowest id. `row` is the row of each slot.
void number_bodies(const Reference& reference, View<const Index> row, ParticleTable& particles,
                   Lineage& lineage);

/// Looks whether the `suspects`, numbers of bodies that lost links, still hang together. Of one that does not, the part with
/// most particles keeps the number (of equals that with the lowest id), and the others are new bodies.
void part_bodies(const Reference& reference, View<const Index> row,
                 const std::vector<std::uint32_t>& suspects, double time, ParticleTable& particles,
                 Lineage& lineage);

/// How many bodies the particles belong to now.
std::uint64_t count_bodies(const ParticleTable& particles);

}  // namespace thixo
