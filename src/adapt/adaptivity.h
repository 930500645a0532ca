#pragma once

#include "adapt/merge.h"
#include "adapt/split.h"

namespace thixo {

/// Space that adapts [DC99, sec. 4]: particles split where the flow asks for it and merge where it does not.
class Adaptivity {
public:
    Adaptivity(const AdaptivitySettings& settings, const std::vector<Material>& materials, KernelName kernel,
               double support, int dimensions, double spacing, std::uint64_t seed);

    bool active() const { return active_; }

    /// Whether it is time to look, when so many steps have become more and nothing moves more than `way` finest supports in a step:
    /// before anything has gone far, but every eighth step at most, and every 512th at least.
    bool may_be_due(std::uint64_t before, std::uint64_t now) const {
        return active_ && before / shortest != now / shortest;
    }
    bool is_due(std::uint64_t before, std::uint64_t now, double way) const {
        std::uint64_t steps = shortest;
        while (steps < longest && 2 * static_cast<double>(steps) * way < far) steps *= 2;
        return active_ && before / steps != now / steps;
    }

    /// Splits and merges. Returns whether rows have changed: the lists are then no longer those of the table.
    bool apply(const Device& device, const AdaptState& state, std::uint64_t step, std::uint64_t& next_id);

    const Sizing& sizing() const { return sizing_; }
    std::size_t bytes() const { return sizing_.bytes(); }

private:
    /// Steps between two looks. Nothing crosses more than a tenth of a support in a step.
    static constexpr std::uint64_t shortest = 8, longest = 512;
    static constexpr double far = 0.064;  ///< supports

    bool active_;
    std::uint64_t seed_;
    std::vector<Material> materials_;
    Sizing sizing_;
};

}  // namespace thixo
