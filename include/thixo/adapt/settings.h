#pragma once

#include <optional>

namespace thixo {

/// Where liquids are made of fewer, larger particles.
struct AdaptivitySettings {
    double coarsest =
        1;  ///< size of the largest particles, in spacings; 1: all keep the size they were sampled with
    double detail =
        0.5;  ///< 0 coarse to 1 fine: sets the thresholds, and how fast particles grow with the depth
    std::optional<double> surface = {};   ///< size at calm free surfaces, in spacings
    std::optional<double> refine = {};    ///< Δ of [DC99, eq. 12], in the mass of the finest particle
    std::optional<double> simplify = {};  ///< δ of [DC99, eq. 13], likewise

    bool active() const { return coarsest > 1; }
};

}  // namespace thixo
