#pragma once

namespace thixo {

/// Radius, in supports, within which a particle that is added or removed affects others. On a lattice many
/// neighbours lie at the support radius itself, where their kernel weight is below the rounding of a sum.
inline constexpr double influence_radius = 0.999;

}  // namespace thixo
