#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/disjoint_sets.h"
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

    bool within_reach(const ParticleTable& particles, Index i, Index j) const {
        return norm2(particles.position[j] - particles.position[i]) < static_cast<float>(reach * reach);
    }

    /// Calls visit(row) for the rows within reach.
    template <class Visit>
    void visit_near(const ParticleTable& particles, Index row, const Visit& visit) const {
        for (const Index j : neighbours.of(row)) {
            if (within_reach(particles, row, j)) visit(j);
        }
    }

    /// Calls visit(row) for the rows of the same part within reach.
    template <class Visit>
    void visit(const ParticleTable& particles, Index row, const Visit& visit) const {
        visit_wanted(
            particles, row, [](Index) { return true; }, visit);
    }
    /// Those for which wanted(row) holds.
    template <class Wanted, class Visit>
    void visit_wanted(const ParticleTable& particles, Index row, const Wanted& wanted,
                      const Visit& visit) const {
        if (particles.part[row] == 0) return;
        for (const Index j : neighbours.of(row)) {
            if (wanted(j) && particles.part[j] == particles.part[row] && within_reach(particles, row, j))
                visit(j);
        }
    }
};

/// Numbers the rigid rows at the start: those of an object that hang together are a part.
void number_parts(const PartLinks& links, ParticleTable& particles);

/// The highest number of a part.
std::uint32_t last_part(const ParticleTable& particles);

/// Rigid rows that have no part yet join the parts within reach that they are bonded to, by bonded(row, other), and each other: what
/// meets in them becomes one part.
template <class Bonded>
void join_parts(const PartLinks& links, View<const Index> rows, const Bonded& bonded,
                ParticleTable& particles) {
    const std::uint32_t last = last_part(particles);
    // What each row is in so far: its part, or one of those that begin behind the parts, one with each of these rows; 0 for the others.
    std::vector<std::uint32_t> group(particles.part.begin(), particles.part.end());
    const auto node = [=](std::size_t k) { return static_cast<std::uint32_t>(last + 1 + k); };
    for (std::size_t k = 0; k < rows.size(); ++k) group[rows[k]] = node(k);
    DisjointSets sets(last + 1 + rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Index i = rows[k];
        links.neighbours.prefetch_after(rows, k);
        for (const Index j : links.neighbours.of(i)) {
            // Most are in no part, in the same one, or look at i when it is their turn: one branch for all of them is foreseeable.
            const std::uint32_t other = group[j];
            if ((other == 0) | (other == group[i]) | (other > node(k))) continue;
            if (!links.within_reach(particles, i, j) || !bonded(i, j)) continue;
            sets.join(node(k), other);
            group[i] = other;
        }
    }
    std::map<std::uint32_t, std::uint32_t> fresh;  // numbers of sets that have none
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::uint32_t set = sets.find(node(k));
        particles.part[rows[k]] =
            set <= last
                ? set
                : fresh.emplace(set, static_cast<std::uint32_t>(last + 1 + fresh.size())).first->second;
    }
    bool merged = false;
    for (std::uint32_t part = 1; part <= last; ++part) merged |= sets.find(part) != part;
    if (!merged) return;
    for (std::uint32_t& part : particles.part) {
        if (part <= last) part = sets.find(part);
    }
}

/// Parts that rows have left: of what no longer hangs together the largest piece keeps the number (of equals that with the lowest
/// id), the others are parts of their own.
void split_parts(const PartLinks& links, View<const std::uint32_t> may_split, ParticleTable& particles);

}  // namespace thixo
