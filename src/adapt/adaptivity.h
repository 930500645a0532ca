#pragma once

#include "adapt/merge.h"
#include "adapt/split.h"

namespace thixo {

/// Spatial adaptivity [DC99, sec. 4]: particles split where the flow needs resolution and merge elsewhere.
class Adaptivity {
public:
    Adaptivity(const AdaptivitySettings& settings, const std::vector<Material>& materials, KernelName kernel,
               double support, int dimensions, double spacing, std::uint64_t seed);

    bool active() const { return active_; }

    /// Whether sizes are updated now, given the step counts before and after a step and the largest motion
    /// `way` per step, in finest supports: before any particle has moved by `far`, but at most every 8th and
    /// at least every 512th step.
    bool may_be_due(std::uint64_t before, std::uint64_t now) const {
        return active_ && before / shortest != now / shortest;
    }
    bool is_due(std::uint64_t before, std::uint64_t now, double way) const {
        std::uint64_t steps = shortest;
        while (steps < longest && 2 * static_cast<double>(steps) * way < far) steps *= 2;
        return active_ && before / steps != now / steps;
    }

    /// Splits and merges. Returns whether rows have changed; neighbour lists are invalid then.
    bool apply(const Device& device, const AdaptState& state, std::uint64_t step, std::uint64_t& next_id);

    const Sizing& sizing() const { return sizing_; }

    /// Whether a particle of this radius (m) is of the finest size.
    bool is_finest(float radius) const { return children_of(sizing_.count_of(sizing_.size(radius))) < 2; }
    /// Size limit, in spacings, that splits every particle that can be split.
    static constexpr float dividing_limit() { return 0.99f / too_large; }

    std::size_t bytes() const { return sizing_.bytes(); }

private:
    /// Steps between two updates of the sizes. No particle moves more than a tenth of a support in a step.
    static constexpr std::uint64_t shortest = 8, longest = 512;
    static constexpr double far = 0.064;  ///< supports
    /// A particle splits above this multiple of its target size. The interval from 1 to here is hysteresis:
    /// without it particles split and merge in turns.
    static constexpr float too_large = 1.5f;

    bool active_;
    std::uint64_t seed_;
    std::vector<Material> materials_;
    Sizing sizing_;
};

}  // namespace thixo
