#pragma once

#include <optional>

namespace thixo {

/// Adaptive particle sizes of liquids.
struct AdaptivitySettings {
    double coarsest = 1;  ///< size of the largest particles, in spacings; 1: no adaptivity
    double detail = 0.5;  ///< 0 coarse to 1 fine: sets the thresholds and the gradient of sizes
    std::optional<double> surface = {};   ///< size at calm free surfaces, in spacings
    std::optional<double> refine = {};    ///< Δ of [DC99, eq. 12], in the mass of the finest particle
    std::optional<double> simplify = {};  ///< δ of [DC99, eq. 13], likewise

    bool active() const { return coarsest > 1; }
};

}  // namespace thixo
