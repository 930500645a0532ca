#pragma once

#include "thixo/fluid/pressure_method.h"

namespace thixo {

enum class DensityMethod { summation, continuity };
enum class ViscosityMethod { laplacian, artificial, implicit };

/// Tolerances of the incompressible solver, and how many iterations it may take.
struct DfsphSettings {
    double density_error = 1e-4;     ///< mean compression it leaves, per step that the flow allows
    double divergence_error = 1e-3;  ///< mean compression that velocities add, per step that the flow allows
    int min_iterations = 2;          ///< on density, at least; on divergence half as many
    int max_iterations = 100;        ///< on either
    bool long_steps = false;  ///< as long as the velocities at their end allow, whatever the acceleration
};

/// How fluids are computed; with the materials' constants, all that the fluid solver depends on.
struct FluidMethods {
    PressureMethod pressure = PressureMethod::state_equation;
    DensityMethod density = DensityMethod::summation;
    ViscosityMethod viscosity = ViscosityMethod::laplacian;
    bool tension = false;  ///< let pressures fall below zero
    double xsph = 0;  ///< weight of the neighbours' mean velocity in the one that moves a particle, 0 to 1
    DfsphSettings dfsph = {};
    double viscosity_error =
        1e-4;  ///< tolerance of the implicit viscosity solver, relative to the velocities
};

}  // namespace thixo
