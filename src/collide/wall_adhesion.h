#pragma once

#include "collide/walls.h"
#include "sph/wetting.h"

namespace thixo {

/// Cosine of the contact angle of each material on each obstacle; `none` where the pair has no angle.
struct ContactCosines {
    static constexpr float none = 2;

    View<const float> values;  ///< by obstacle, then by material
    std::size_t materials = 0;

    float of(std::uint32_t obstacle, std::uint16_t material) const {
        return values[obstacle * materials + material];
    }
};

/// The walls with a contact angle that liquid particles touch.
void find_wetted_walls(const Device& device, const Walls& walls, View<const Vec3f> x,
                       View<const std::uint16_t> material, const ContactCosines& cosines,
                       const HalfSpaceIntegral& integral, const WallSubjects& of, View<Wetting> out);

}  // namespace thixo
