#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/prefetch.h"
#include "core/view.h"
#include "particles/table.h"

namespace thixo {

// Local connectivity tests: whether rows that leave or join bodies may split or merge them is decided from
// the connections around those rows, without a search through whole bodies. `graph(row, visit)` calls
// visit(other) for every row that a row is connected to. It may also have graph.visit_if(row, holds, visit),
// which does so where holds(other) is true, and graph.prefetch(row), for rows that are visited soon.
// Connections are symmetric.

/// Visits the rows connected to a row for which holds(other) is true.
template <class Graph, class Predicate, class Visit>
void visit_connected_if(const Graph& graph, Index row, const Predicate& holds, const Visit& visit) {
    if constexpr (requires { graph.visit_if(row, holds, visit); }) {
        graph.visit_if(row, holds, visit);
    } else {
        graph(row, [&](Index other) {
            if (holds(other)) visit(other);
        });
    }
}

template <class Graph>
void prefetch_connections(const Graph& graph, Index row) {
    if constexpr (requires { graph.prefetch(row); }) graph.prefetch(row);
}

/// Rows that leave their bodies, group after group.
class LeavingRows {
public:
    explicit LeavingRows(std::size_t rows) : mark_(rows) {}

    /// The numbers of what may be split when these rows leave too, after those that left before. Connected
    /// rows that leave make a hole. If the rows at its rim are connected without them, so is all that was
    /// connected to these. A hole without a rim may have been a whole body.
    template <class Graph>
    std::vector<std::uint32_t> may_split(const Graph& graph, View<const Index> rows,
                                         View<const std::uint32_t> number) {
        for (const Index i : rows) {
            mark_[i] = leaving;
            prefetch_connections(graph, i);
        }
        std::vector<std::uint32_t> out;
        for (const Index i : rows) {
            if (mark_[i] != leaving) continue;
            find_hole(graph, i);
            if (!rim_is_connected(graph) && (out.empty() || out.back() != number[i]))
                out.push_back(number[i]);
        }
        return out;
    }

private:
    /// All rows that leave around a row, and the rim of the hole.
    template <class Graph>
    void find_hole(const Graph& graph, Index row) {
        round_ += 2;
        rim_.clear();
        mark_[row] = gone;
        open_.assign(1, row);
        while (!open_.empty()) {
            visit_connected_if(
                graph, next(), [&](Index other) { return mark_[other] != gone && mark_[other] != round_; },
                [&](Index other) {
                    if (mark_[other] == leaving) {
                        mark_[other] = gone;
                        open_.push_back(other);
                    } else {
                        mark_[other] = round_;
                        rim_.push_back(other);
                        prefetch_connections(graph, other);
                    }
                });
        }
    }
    template <class Graph>
    bool rim_is_connected(const Graph& graph) {
        if (rim_.empty()) return false;
        std::size_t left = rim_.size() - 1;
        mark_[rim_.front()] = round_ + 1;
        open_.assign(1, rim_.front());
        while (left > 0 && !open_.empty()) {
            visit_connected_if(
                graph, next(), [&](Index other) { return mark_[other] == round_; },
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
    /// 0: the row stays; an even round: it was at the rim of that hole; one more: it was reached from there.
    std::vector<std::uint32_t> mark_;
    std::uint32_t round_ = 2;
    std::vector<Index> rim_, open_;  ///< open: reached, connections not visited yet
};

/// Rows that froze beside one body get its number. Rows that are connected to several bodies, or to none, are
/// left to `renumber_bodies`: the numbers of those bodies are added to `may_split`.
template <class Graph>
void join_adjacent_bodies(const Graph& graph, View<const Index> rows, ParticleTable& particles,
                          std::vector<std::uint32_t>& may_split) {
    std::vector<std::uint32_t> around;  // bodies around a row, each of them once
    const auto look_around = [&](Index i) {
        around.clear();
        std::uint32_t last = 0;
        const auto is_new = [&](Index other) {
            return particles.body[other] != 0 && particles.body[other] != last;
        };
        visit_connected_if(graph, i, is_new, [&](Index other) {
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
            if (k + prefetch_ahead < left.size()) prefetch_connections(graph, left[k + prefetch_ahead]);
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
