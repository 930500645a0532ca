#pragma once

#include "core/vec.h"

namespace thixo {

/// The nearest wall with a temperature that a particle's kernel reaches.
struct HeatContact {
    Vec3f normal{};         ///< into the matter
    float distance = 0;     ///< m
    float size = 0;         ///< of the particle, in those of the model; 0: no such wall
    float resistance = 0;   ///< m² K/W, of the contact
    float temperature = 0;  ///< °C
    float exchange = 0;     ///< what WallHeat::exchange contains for it, 1/m²
};

}  // namespace thixo
