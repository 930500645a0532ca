#pragma once

#include <string>
#include <vector>

#include "core/launch.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/half_space.h"
#include "sph/kernel_name.h"
#include "sph/neighbours.h"

namespace thixo {

/// Constants of one material as the pair loops want them.
struct FluidConstants {
    float rest_density;  ///< ρ₀, kg/m³
    float sound_speed2;  ///< c², m²/s²
    float viscosity;     ///< μ, Pa s
};

/// Accelerations of one particle, by cause (m/s²).
struct FluidTerms {
    Vec3f pressure{}, wall{}, viscosity{};
};

/// SPH fluids in volume form. Each particle stands for the rest volume V⁰ = m/ρ₀; its compression
///
///     sᵢ = Σⱼ V⁰ⱼ Wᵢⱼ + γᵢ,   ρᵢ = ρ₀ sᵢ        (γ: share of the kernel inside walls)
///
/// depends on where its neighbours are, not on how heavy they are. For one material and one particle size
/// this is the density sum of [SSP07, eq. 4]; unlike that sum it stays right across an interface of light and
/// heavy fluids.
class Fluid {
public:
    Fluid(const std::vector<Material>& materials, KernelName kernel, double support, int dimensions);

    /// ρᵢ = ρ₀ (Σⱼ V⁰ⱼ Wᵢⱼ + γᵢ)
    void compute_density(const Device& device, ParticleTable& particles, const Neighbours& neighbours,
                         View<const WallTerm> walls);

    /// pᵢ = c² (ρᵢ − ρ₀)   [DC99, eq. 1], [SSP07, eq. 9]; no tension: negative pressures are set to zero.
    void compute_pressure(const Device& device, ParticleTable& particles);

    /// Pressure and viscosity, added to `acceleration`; the part of it that walls gave goes to `wall_push` as
    /// well.
    void compute_forces(const Device& device, const ParticleTable& particles, const Neighbours& neighbours,
                        View<const WallTerm> walls, View<Vec3f> acceleration, View<float> wall_push) const;

    /// The terms of one particle apart, to tell which one grew when a run diverges.
    FluidTerms terms(const ParticleTable& particles, const Neighbours& neighbours, View<const WallTerm> walls,
                     Index i) const;

    /// Sound and viscosity limit the step.
    void limit_time_step(TimeStepLimit& limit) const;

    std::size_t bytes() const;

private:
    std::vector<Material> materials_;
    std::vector<FluidConstants> constants_;
    KernelName kernel_;
    double support_;
    int dimensions_;
    bool mixed_viscosity_ = false;
    std::vector<Packed4> position_volume_;    ///< x, V⁰
    std::vector<Packed4> velocity_pressure_;  ///< v, p/s²
    std::vector<float> viscosity_;            ///< μ of each row; empty while all materials have the same
};

}  // namespace thixo
