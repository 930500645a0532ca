#pragma once

#include <vector>

#include "physics/tank.h"
#include "sim/model.h"

namespace thixo {

/// One way to compute a fluid.
struct Method {
    const char* name;
    PressureMethod pressure;
    DensityMethod density = DensityMethod::summation;
    ViscosityMethod viscosity = ViscosityMethod::laplacian;
    bool covers = false;  ///< those for which it holds have every pressure, density and viscosity among them

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
    {"state_equation, continuity", PressureMethod::state_equation, DensityMethod::continuity,
     ViscosityMethod::laplacian, true},
    {"tait, artificial viscosity", PressureMethod::tait, DensityMethod::summation,
     ViscosityMethod::artificial, true},
    {"dfsph", PressureMethod::dfsph},
    {"dfsph, implicit viscosity", PressureMethod::dfsph, DensityMethod::summation, ViscosityMethod::implicit,
     true},
};

/// For experiments that take long: all methods at full size, otherwise those that cover every choice.
inline std::vector<Method> covering_methods() {
    std::vector<Method> out;
    for (const Method& method : methods)
        if (full_size() || method.covers) out.push_back(method);
    return out;
}

}  // namespace thixo
