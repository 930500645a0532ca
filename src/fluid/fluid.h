#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/launch.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "fluid/settings.h"
#include "fluid/surface_tension.h"
#include "fluid/viscosity_curve.h"
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
    float
        friction;  ///< what pairs average: μ (Pa s) for `laplacian` and `implicit`, η c ρ₀ h for `artificial`
};

/// What pairs average of each row: that of its material, or what its temperature makes of it.
struct RowFriction {
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const float> rows;  ///< empty while the materials' own will do

    float operator()(Index i) const { return rows.empty() ? constants[material[i]].friction : rows[i]; }
};

/// Accelerations of one particle, by cause (m/s²).
struct FluidTerms {
    Vec3f pressure{}, wall{}, viscosity{}, tension{};
};

/// What the fluid solver works on: particles in the order of their lists, and what walls add to their sums.
struct FluidState {
    ParticleTable& particles;
    Neighbours neighbours;
    View<const WallTerm> walls;
    View<const WallMotion> motion;        ///< empty while all walls are still and slippery
    View<const float> supports = {};      ///< H of each row (m); empty while all have the model's
    Rows rows = {};                       ///< whose densities, forces and rates are asked for
    View<const Vec3f> acceleration = {};  ///< by the last forces, m/s²; empty before there are any
    Vec3f gravity = {};                   ///< m/s²
    /// Gives the rows of rigid bodies, in records (x, ·), (V⁰v, ·) of each row, velocities of rigid motions; empty without.
    std::function<void(View<Packed4>)> bind = {};
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
    Fluid(const std::vector<Material>& materials, const FluidMethods& methods, KernelName kernel,
          double support, int dimensions, double spacing);

    /// Packs positions and rest volumes, as every pair loop wants them.
    void pack_positions(const Device& device, const ParticleTable& particles);

    /// Packs positions and, for `summation`, ρᵢ = ρ₀ (Σⱼ V⁰ⱼ Wᵢⱼ + γᵢ). `Dfsph::prepare` does both for `dfsph`.
    void compute_density(const Device& device, const FluidState& state);

    /// The pressure that follows from the density; see pressure.cpp. With `dfsph` that of elastic bodies alone, by which they feel
    /// walls and each other: the incompressible solver knows the liquid's.
    void compute_pressure(const Device& device, ParticleTable& particles);

    /// Pressure, viscosity and surface tension, added to `acceleration`; the part of it that walls gave goes to
    /// `wall_push` as well. What `dfsph` and `implicit` solve for is left out.
    void compute_forces(const Device& device, const FluidState& state, View<Vec3f> acceleration,
                        View<float> wall_push);

    /// The velocities that move particles when XSPH smooths them [Monaghan 1989, used by WHP06]:
    /// v̂ᵢ = vᵢ + ε Σⱼ V⁰ⱼ (vⱼ − vᵢ) Wᵢⱼ
    void smooth_velocity(const Device& device, const FluidState& state, View<Vec3f> transport);

    /// The continuity equation over one step, with kicked velocities at mid-step separations; see
    /// continuity.cpp. The walls' share of the density is not touched.
    void advance_density(const Device& device, const FluidState& state, View<const Vec3f> transport,
                         float dt);

    /// The same for rows that are about to take steps of their own (s): how fast their densities change in these (kg/m³/s). That of solids is 0.
    void find_density_rates(const Device& device, const FluidState& state, View<const float> steps,
                            View<float> rates);

    /// The terms of one particle apart, to tell which one grew when a run diverges.
    FluidTerms terms(const FluidState& state, Index i) const;

    /// Sound and viscosity limit the step. `pressing` tells of which materials some particle takes pressure from its density and
    /// has something to press on; when empty, that depends on the method alone. `finest` is the smallest support, in the model's.
    void limit_time_step(TimeStepLimit& limit, View<const std::uint8_t> pressing = {},
                         double finest = 1) const;

    /// The longest step (s) of a particle of the material k with the model's support, by what it grows with.
    struct StableStep {
        double by_size;   ///< with H: sound, and the artificial viscosity that goes with it
        double by_size2;  ///< with H²: viscosity
    };
    StableStep stable_step(std::size_t k, bool presses) const;

    /// What capillary waves as short as the kernel allow (s), Brackbill et al. 1992; infinite without surface tension.
    double capillary_step() const;

    bool incompressible() const { return methods_.pressure == PressureMethod::dfsph; }
    View<const FluidConstants> constants() const { return constants_; }
    /// As of the last forces.
    RowFriction friction(const ParticleTable& particles) const {
        return {constants_, particles.material, friction_};
    }
    /// Friction beside walls that fluid sticks to, as a multiple of that between particles.
    float wall_friction() const { return wall_friction_; }
    /// Positions and rest volumes, as packed for the current density.
    const Packed4* position_volume() const { return position_volume_.data(); }

    std::size_t bytes() const;

private:
    double capillary_step(const Material& material) const;
    double sound_step(const Material& material) const;
    double viscous_step(std::size_t k) const;
    template <class StepOf, class Result>
    void continue_density(const Device& device, const FluidState& state, const StepOf& step,
                          const Result& result);
    void pack_velocity(const Device& device, View<const Vec3f> v);
    void find_friction(const Device& device, const ParticleTable& particles);

    std::vector<Material> materials_;
    FluidMethods methods_;
    std::vector<FluidConstants> constants_;
    std::vector<ViscosityCurve> curves_;  ///< friction of each material by temperature
    std::vector<float> stiffest_;         ///< largest friction of each material, as of the last forces
    float wall_friction_ = 1;
    KernelName kernel_;
    double support_;
    int dimensions_;
    SurfaceTension surface_tension_;
    bool viscous_ = false, mixed_friction_ = false, tense_ = false;
    bool curved_ = false;                     ///< some viscosity depends on the temperature
    bool solids_ = false;                     ///< as of the last pressure
    std::vector<Packed4> position_volume_;    ///< x, V⁰
    std::vector<Packed4> velocity_pressure_;  ///< v, p/s²
    std::vector<float> inverse_support_;      ///< 1/H of each row, and padding; empty while all are equal
    std::vector<float> friction_;  ///< of each row, and padding; empty while all materials have the same
    std::vector<float> tension_;   ///< σ/ρ₀ of each material
};

}  // namespace thixo
