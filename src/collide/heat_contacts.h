#pragma once

#include "collide/walls.h"
#include "sph/heat_contact.h"

namespace thixo {

/// The nearest wall with a temperature of each particle. `exchange` is what Walls::sense_heat adds for it,
/// with the same arguments.
void find_heat_contacts(const Device& device, const Walls& walls, View<const Vec3f> x,
                        View<const std::uint16_t> material, View<const float> conductivity,
                        const HalfSpaceIntegral& integral, View<const float> supports, View<HeatContact> out);

/// Weight of the Laplacian, 1/m², by which a particle `size` times as large as the model's exchanges heat
/// with a wall at the distance d, if matter fills the space between them in layers.
float exchange_by_distance(const Wall& wall, float d, float conductivity, const HalfSpaceIntegral& integral,
                           float size);

}  // namespace thixo
