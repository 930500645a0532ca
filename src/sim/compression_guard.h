#pragma once

#include <string>

#include "sim/statistics.h"

namespace thixo {

/// Watches the compression of liquids and of deformable solids, the mean of max(0, ρ/ρ₀ − 1) over their
/// particles. All methods are made for a few per cent of it: what is squeezed far beyond that has layers of
/// particles on top of each other, and its motion means nothing. Solids may be soft, so that they are stopped
/// later; where a person has done something to the run (its events), they are only warned of.
class CompressionGuard {
public:
    static constexpr double warning = 0.1;  ///< ten times what scenes are laid out for
    static constexpr double stop = 0.5;     ///< two thirds of the volume are left
    static constexpr double solid_warning =
        0.25;                                ///< jelly that lands is compressed by half of that for a moment
    static constexpr double solid_stop = 1;  ///< half of the volume is left

    /// A line of warning when compression is beyond its bound, and again whenever it has doubled; else empty.
    /// Throws RunError with the cause where the compression is beyond all bounds.
    std::string check(const Simulation& simulation, const Statistics& statistics);

private:
    double warned_ = 0, warned_of_solids_ = 0;
};

}  // namespace thixo
