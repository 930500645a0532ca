#pragma once

#include <cstdint>
#include <vector>

#include "core/mat3.h"
#include "core/simd.h"
#include "core/state.h"
#include "particles/material.h"
#include "particles/table.h"

namespace thixo {

/// What lattice solids keep from one step to the next.
struct LatticeState {
    std::vector<Mat3f>
        deformations;  ///< A of each site, in whose frame neighbours are assigned to lattice points
    std::vector<Packed4> rotations;  ///< quaternion of each site, where the search for the next one starts
    std::vector<float>
        rates;  ///< λ of the 12 (6) lattice points of each site, 1/s; none without docking rates
    std::vector<std::uint32_t> docked;  ///< sites at them, in whole lanes: what bodies are connected by

    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("lattice_deformations", self.deformations, StateOrder::listed);
        visit("lattice_rotations", self.rotations, StateOrder::listed);
        visit("lattice_rates", self.rates, StateOrder::listed);
        visit("lattice_docked", self.docked, StateOrder::listed);
    }

    /// Refuses, by an InputError, arrays of a wrong length and numbers of sites that no particle has.
    void check(const ParticleTable& particles) const;
    void check(const ParticleTable& particles, const std::vector<Material>& materials, int dimensions) const;
};

}  // namespace thixo
