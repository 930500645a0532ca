#pragma once

#include <iterator>
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
    ElasticIntegrator elasticity = ElasticIntegrator::leapfrog;
    bool covers = false;  ///< those for which it holds have every pressure, density and viscosity among them

    bool incompressible() const { return pressure == PressureMethod::dfsph; }
    void choose(SolverSettings& solver) const {
        solver.pressure = pressure;
        solver.density = density;
        solver.viscosity = viscosity;
        solver.elasticity = elasticity;
    }
};

inline constexpr Method methods[] = {
    {"state_equation", PressureMethod::state_equation},
    {"tait", PressureMethod::tait},
    {"state_equation, continuity", PressureMethod::state_equation, DensityMethod::continuity,
     ViscosityMethod::laplacian, ElasticIntegrator::leapfrog, true},
    {"tait, artificial viscosity", PressureMethod::tait, DensityMethod::summation,
     ViscosityMethod::artificial, ElasticIntegrator::leapfrog, true},
    {"dfsph", PressureMethod::dfsph},
    {"dfsph, implicit viscosity", PressureMethod::dfsph, DensityMethod::summation, ViscosityMethod::implicit,
     ElasticIntegrator::leapfrog, true},
};

/// Nothing is explicit but what changes slowly: steps follow the flow alone.
inline constexpr Method all_implicit{"all implicit", PressureMethod::dfsph, DensityMethod::summation,
                                     ViscosityMethod::implicit, ElasticIntegrator::implicit};

/// For experiments with elastic bodies.
inline std::vector<Method> methods_of_solids() {
    std::vector<Method> out(std::begin(methods), std::end(methods));
    out.push_back(all_implicit);
    return out;
}

/// For experiments that take long: all methods at full size, otherwise those that cover every choice.
inline std::vector<Method> covering_methods() {
    std::vector<Method> out;
    for (const Method& method : methods)
        if (full_size() || method.covers) out.push_back(method);
    return out;
}

}  // namespace thixo
