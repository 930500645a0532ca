#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/prefetch.h"
#include "core/view.h"
#include "particles/table.h"

namespace thixo {

// Where rows leave bodies and join them: what can be told from the bonds around those rows, without a search through whole bodies.
// `bonds(row, visit)` calls visit(other) for every row that a row hangs together with. There may also be bonds.of_wanted(row, wanted, visit),
// which does so where wanted(other) holds, and bonds.prefetch(row): it will be asked soon. Who hangs together does so from both ends.

/// Visits those whom a row hangs together with for which wanted(other) holds.
template <class Bonds, class Wanted, class Visit>
void visit_wanted(const Bonds& bonds, Index row, const Wanted& wanted, const Visit& visit) {
    if constexpr (requires { bonds.of_wanted(row, wanted, visit); }) {
        bonds.of_wanted(row, wanted, visit);
    } else {
        bonds(row, [&](Index other) {
            if (wanted(other)) visit(other);
        });
    }
}

template <class Bonds>
void prefetch_bonds(const Bonds& bonds, Index row) {
    if constexpr (requires { bonds.prefetch(row); }) bonds.prefetch(row);
}

/// Rows that leave, group after group.
class Leaving {
public:
    explicit Leaving(std::size_t rows) : mark_(rows) {}

    /// The numbers of what may fall apart when these rows leave as well, after those that left before. Rows that hang together leave a
    /// hole: where those around it hang together, so does all that hung on them. Where nobody is around it, nothing may be left.
    template <class Bonds>
    std::vector<std::uint32_t> weak(const Bonds& bonds, View<const Index> rows,
                                    View<const std::uint32_t> number) {
        for (const Index i : rows) {
            mark_[i] = leaving;
            prefetch_bonds(bonds, i);
        }
        std::vector<std::uint32_t> out;
        for (const Index i : rows) {
            if (mark_[i] != leaving) continue;
            find_hole(bonds, i);
            if (!rim_holds(bonds) && (out.empty() || out.back() != number[i])) out.push_back(number[i]);
        }
        return out;
    }

private:
    /// All that leaves around a row, and the rim of the hole.
    template <class Bonds>
    void find_hole(const Bonds& bonds, Index row) {
        round_ += 2;
        rim_.clear();
        mark_[row] = gone;
        open_.assign(1, row);
        while (!open_.empty()) {
            visit_wanted(
                bonds, next(), [&](Index other) { return mark_[other] != gone && mark_[other] != round_; },
                [&](Index other) {
                    if (mark_[other] == leaving) {
                        mark_[other] = gone;
                        open_.push_back(other);
                    } else {
                        mark_[other] = round_;
                        rim_.push_back(other);
                        prefetch_bonds(bonds, other);
                    }
                });
        }
    }
    template <class Bonds>
    bool rim_holds(const Bonds& bonds) {
        if (rim_.empty()) return false;
        std::size_t left = rim_.size() - 1;
        mark_[rim_.front()] = round_ + 1;
        open_.assign(1, rim_.front());
        while (left > 0 && !open_.empty()) {
            visit_wanted(
                bonds, next(), [&](Index other) { return mark_[other] == round_; },
                [&](Index other) {
                    mark_[other] = round_ + 1;
                    --left;
                    open_.push_back(other);
                });
        }
        return left == 0;
    }
    Index next() {
        const Index row = open_.back();
        open_.pop_back();
        return row;
    }

    static constexpr std::uint32_t gone = 1, leaving = 2;
    std::vector<std::uint32_t>
        mark_;  ///< 0: it stays; or the last round in which it was at the rim; one more: it was reached
    std::uint32_t round_ = 2;
    std::vector<Index> rim_, open_;  ///< open: reached, but not asked yet
};

/// Rows that froze beside one body belong to it. Where they hang together with several, or with none, it is for `renumber_bodies`
/// to tell: adds the numbers of those several to `may_split`.
template <class Bonds>
void adopt_rows(const Bonds& bonds, View<const Index> rows, ParticleTable& particles,
                std::vector<std::uint32_t>& may_split) {
    // Those around a row that have a number, each of them once.
    std::vector<std::uint32_t> around;
    const auto look_around = [&](Index i) {
        around.clear();
        std::uint32_t last = 0;
        const auto is_news = [&](Index other) {
            return particles.body[other] != 0 && particles.body[other] != last;
        };
        visit_wanted(bonds, i, is_news, [&](Index other) {
            last = particles.body[other];
            if (std::find(around.begin(), around.end(), last) == around.end()) around.push_back(last);
        });
    };
    std::vector<Index> left(rows.begin(), rows.end());
    for (bool found = true; found;) {
        found = false;
        std::vector<Index> still;
        for (std::size_t k = 0; k < left.size(); ++k) {
            const Index i = left[k];
            if (k + prefetch_ahead < left.size()) prefetch_bonds(bonds, left[k + prefetch_ahead]);
            look_around(i);
            if (around.size() == 1) {
                particles.body[i] = around.front();
                found = true;
            } else {
                still.push_back(i);
            }
        }
        left = std::move(still);
    }
    for (const Index i : left) {
        look_around(i);
        may_split.insert(may_split.end(), around.begin(), around.end());
    }
    std::sort(may_split.begin(), may_split.end());
    may_split.erase(std::unique(may_split.begin(), may_split.end()), may_split.end());
}

}  // namespace thixo
