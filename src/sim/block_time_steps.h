#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "core/view.h"
#include "sph/neighbours.h"

namespace thixo {

/// Block time steps [DC99, sec. 5]: which particles are active when. A block of time, at whose ends all
/// particles are synchronised, has 2²⁰ ticks. A row of level n takes steps of 2ⁿ ticks, each of which begins
/// at a multiple of its length. A row is active when its step ends. So rows of one level are always active
/// together, and every active row is synchronised with all rows on shorter steps.
class BlockTimeSteps {
public:
    static constexpr int depth = 20;

    /// Begins a block: all rows are active. Rows marked in `synchronised` always take the same steps.
    void begin(Index count, std::vector<std::uint8_t> synchronised);

    /// Rows whose step has just ended, in ascending order.
    View<const Index> active() const { return active_; }
    /// Whether the synchronised rows are among them.
    bool synchronised_are_active() const { return synchronised_active_; }
    bool any_synchronised() const { return synchronised_level_ <= depth; }
    View<const std::uint8_t> synchronised() const { return synchronised_; }
    bool complete() const { return tick_ == ticks; }

    /// Fractions of the block: how much of it has passed, since when a row is on its way, how long its step
    /// is to be.
    double elapsed() const { return fraction(tick_); }
    double elapsed(Index row) const { return fraction(tick_ - start_[row]); }
    double length(Index row) const { return fraction(1u << level_[row]); }
    double synchronised_length() const { return fraction(1u << synchronised_level_); }
    double synchronised_elapsed() const { return fraction(tick_ - synchronised_start_); }
    /// Of all steps that are being taken.
    double shortest() const;
    double longest() const;

    /// Gives the active rows steps no longer than their longest stable ones, `stable` (in blocks), and than
    /// four times those of their neighbours [Saitoh & Makino 2009]. Neighbours whose steps are longer than
    /// that are activated: their step ends at the next time that allows it.
    void choose(const Device& device, View<const float> stable, const Neighbours& neighbours);

    /// Advances to the next tick at which a row is active, and returns the time in between, in blocks.
    double advance();

    /// Arrays with an entry for each row. When rows were sorted, at a time when some are active, `list_rows`
    /// is to follow.
    template <class Visit>
    void visit_rows(const Visit& visit) {
        visit(synchronised_);
        visit(level_);
        visit(start_);
    }
    void list_rows();

    std::size_t bytes() const;

private:
    static constexpr std::uint32_t ticks = 1u << depth;
    /// Levels that neighbours may differ by: steps within a factor of four.
    static constexpr int reach = 2;

    static double fraction(std::uint32_t ticks_passed) { return static_cast<double>(ticks_passed) / ticks; }

    int least() const, highest() const;  ///< level of any row
    void collect_active();
    void synchronise();
    void limit(const Neighbours& neighbours);
    void move(const std::array<std::vector<Index>, depth + 1>& lowered);

    std::uint32_t tick_ = 0;
    int most_ = depth;  ///< highest level of active rows
    std::vector<std::uint8_t> synchronised_;
    int synchronised_level_ = depth + 1;  ///< of the synchronised rows; above all others if there are none
    bool synchronised_active_ = false;
    std::uint32_t synchronised_start_ = 0;
    std::vector<std::int8_t> level_;
    std::vector<std::uint32_t> start_;  ///< tick at which each row's step began
    std::vector<Index> active_;
    /// Rows of each level that are not active, in ascending order.
    std::array<std::vector<Index>, depth + 1> rows_;
};

/// The length of a block (s), at most the longest of all stable steps, with least work per time: steps are
/// halves of it, quarters and so on, and the length decides how many rows fall just short of one of those.
double best_block(const Device& device, View<const float> stable, View<const std::uint8_t> synchronised);

}  // namespace thixo
