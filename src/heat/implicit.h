#pragma once

#include <vector>

#include "heat/exchange.h"

namespace thixo {

/// Backward Euler for the heat content: the root of
///
///     Eᵢ(h) = mᵢ (hᵢ − h⁰ᵢ) − Δt (Σⱼ Kᵢⱼ (T(hⱼ) − T(hᵢ)) + gainᵢ − lossᵢ T(hᵢ))
///
/// by Newton's method. T(h) is made of straight pieces, so it ends after few corrections: one if nothing
/// begins or ends to melt. E is computed in double precision and corrections are solved for in single
/// precision, so that rounding does not grow with Δt. In the end h becomes h⁰ + Δt/m × flows, which differs
/// from h by what is left of E/m and conserves heat whatever is left.
class ImplicitHeat {
public:
    /// What the flows depend on.
    struct System {
        View<const HeatConstants> constants;
        View<const HeatExchange> exchange;
        View<const float> total;      ///< Σ K of each row, W/K
        std::vector<Packed4>& field;  ///< .y: k, .z: a; .x and .w are overwritten
    };

    /// One step of dt (s). Returns the iterations of conjugate gradients that it took.
    int solve(const Device& device, const HeatState& state, const System& system, double dt);

    std::size_t bytes() const;

private:
    double measure_excess(const Device& device, const HeatState& state, const System& system, double dt);
    int correct(const Device& device, const HeatState& state, const System& system, double dt,
                double change2);
    void begin_correction(const Device& device, const ParticleTable& particles, const System& system,
                          double dt);
    int iterate(const Device& device, const HeatState& state, const System& system, double dt,
                double change2);

    std::vector<double> start_, content_;  ///< h before the step and the current estimate after it, J/kg
    std::vector<double> temperature_;      ///< that belongs to content_
    std::vector<double> excess_;           ///< m (h − h⁰) − Δt (flows into it), J
    std::vector<float> residual_, product_, change_, capacity_;
};

}  // namespace thixo
