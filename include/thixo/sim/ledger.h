#pragma once

#include <cstdint>

#include "thixo/core/vec.h"

namespace thixo {

/// The ledger of one frame, in SI units: what the method conserves can be seen here. Momenta and energies are
/// those at the time of the positions, though leapfrog has velocities half a step behind them.
struct Statistics {
    std::uint64_t frame = 0;
    double time = 0;
    std::uint64_t steps = 0;  ///< in this frame
    std::uint64_t particles = 0, liquid = 0, elastic = 0, rigid = 0, bodies = 0;
    double mass = 0;
    Vec3d momentum = {}, angular_momentum = {};  ///< the latter about the origin
    double kinetic = 0, potential = 0, elastic_energy = 0;
    double heat = 0;  ///< Σ m (c T + λ), λ the latent heat taken up; zero for what is solid at 0 °C
    double t_min = 0, t_mean = 0, t_max = 0;
    double density_error = 0;  ///< mean of max(0, ρ/ρ₀ − 1) over liquid particles
    double solid_density_error =
        0;  ///< the same over elastic ones, by deformation or, in lattice solids, by the kernel
    double dt_min = 0, dt_max = 0;
    double neighbours = 0;
    std::uint64_t hash = 0;
};

}  // namespace thixo
