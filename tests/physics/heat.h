#pragma once

#include "physics/tank.h"
#include "sim/statistics.h"

namespace thixo {

/// Matter that conducts and is otherwise as water, with round numbers: ρ c = 1e6 J/(m³ K).
inline Material conductor(std::string name, double conductivity, double specific_heat = 1000) {
    Material out{.name = std::move(name), .density = 1000};
    out.liquid.sound_speed = 10;
    out.heat.specific_heat = specific_heat;
    out.heat.conductivity = conductivity;
    return out;
}

inline Object at_temperature(Shape shape, std::string material, double temperature,
                             Phase phase = Phase::liquid) {
    Object object{.name = material, .material = material, .phase = phase, .shape = std::move(shape)};
    object.temperature = temperature;
    return object;
}

}  // namespace thixo
