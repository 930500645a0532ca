#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thixo/particles/look.h"

namespace thixo {

/// A viscosity that was measured at a temperature.
struct ViscosityPoint {
    double temperature = 20;  ///< °C
    double viscosity = 0.5;   ///< Pa s
};

/// Factors on constants that make slow processes visible and stiff matter affordable. They change the
/// physics, so they are kept apart from the constants.
struct Scale {
    double heat = 1;       ///< on conduction and on all exchange of heat: how much faster it goes
    double stiffness = 1;  ///< on Young's modulus and on the stress at which matter breaks
    double viscosity = 1;
    bool applied = false;  ///< the constants are scaled already

    bool acts() const { return heat != 1 || stiffness != 1 || viscosity != 1; }
};

/// Constants of a substance while it is liquid.
struct LiquidSettings {
    double sound_speed = 20;  ///< m/s; about ten times the fastest flow keeps compression below 1 %
    double viscosity =
        0.5;  ///< Pa s (dynamic); below about 0.001 ρcH nothing calms the jitter after an impact
    double artificial_viscosity = 0.5;  ///< η of [DC99, eq. 22], dimensionless
    double surface_tension = 0;         ///< N/m, against empty space and against any other material
    std::vector<ViscosityPoint> viscosity_table =
        {};  ///< by rising temperature; if any, instead of `viscosity`
};

/// How stress follows from the deformation of a neighbourhood.
enum class SolidModel { corrected, corotated, mls, green, lattice };
enum class StrainMeasure { linear, green };

/// What matter that melts is below its freezing point; between that and the melting point it is elastic.
enum class ColdState { elastic, rigid };

/// Constants of a substance while it is elastic or rigid.
struct SolidSettings {
    ColdState cold = ColdState::elastic;
    SolidModel model = SolidModel::corrected;
    StrainMeasure strain = StrainMeasure::linear;
    double young_modulus = 1e5;  ///< E, Pa
    double poisson_ratio = 0.3;  ///< ν
    double hourglass = 0.7;      ///< strength of what resists deformations that the strain does not see, in E
    double bending = 0;  ///< of single layers and rods, in the stiffness of a plate or beam one spacing thick
    double damping = 0;  ///< s; stress by the rate of strain, as a multiple of that by the strain
    double elastic_limit = 0;  ///< deviatoric strain beyond which it yields; 0: it does not
    double plastic_limit = 0;  ///< plastic strain at which it stops yielding; 0: it does not stop
    double friction = 0.3;     ///< μ of Coulomb's friction on other bodies, whose own counts as much
    double break_strain = 0;   ///< stretch at which neighbours let go; 0: they do not
    double break_stress = 0;   ///< Pa, tension at which neighbours let go; 0: they do not
    double reach =
        0;  ///< how far lattice neighbours hold on to each other, in spacings; 0: 1.5 in 2D, 1.3 in 3D
    double docking_rate = 0;  ///< λ_max, 1/s, of lattice neighbours; 0: they dock at once and nothing cracks
    double docking_time = 0;  ///< s in which the rate of a lost neighbour falls from λ_max to 0; 0: 20 steps
    double restitution = 0;  ///< fraction of the normal speed that a rigid body keeps when it bounces, 0 to 1
};

/// Whether matter changes its phase as soon as its temperature says so, or by chance.
enum class PhaseTransition { sudden, stochastic };

struct HeatSettings {
    double specific_heat = 4186;        ///< c, J/(kg K)
    double conductivity = 0;            ///< k, W/(m K); 0: it does not conduct, unless `diffusivity` says so
    double diffusivity = 0;             ///< m²/s, instead of the conductivity
    double expansion = 0;               ///< β, 1/K, thermal expansion of the liquid
    double reference_temperature = 20;  ///< °C at which it has its density
    double latent_heat = 0;             ///< L, J/kg, taken up between the points of freezing and melting
    std::optional<double> melting_point = {};   ///< °C; none: it never melts
    std::optional<double> freezing_point = {};  ///< °C, at most the melting point; none: the same
    PhaseTransition transition = PhaseTransition::sudden;
    double melting_rate = 1;      ///< κ_m, 1/(s K), of stochastic transitions
    double freezing_rate = 1;     ///< κ_f, 1/(s K), for each solid neighbour
    int freezing_neighbours = 0;  ///< n₀, solid neighbours without which nothing freezes
    double freezing_speed =
        0;  ///< u, m/s, past solid neighbours that halves the rate; 0: motion does not matter
};

struct Material {
    std::string name = {};
    double density = 1000;  ///< kg/m³ at rest
    LiquidSettings liquid = {};
    SolidSettings solid = {};
    HeatSettings heat = {};
    MaterialLook look = {};
    Scale scale = {};
};

}  // namespace thixo
