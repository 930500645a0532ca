#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "particles/table.h"

namespace thixo {

// Where rows leave bodies and join them: what can be told from the bonds around those rows, without a search through whole bodies.
// `bonds(row, visit)` calls visit(other) for every row that a row hangs together with; bonds.near(a, b), where there is such a function,
// tells whether two rows do that hang together with the same one; bonds.any(row, wanted), likewise, whether wanted(other) holds for any of a
// row's. Who hangs together does so from both ends.

/// Looks whether what hangs on a row hangs together without it. Each thread has one of its own.
class Seam {
public:
    explicit Seam(View<const Vec3f> position) : position_(position), mark_(position.size()) {}

    /// Apart from rows for which gone(row) holds. Where nothing else hangs on it: no.
    template <class Bonds, class Gone>
    bool holds_without(const Bonds& bonds, Index row, const Gone& gone) {
        round_ += 2;
        left_.clear();
        reached_.clear();
        Vec3f middle{};
        bonds(row, [&](Index other) {
            if (mark_[other] == round_ || gone(other)) return;
            mark_[other] = round_;
            left_.push_back(other);
            middle += position_[other];
        });
        if (left_.empty()) return false;
        // Who is in the midst of them reaches most at once. The others ask around until they meet somebody who was reached, which is
        // soon.
        reach_from_midst(bonds, middle / static_cast<float>(left_.size()));
        for (std::size_t before = left_.size() + 1; !left_.empty() && left_.size() < before;) {
            before = left_.size();
            std::erase_if(left_, [&](Index other) {
                const bool found = hangs_on_reached(bonds, other);
                if (found) reach(other);
                return found;
            });
        }
        return left_.empty();
    }

private:
    void reach(Index row) {
        mark_[row] = round_ + 1;
        reached_.push_back(row);
    }
    template <class Bonds>
    void reach_from_midst(const Bonds& bonds, const Vec3f& middle) {
        Index first = left_.front();
        float nearest = norm2(position_[first] - middle);
        for (const Index other : left_) {
            const float distance = norm2(position_[other] - middle);
            if (!(distance < nearest)) continue;
            first = other;
            nearest = distance;
        }
        reach(first);
        if constexpr (!requires { bonds.near(first, first); }) {
            bonds(first, [&](Index other) {
                if (mark_[other] == round_) reach(other);
            });
        }
        std::erase_if(left_, [&](Index other) { return mark_[other] != round_; });
    }
    template <class Bonds>
    bool hangs_on_reached(const Bonds& bonds, Index row) const {
        const auto is_reached = [&](Index other) { return mark_[other] == round_ + 1; };
        if constexpr (requires { bonds.near(row, row); }) {
            return std::any_of(reached_.begin(), reached_.end(),
                               [&](Index other) { return bonds.near(row, other); });
        } else if constexpr (requires { bonds.any(row, is_reached); }) {
            return bonds.any(row, is_reached);
        } else {
            bool found = false;
            bonds(row, [&](Index other) { found = found || is_reached(other); });
            return found;
        }
    }

    View<const Vec3f> position_;
    std::vector<std::uint32_t> mark_;  ///< the last round in which a row was to be reached; one more: it was
    std::uint32_t round_ = 0;
    std::vector<Index> left_, reached_;
};

/// Rows that leave, one after the other.
class Leaving {
public:
    explicit Leaving(View<const Vec3f> position) : position_(position), order_(position.size()) {}

    /// The numbers of what may fall apart when these rows leave as well, after those that left before: where what hangs on a row does
    /// not hang together around it without it, or nothing does.
    template <class Bonds>
    std::vector<std::uint32_t> weak(const Device& device, const Bonds& bonds, View<const Index> rows,
                                    View<const std::uint32_t> number) {
        if (rows.empty()) return {};
        const std::uint32_t first = last_ + 1;
        for (const Index i : rows) order_[i] = ++last_;
        std::vector<std::uint8_t> holds(rows.size());
#pragma omp parallel num_threads(device.threads) if (rows.size() > small_grain)
        {
            Seam seam(position_);
#pragma omp for schedule(dynamic, small_grain)
            for (std::int64_t k = 0; k < static_cast<std::int64_t>(rows.size()); ++k) {
                const std::uint32_t now = first + static_cast<std::uint32_t>(k);
                const auto gone = [&](Index other) { return order_[other] > 0 && order_[other] <= now; };
                const auto row = static_cast<std::size_t>(k);
                if constexpr (requires { bonds.prefetch_after(rows, row); }) bonds.prefetch_after(rows, row);
                holds[row] = seam.holds_without(bonds, rows[row], gone) ? 1 : 0;
            }
        }
        std::vector<std::uint32_t> out;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (!holds[k] && (out.empty() || out.back() != number[rows[k]])) out.push_back(number[rows[k]]);
        }
        return out;
    }

private:
    View<const Vec3f> position_;
    std::vector<std::uint32_t> order_;  ///< in which each row leaves, from 1 on; 0: it stays
    std::uint32_t last_ = 0;
};

/// Rows that froze beside one body belong to it. Where they hang together with several, or with none, it is for `renumber_bodies`
/// to tell: adds the numbers of those several to `suspects`.
template <class Bonds>
void adopt_rows(const Bonds& bonds, View<const Index> rows, ParticleTable& particles,
                std::vector<std::uint32_t>& suspects) {
    // Those around a row that have a number, each of them once.
    std::vector<std::uint32_t> around;
    const auto look_around = [&](Index i) {
        around.clear();
        std::uint32_t last = 0;
        bonds(i, [&](Index other) {
            const std::uint32_t number = particles.body[other];
            if (number == last) return;
            last = number;
            if (number != 0 && std::find(around.begin(), around.end(), number) == around.end())
                around.push_back(number);
        });
    };
    std::vector<Index> left(rows.begin(), rows.end());
    for (bool found = true; found;) {
        found = false;
        std::vector<Index> still;
        for (const Index i : left) {
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
        suspects.insert(suspects.end(), around.begin(), around.end());
    }
    std::sort(suspects.begin(), suspects.end());
    suspects.erase(std::unique(suspects.begin(), suspects.end()), suspects.end());
}

}  // namespace thixo
