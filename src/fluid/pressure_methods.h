#pragma once

#include <array>
#include <memory>

#include "fluid/pressure_law.h"
#include "fluid/pressure_method.h"

namespace thixo {

class PressureSolver;
struct PressureSetup;
using MakePressureSolver = std::unique_ptr<PressureSolver>(const PressureSetup&);

MakePressureSolver make_state_equation, make_tait, make_dfsph;

/// Pressure as a function of the compression.
using PressureLaw = float(const FluidConstants& constants, float s);

template <class Law>
float pressure_by(const FluidConstants& constants, float s) {
    return Law{}(constants, s);
}

/// One line per pressure solver: names and help texts of scene files, the solver itself, and what scenes are
/// checked for.
struct PressureMethodEntry {
    PressureMethod method;
    const char* name;
    const char* help;
    MakePressureSolver* make;
    bool solved;       ///< for in each step, with densities by summation and no pressures below zero
    PressureLaw* law;  ///< where it is solved for: the law by which a start is relaxed
};

inline constexpr std::array pressure_methods{
    PressureMethodEntry{PressureMethod::state_equation, "state_equation",
                        "pressure proportional to the compression, with the material's speed of sound",
                        make_state_equation, false, pressure_by<StateEquation>},
    PressureMethodEntry{PressureMethod::tait, "tait",
                        "Tait's equation: pressure grows with the seventh power of the density; same "
                        "speed of sound at rest",
                        make_tait, false, pressure_by<Tait>},
    PressureMethodEntry{PressureMethod::dfsph, "dfsph",
                        "divergence-free SPH: an incompressible solver; the time step is limited by "
                        "the flow velocity (CFL), not by sound; needs `summation`",
                        make_dfsph, true, pressure_by<StateEquation>}};

constexpr const PressureMethodEntry& entry_of(PressureMethod method) {
    for (const PressureMethodEntry& entry : pressure_methods)
        if (entry.method == method) return entry;
    return pressure_methods.front();
}

}  // namespace thixo
