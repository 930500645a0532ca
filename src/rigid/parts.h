#pragma once

#include <cstdint>
#include <functional>

#include "core/view.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// A part is what moves rigidly as one: a body of rigid and elastic matter may have several. The column `part` has its number.
/// Rows of one part that are nearer than `reach` (m) hang together; its shape does not change, so that needs no memory.
/// `neighbours` lists all pairs.
struct PartLinks {
    Neighbours neighbours;
    double reach;

    /// Calls visit(row) for the rows within reach.
    template <class Visit>
    void visit_near(const ParticleTable& particles, Index row, const Visit& visit) const {
        for (const Index j : neighbours.of(row)) {
            if (norm2(to_double(particles.position[j]) - to_double(particles.position[row])) < reach * reach)
                visit(j);
        }
    }

    /// Calls visit(row) for the rows of the same part within reach.
    template <class Visit>
    void visit(const ParticleTable& particles, Index row, const Visit& visit) const {
        if (particles.part[row] == 0) return;
        visit_near(particles, row, [&](Index j) {
            if (particles.part[j] == particles.part[row]) visit(j);
        });
    }
};

/// Numbers the rigid rows at the start: those of an object that hang together are a part.
void number_parts(const PartLinks& links, ParticleTable& particles);

/// Rigid rows that have no part yet join the parts within reach that they are bonded to, and each other: what meets in them becomes
/// one part.
void join_parts(const PartLinks& links, View<const Index> rows,
                const std::function<bool(Index, Index)>& bonded, ParticleTable& particles);

/// Parts that rows have left: of what no longer hangs together the largest piece keeps the number (of equals that with the lowest
/// id), the others are parts of their own.
void split_parts(const PartLinks& links, View<const std::uint32_t> suspects, ParticleTable& particles);

}  // namespace thixo
