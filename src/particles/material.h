#pragma once

#include <string>

namespace thixo {

/// Constants of a substance while it is liquid.
struct LiquidSettings {
    double sound_speed = 20;  ///< m/s; about ten times the fastest flow keeps compression below 1 %
    double viscosity =
        0.5;  ///< Pa s (dynamic); below about 0.001 ρcH nothing calms the jitter after an impact
    double artificial_viscosity = 0.5;  ///< η of [DC99, eq. 22], dimensionless
    double surface_tension = 0;         ///< N/m, against empty space and against any other material
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
