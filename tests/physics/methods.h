#pragma once

#include <iterator>
#include <vector>

#include "physics/tank.h"
#include "scene/solver_preset.h"
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
    bool fast = false;    ///< with the tolerances of the preset `fast`

    bool incompressible() const { return pressure == PressureMethod::dfsph; }
    void choose(SolverSettings& solver) const {
        solver.pressure = pressure;
        solver.density = density;
        solver.viscosity = viscosity;
        solver.elasticity = elasticity;
        if (!fast) return;
        solver.dfsph = fast_dfsph;
        solver.viscosity_error = fast_viscosity_error;
    }
    /// How far off results may be, in what other methods may be off.
    double leeway() const { return fast ? 2 : 1; }
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

/// What the preset `fast` chooses. Nothing is explicit but what changes slowly: steps follow the flow alone.
inline constexpr Method fast_preset{"fast",
                                    PressureMethod::dfsph,
                                    DensityMethod::summation,
                                    ViscosityMethod::implicit,
                                    ElasticIntegrator::implicit,
                                    true,
                                    true};

/// For experiments with bodies.
inline std::vector<Method> methods_of_solids() {
    std::vector<Method> out(std::begin(methods), std::end(methods));
    out.push_back(fast_preset);
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
