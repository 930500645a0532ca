#pragma once

#include "core/rotation.h"
#include "core/simd.h"

namespace thixo {

/// Sites handed to a thread at a time: fewer than rows elsewhere, for solids of two thousand particles are to
/// run on two threads.
inline constexpr Index site_grain = 256;

/// Constants of a material's lattice.
struct LatticeConstants {
    float stiffness = 0;      ///< k, N/m
    float damping = 0;        ///< β, N s/m, of each member of a neighbourhood
    float reach2 = 0;         ///< m², within which neighbours hold on to each other
    float docking_rate = 0;   ///< λ_max, 1/s; 0: nothing breaks
    float rate_change = 0;    ///< κ, 1/s²
    float breaking_pull = 0;  ///< N, at which a bond tears; infinite if none does
    float pressed = 0;        ///< ω² of the pressure that keeps the volume, 1/s²
};

/// How the neighbourhoods of eight sites were deformed.
struct SiteBlock {
    Mat3<Lanes> deformation;     ///< A
    Quaternion<Lanes> rotation;  ///< R
};

/// All that the forces on a site need of a neighbour: one cache line.
struct alignas(64) SiteMotion {
    Packed4 position;  ///< x; w: k
    Packed4 rotation;  ///< quaternion of R
    Packed4 velocity;  ///< of the rigid motion of its neighbourhood, at x; w: β
    Packed4 spin;      ///< ω of that motion
};

/// A particle that is assigned to a lattice point but failed to dock has this bit in its number. No particle
/// there: `no_index`. Both are negative as signed numbers.
inline constexpr std::uint32_t failed_draw = 0x80000000;

}  // namespace thixo
