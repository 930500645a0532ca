#pragma once

#include <vector>

#include "particles/object.h"
#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

/// What a body itself adds to the sum of its particle, as in the run: for lattice solids V⁰W(0) + (1 −
/// V⁰W(0)) n/z by the `near` nearest lattice points that are taken, for other bodies the kernel sum over
/// their undeformed state up to rest. `self` is V⁰W(0), `sum` with the rest of the body.
float own_sum(const Model& model, std::uint16_t material, Phase phase, float self, float sum, int near);

/// Pairs closer than this, in spacings, are nearest neighbours on the lattice of a lattice solid.
inline constexpr float nearest_neighbours = 1.25f;

/// Lowers elastic and lattice solids that lie on obstacles or on each other, each as one along gravity, until
/// the pressure of their contacts carries their weight: what merely touches has none, falls by hundredths of
/// a spacing and bounces. In liquids the weight is what buoyancy leaves of it. Solids that nothing carries,
/// that are held, released later or start with a velocity stay where they are. Returns which objects are
/// carried.
std::vector<bool> load_contacts(const Model& model, const std::vector<Object>& objects,
                                ParticleTable& particles, const Device& device = {});

}  // namespace thixo
