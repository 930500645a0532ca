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

/// How stress follows from the deformation of a neighbourhood.
enum class SolidModel { corrected, corotated, mls, green };
enum class StrainMeasure { linear, green };

/// Constants of a substance while it is elastic or rigid.
struct SolidSettings {
    SolidModel model = SolidModel::corrected;
    StrainMeasure strain = StrainMeasure::linear;
    double young_modulus = 1e5;  ///< E, Pa
    double poisson_ratio = 0.3;  ///< ν
    double hourglass = 0.7;      ///< strength of what resists deformations that the strain does not see, in E
    double bending = 0;  ///< of single layers and rods, in the stiffness of a plate or beam one spacing thick
    double damping = 0;  ///< s; stress by the rate of strain, as a multiple of that by the strain
    double elastic_limit = 0;  ///< deviatoric strain beyond which it yields; 0: it does not
    double plastic_limit = 0;  ///< plastic strain at which it stops yielding; 0: it does not stop
    double break_strain = 0;   ///< stretch at which neighbours let go; 0: they do not
    double break_stress = 0;   ///< Pa, tension at which neighbours let go; 0: they do not
    double friction = 0.3;     ///< Coulomb coefficient against other solids
    double restitution = 0;    ///< share of the normal speed that a rigid body keeps when it bounces, 0 to 1
};

struct HeatSettings {
    double specific_heat = 4186;  ///< J/(kg K)
};

struct Material {
    std::string name;
    double density = 1000;  ///< kg/m³ at rest
    LiquidSettings liquid;
    SolidSettings solid;
    HeatSettings heat;
};

}  // namespace thixo
