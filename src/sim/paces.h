#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "core/view.h"
#include "sph/neighbours.h"

namespace thixo {

/// Who steps when, where particles take steps of their own [DC99, sec. 5]. A block of time, at whose ends all particles are in step, has 2²⁰
/// ticks. A row of the level n takes steps of 2ⁿ ticks, each of which begins at a multiple of its length: so whoever takes longer
/// steps is in step with all who take shorter ones whenever its own ends, and rows of one level are always due together.
class Paces {
public:
    static constexpr int depth = 20;

    /// Begins a block: all rows are due. Some are tied: they take the same steps.
    void begin(Index count, std::vector<std::uint8_t> tied);

    /// Rows whose step has just ended, in ascending order.
    View<const Index> due() const { return due_; }
    /// Whether the tied rows are among them.
    bool tied_are_due() const { return tied_due_; }
    bool any_tied() const { return tied_level_ <= depth; }
    View<const std::uint8_t> tied() const { return tied_; }
    bool ended() const { return tick_ == ticks; }

    /// Shares of the block: how much of it is over, how long the row has been on its way, how long its step is to be.
    double elapsed() const { return share(tick_); }
    double elapsed(Index row) const { return share(tick_ - start_[row]); }
    double length(Index row) const { return share(1u << level_[row]); }
    double tied_length() const { return share(1u << tied_level_); }
    double tied_elapsed() const { return share(tick_ - tied_start_); }
    /// Of all steps that are being taken.
    double shortest() const;
    double longest() const;

    /// Gives the due rows steps no longer than they wish for, in blocks, and than four times those of their neighbours [Saitoh & Makino 2009].
    /// Neighbours whose own are longer than that are woken: their step ends at the next time that allows it.
    void choose(const Device& device, View<const float> wishes, const Neighbours& neighbours);

    /// Goes on to the next tick at which somebody is due, and returns the way there, in blocks.
    double advance();

    /// Rows have changed places, after they came due: row k is the former row order[k].
    void permute(const Device& device, View<const Index> order);

    std::size_t bytes() const;

private:
    static constexpr std::uint32_t ticks = 1u << depth;
    /// Levels that neighbours may be apart: steps within a factor of four.
    static constexpr int reach = 2;

    static double share(std::uint32_t ticks_passed) { return static_cast<double>(ticks_passed) / ticks; }

    int least() const, highest() const;  ///< level that anybody has
    void collect_due();
    void tie();
    void limit(const Neighbours& neighbours);
    void move(const std::array<std::vector<Index>, depth + 1>& lowered);

    std::uint32_t tick_ = 0;
    int most_ = depth;  ///< highest level of those who are due
    std::vector<std::uint8_t> tied_;
    int tied_level_ = depth + 1;  ///< of the tied rows; above all others if there are none
    bool tied_due_ = false;
    std::uint32_t tied_start_ = 0;
    std::vector<std::int8_t> level_;
    std::vector<std::uint32_t> start_;  ///< tick at which each row's step began
    std::vector<Index> due_;
    std::array<std::vector<Index>, depth + 1>
        rows_;  ///< of each level, in ascending order; but for those who are due
};

/// The length of a block (s), at most the longest step that anybody wishes for, in which least is to be done: steps are halves of it and halves of
/// those, and it may be such that nobody falls just short of one.
double best_block(const Device& device, View<const float> wishes, View<const std::uint8_t> tied);

}  // namespace thixo
