#pragma once

#include <vector>

#include "particles/object.h"
#include "particles/table.h"
#include "sim/balance.h"
#include "sim/model.h"

namespace thixo {

/// What bringing the liquids to rest took.
struct Settling {
    int iterations = 0;
    double moved = 0;          ///< m, the farthest that any particle went
    double residual = 0;       ///< largest acceleration that is left, m/s²
    std::vector<bool> loaded;  ///< of each object: whether it rests on something and carries its weight
    Balance balance;           ///< what its weight makes of it, for `Simulation::take`
};

/// Moves liquid particles, before the first step, to where they are at rest: nowhere compressed by the
/// lattice they were put on, and where a liquid is held by walls, solids and other liquids on all sides but
/// the top, with the hydrostatic pressure of what is above it. Solids, held particles and objects that spin
/// stay where they are. What starts with a velocity carries no weight. Sets the density, and for `dfsph` the
/// pressure it starts from.
///
/// The forces are those of the run, p from ρ with the walls' γ, without viscosity and tension of the surface;
/// the fast inertial relaxation engine [Bitzek, Koskinen, Gähler, Moseler & Gumbsch 2006] finds where they
/// vanish. Sums are those of `reduce`: the same bits for any number of threads. Then elastic and lattice
/// solids that lie on something sag until they carry their weight (`balance.h`). A soft law with the
/// equilibria of that of the run (pressure_multipliers.h) makes its steps long.
Settling settle(const Model& model, const std::vector<Object>& objects, ParticleTable& particles,
                const Device& device = {});

}  // namespace thixo
