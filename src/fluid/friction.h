#pragma once

#include <vector>

#include "core/launch.h"
#include "fluid/constants.h"
#include "fluid/settings.h"
#include "fluid/viscosity_curve.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/discretisation.h"

namespace thixo {

/// Friction between particles: the viscosities of the materials, calibrated for the lattice that particles
/// start on, and by temperature where a material says so.
class Friction {
public:
    Friction(const std::vector<Material>& materials, ViscosityMethod method,
             const Discretisation& discretisation);

    /// Constant friction of a material, see `FluidConstants::friction`.
    float constant(std::size_t material) const { return constant_[material]; }
    /// Largest friction of a material among the rows, as of the last `update`.
    float largest(std::size_t material) const { return largest_[material]; }
    /// Beside walls that fluid sticks to, as a multiple of that between particles.
    float at_walls() const { return at_walls_; }

    bool any() const { return any_; }
    bool differs() const { return differs_; }  ///< between materials, or with the temperature

    /// Finds the friction of each row where it differs.
    void update(const Device& device, const ParticleTable& particles);
    /// Of each row, and padding; empty while all materials have the same.
    const std::vector<float>& rows() const { return rows_; }

private:
    std::vector<float> constant_, largest_;  ///< of each material
    std::vector<ViscosityCurve> curves_;     ///< of each material, by temperature
    float at_walls_ = 1;
    bool any_ = false, differs_ = false;
    std::vector<float> rows_;
};

}  // namespace thixo
