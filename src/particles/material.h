#pragma once

#include <string>

namespace thixo {

/// Constants of a substance while it is liquid.
struct LiquidSettings {
    double sound_speed = 20;  ///< m/s; about ten times the fastest flow keeps compression below 1 %
    double viscosity =
        0.5;  ///< Pa s (dynamic); below about 0.001 ρcH nothing calms the jitter after an impact
};

struct HeatSettings {
    double specific_heat = 4186;  ///< J/(kg K)
};

struct Material {
    std::string name;
    double density = 1000;  ///< kg/m³ at rest
    LiquidSettings liquid;
    HeatSettings heat;
};

}  // namespace thixo
