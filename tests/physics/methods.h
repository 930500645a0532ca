#pragma once

#include "sim/model.h"

namespace thixo {

/// One way to compute a fluid.
struct Method {
    const char* name;
    PressureMethod pressure;
    DensityMethod density = DensityMethod::summation;
    ViscosityMethod viscosity = ViscosityMethod::laplacian;

    bool incompressible() const { return pressure == PressureMethod::dfsph; }
    void choose(SolverSettings& solver) const {
        solver.pressure = pressure;
        solver.density = density;
        solver.viscosity = viscosity;
    }
};

inline constexpr Method methods[] = {
    {"state_equation", PressureMethod::state_equation},
    {"tait", PressureMethod::tait},
    {"state_equation, continuity", PressureMethod::state_equation, DensityMethod::continuity},
    {"tait, artificial viscosity", PressureMethod::tait, DensityMethod::summation,
     ViscosityMethod::artificial},
    {"dfsph", PressureMethod::dfsph},
    {"dfsph, implicit viscosity", PressureMethod::dfsph, DensityMethod::summation, ViscosityMethod::implicit},
};

}  // namespace thixo
