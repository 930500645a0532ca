#pragma once

namespace thixo {

/// In supports: whom a particle that comes or goes means anything to. On a lattice many are just at the support, where they weigh less than
/// the rounding of a sum.
inline constexpr double sight = 0.999;

}  // namespace thixo
