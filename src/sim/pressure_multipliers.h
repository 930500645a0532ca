#pragma once

#include <vector>

#include "core/launch.h"
#include "fluid/constants.h"
#include "fluid/pressure_method.h"
#include "particles/table.h"

namespace thixo {

/// A soft law of pressure whose equilibria are those of a stiff one: an augmented Lagrangian [Hestenes 1969;
/// Powell 1969] in which the law of the run is the constraint and pressures are its multipliers. With s =
/// ρ/ρ₀ and P = p/s², what the forces contain,
///
///     Pᵢ = P⁰ᵢ + ρ₀ c² (sᵢ − s⁰ᵢ),   s⁰ᵢ = the s at which the law of the run has P⁰ᵢ,
///
/// with the small sound speed c of the soft law. `update` makes P⁰ := P. Where it no longer changes, s = s⁰
/// and P is the pressure of the run. A relaxation with the soft law takes steps that are longer by the ratio
/// of the sound speeds.
class PressureMultipliers {
public:
    PressureMultipliers(PressureMethod law, View<const FluidConstants> run, View<const FluidConstants> soft)
        : law_(law), run_(run), soft_(soft) {}

    /// Starts from densities and pressures by the law of the run; ids of rows are those of a table that was
    /// just filled.
    void start(const Device& device, const ParticleTable& particles);

    /// Replaces densities by those at which the soft law, p = ρ₀ c² (s − 1), gives P.
    void soften(const Device& device, ParticleTable& particles) const;

    /// Makes the pressures of the soft law the new multipliers; densities are those that `soften` left.
    /// Returns the largest |s − s⁰| of the rows under pressure.
    float update(const Device& device, const ParticleTable& particles);

    /// Density and pressure by the law of the run that belong to the multiplier of a row.
    void recall(const ParticleTable& particles, Index row, float& density, float& pressure) const;

private:
    struct Multiplier {
        float s, pressure;  ///< s⁰, P⁰
    };

    float compression_at(const FluidConstants& constants, float pressure) const;

    PressureMethod law_;
    View<const FluidConstants> run_, soft_;  ///< of each material
    std::vector<Multiplier> multipliers_;    ///< by id
};

}  // namespace thixo
