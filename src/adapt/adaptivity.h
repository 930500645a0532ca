#pragma once

#include "adapt/merge.h"
#include "adapt/split.h"

namespace thixo {

/// Space that adapts [DC99, sec. 4]: particles split where the flow asks for it and merge where it does not.
class Adaptivity {
public:
    Adaptivity(const AdaptivitySettings& settings, const std::vector<Material>& materials,
               const Discretisation& discretisation, std::uint64_t seed);

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

    /// Whether a particle of this radius (m) is as fine as can be.
    bool is_finest(float radius) const { return children_of(sizing_.count_of(sizing_.size(radius))) < 2; }
    /// The limit of the size, in spacings, that divides whatever can be.
    static constexpr float dividing_limit() { return 0.99f / too_large; }

    std::size_t bytes() const { return sizing_.bytes(); }

private:
    /// Steps between two looks. Nothing crosses more than a tenth of a support in a step.
    static constexpr std::uint64_t shortest = 8, longest = 512;
    static constexpr double far = 0.064;  ///< supports
    /// How far a particle is beyond the size that it may have before it is split: between this and 1 it stays as it is, and does not
    /// split and merge in turns.
    static constexpr float too_large = 1.5f;

    bool active_;
    std::uint64_t seed_;
    std::vector<Material> materials_;
    Sizing sizing_;
};

}  // namespace thixo
