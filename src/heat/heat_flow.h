#pragma once

#include <vector>

#include "heat/exchange.h"
#include "heat/implicit.h"

namespace thixo {

/// Conduction between particles of whatever phase, in the conserving form [SSP07, eq. 21, with masses and
/// materials]:
///
///     mᵢ dhᵢ/dt = Σⱼ Kᵢⱼ (Tⱼ − Tᵢ) + gainᵢ − lossᵢ Tᵢ,   Kᵢⱼ = V⁰ᵢ V⁰ⱼ kᵢⱼ aᵢⱼ ∇²W(rᵢⱼ)   (W/K)
///
/// with the harmonic mean kᵢⱼ of the conductivities, the viscosity kernel's ∇²W ≥ 0, and aᵢⱼ the mean of aᵢ =
/// κ/Σⱼ V⁰ⱼ ∇²Wᵢⱼ, self included: κ makes it exact on a cubic lattice, and the sum keeps it so along free
/// surfaces, in sheets and in rods, where neighbours are missing. Flows of a pair are opposite to the bit.
/// Where sizes differ ∇²W is the mean of both kernels', and counts in the sum by n², the size of its particle
/// squared: so κ is the same for all.
///
/// Steps that are short for the heat are explicit: one sweep over the pairs, or up to four; longer ones are
/// solved for by backward Euler (ImplicitHeat).
class HeatFlow {
public:
    HeatFlow(const std::vector<Material>& materials, const Ambient& ambient,
             const std::vector<Heater>& heaters, const Discretisation& discretisation);

    /// Whether some material conducts.
    bool conducts() const { return conducts_; }
    /// Whether anything can ever change a temperature.
    bool acts() const { return conducts_ || outside_.acts(); }
    void set_heaters(const std::vector<Heater>& heaters) { outside_.set_heaters(heaters); }
    /// When a heater is next turned on or off after a time (s): steps end there, so that none is passed over.
    double next_switch(double time) const { return outside_.next_switch(time); }
    /// Whether surfaces that face the air lose heat to it.
    bool faces_air() const { return outside_.faces_air(); }

    /// Brings the heat of all particles from `time` to time + dt (s), positions as they are.
    void advance(const Device& device, const HeatState& state, double time, double dt);

    /// Area of a particle that faces the air, m² (in 2D m), as of the last step.
    View<const float> exposed_area() const { return area_; }

    View<const HeatConstants> constants() const { return constants_; }
    /// W/(m K) of each material.
    View<const float> conductivities() const { return conductivity_; }
    /// Fraction of the difference to its neighbours that a particle in the bulk of a material would lose in
    /// one explicit step, Δt k κ/(ρ c).
    double step_ratio(std::size_t material, double dt) const {
        return dt * constants_[material].k / (rest_density_[material] * constants_[material].c) * scale_;
    }
    /// Explicit steps of the heat that one of the mechanics takes if they lose so much; 0: it is solved for.
    static int explicit_steps(double ratio);

    /// Of conjugate gradients in the last step; 0: it was explicit.
    int iterations() const { return iterations_; }
    std::size_t bytes() const;

private:
    bool is_even(const Device& device, const HeatState& state) const;
    void pack(const Device& device, const ParticleTable& particles);
    void weigh(const Device& device, const HeatState& state);
    void measure_contacts(const Device& device, const HeatState& state);
    void measure_flow(const Device& device, const HeatState& state);
    double fastest_rate(const Device& device, const ParticleTable& particles) const;
    void step_explicitly(const Device& device, const HeatState& state, int steps, double dt);

    std::vector<HeatConstants> constants_;
    std::vector<float> conductivity_, rest_density_;
    OutsideHeat outside_;
    ImplicitHeat implicit_;
    int dimensions_;
    bool conducts_ = false;
    double scale_ = 0;        ///< κ, 1/m²
    double full_ = 0;         ///< Σ V⁰∇²W on the lattice, 1/m²
    double half_moment_ = 0;  ///< Σ V⁰ x∇²W on the lattice over x > 0, 1/m
    double nearest_ = 0;      ///< m, distance from walls below which conductances do not grow
    /// m² (in 2D m) that a particle which misses the whole of it would face; see weigh
    double area_of_missing_ = 0;
    int iterations_ = 0;

    std::vector<Packed4> field_;  ///< what flows (a temperature), k, a
    std::vector<float> area_;     ///< that faces the air
    std::vector<float>
        contact_exchange_;             ///< weights by which rows exchange heat with their nearest wall, 1/m²
    std::vector<float> flow_, total_;  ///< Σ K (Tⱼ − Tᵢ), W, and Σ K, W/K
};

}  // namespace thixo
