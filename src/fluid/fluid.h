#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fluid/adhesion.h"
#include "fluid/continuity.h"
#include "fluid/fluid_state.h"
#include "fluid/friction.h"
#include "fluid/implicit_viscosity.h"
#include "fluid/pressure_solver.h"
#include "fluid/settings.h"
#include "fluid/surface_tension.h"
#include "particles/material.h"

namespace thixo {

/// Accelerations of one particle, by cause (m/s²).
struct FluidTerms {
    Vec3f pressure{}, wall{}, viscosity{}, tension{};
};

/// SPH fluids in volume form. Each particle stands for the rest volume V⁰ = m/ρ₀; its compression
///
///     sᵢ = Σⱼ V⁰ⱼ Wᵢⱼ + γᵢ,   ρᵢ = ρ₀ sᵢ        (γ: what walls add to the sum)
///
/// depends on where its neighbours are, not on how heavy they are. For one material and one particle size
/// this is the density sum of [SSP07, eq. 4]; unlike that sum it stays right across an interface of light and
/// heavy fluids.
class Fluid {
public:
    Fluid(const std::vector<Material>& materials, const FluidMethods& methods,
          const Discretisation& discretisation, const std::vector<ContactAngle>& angles = {});

    /// The pressure solver's functions, in the order of the step; see pressure_solver.h. Solvers return
    /// whether they changed velocities.
    void compute_density(const Device& device, const FluidState& state) {
        pressure_->compute_density(device, state);
    }
    bool solve_divergence(const Device& device, const FluidState& state, double last_step,
                          const FlowStep& flow_step) {
        return pressure_->solve_divergence(device, state, last_step, flow_step);
    }
    void compute_pressure(const Device& device, ParticleTable& particles);
    bool solve_pressure(const Device& device, const FluidState& state, double dt, const FlowStep& flow_step,
                        View<float> wall_push) {
        return pressure_->solve_density(device, state, dt, flow_step, wall_push);
    }
    const PressureSolver& pressure() const { return *pressure_; }

    /// Solves for the viscosity where that is `implicit`, over dt seconds.
    bool solve_viscosity(const Device& device, const FluidState& state, double dt);

    /// Pressure, viscosity and surface tension, added to `acceleration`; the part of it that walls gave goes
    /// to `wall_push` as well. What is solved for is left out.
    void compute_forces(const Device& device, const FluidState& state, View<Vec3f> acceleration,
                        View<float> wall_push);

    /// The velocities that move particles when XSPH smooths them (xsph.h).
    void smooth_velocity(const Device& device, const FluidState& state, View<Vec3f> transport);

    /// The continuity equation over one step (continuity.h).
    void advance_density(const Device& device, const FluidState& state, View<const Vec3f> transport,
                         float dt);

    /// The same for rows with block time steps (s): how fast their densities change in these (kg/m³/s). That
    /// of solids is 0.
    void find_density_rates(const Device& device, const FluidState& state, View<const float> steps,
                            View<float> rates);

    /// The terms of one particle, to find the one that grew when a run diverges.
    FluidTerms terms(const FluidState& state, Index i) const;

    /// Sound and viscosity limit the step. `pressing` marks materials of which some particle takes pressure
    /// from its density and has something to press on; when empty, that depends on the pressure solver alone.
    /// `finest` is the smallest support, in the model's.
    void limit_time_step(TimeStepLimit& limit, View<const std::uint8_t> pressing = {},
                         double finest = 1) const;

    /// The longest step (s) of a particle of the material k with the model's support, by what it grows with.
    struct StableStep {
        double by_size;   ///< with H: sound, and the artificial viscosity that goes with it
        double by_size2;  ///< with H²: viscosity
    };
    StableStep stable_step(std::size_t k, bool presses) const;

    /// What capillary waves as short as the kernel allow (s), Brackbill et al. 1992; infinite without surface
    /// tension.
    double capillary_step() const;

    View<const FluidConstants> constants() const { return constants_; }
    /// As of the last forces.
    RowFriction friction(const ParticleTable& particles) const {
        return {constants_, particles.material, friction_.rows()};
    }
    /// Friction beside walls that fluid sticks to, as a multiple of that between particles.
    float wall_friction() const { return friction_.at_walls(); }

    std::size_t bytes() const;

private:
    double capillary_step(const Material& material) const;
    double sound_step(const Material& material) const;
    double viscous_step(std::size_t k) const;
    void pack_velocity(const Device& device, View<const Vec3f> v);

    std::vector<Material> materials_;
    FluidMethods methods_;
    std::vector<FluidConstants> constants_;
    Friction friction_;
    Discretisation discretisation_;
    std::unique_ptr<PressureSolver> pressure_;
    std::optional<ImplicitViscosity> implicit_viscosity_;
    SurfaceTension surface_tension_;
    Adhesion adhesion_;
    ContinuityEquation continuity_;
    bool tense_ = false;                      ///< some liquid has surface tension
    bool pressure_acts_ = false;              ///< through forces, as of the last pressure
    std::vector<Packed4> velocity_pressure_;  ///< v, p/s²
    std::vector<float> tension_;              ///< σ/ρ₀ of each material
};

}  // namespace thixo
