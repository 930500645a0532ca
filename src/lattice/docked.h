#pragma once

#include "core/simd.h"

namespace thixo {

/// The particles at the lattice points of each site.
struct Docked {
    const std::uint32_t* sites;
    Index lanes;  ///< entries of a site

    const std::uint32_t* of(Index s) const { return sites + std::size_t{s} * lanes; }

    /// The first lattice point of s that is taken by `entry`, or a number beyond all of them.
    Index point(Index s, std::uint32_t entry) const {
        for (Index p = 0; p < lanes; p += lane_count) {
            const unsigned found = bits(load(of(s) + p) == static_cast<std::int32_t>(entry));
            if (found != 0) return p + static_cast<Index>(__builtin_ctz(found));
        }
        return lanes;
    }
};

}  // namespace thixo
