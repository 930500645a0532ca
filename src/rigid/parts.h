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
    std::vector<std::uint32_t> node(particles.size());  // of each of these rows, behind the parts
    for (Index k = 0; k < rows.size(); ++k) node[rows[k]] = last + 1 + k;
    DisjointSets sets(last + 1 + rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Index i = rows[k];
        links.neighbours.prefetch_after(rows, k);
        std::uint32_t last_joined = node[i];  // mostly they are all of one part
        for (const Index j : links.neighbours.of(i)) {
            if (particles.phase[j] != Phase::rigid || (node[j] > 0 && j < i)) continue;  // j looks at i, too
            const std::uint32_t other = particles.part[j] > 0 ? particles.part[j] : node[j];
            if (other == last_joined || !links.within_reach(particles, i, j) || !bonded(i, j)) continue;
            last_joined = other;
            sets.join(node[i], other);
        }
    }
    std::map<std::uint32_t, std::uint32_t> fresh;  // numbers of sets that have none
    for (const Index i : rows) {
        const std::uint32_t set = sets.find(node[i]);
        particles.part[i] =
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
void split_parts(const PartLinks& links, View<const std::uint32_t> suspects, ParticleTable& particles);

}  // namespace thixo
