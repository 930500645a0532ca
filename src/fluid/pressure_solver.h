#pragma once

#include <functional>
#include <vector>

#include "core/time_step.h"
#include "fluid/constants.h"
#include "fluid/fluid_state.h"
#include "fluid/pressure_methods.h"
#include "fluid/settings.h"

namespace thixo {

/// The time step (s) that the flow alone would allow; computed only by solvers that need it.
using FlowStep = std::function<double()>;

/// What walls add to the sums of liquids.
inline WallForm wall_form_of(PressureMethod method) {
    return entry_of(method).solved ? WallForm::impulses : WallForm::energy;
}

/// What a pressure solver is made from.
struct PressureSetup {
    FluidMethods methods;
    Discretisation discretisation;
    std::vector<FluidConstants> constants;  ///< of each material
};

/// How the pressure of liquids is found. `Fluid` has one, chosen by name when it is made
/// (pressure_methods.h); the step calls these functions in this order, and no other code depends on which
/// solver it is.
class PressureSolver {
public:
    virtual ~PressureSolver() = default;

    /// Densities for the positions as they are, and what else the solver derives from them.
    virtual void compute_density(const Device& device, const FluidState& state) = 0;

    /// Removes the rate of compression of the velocities. Returns whether it changed velocities.
    virtual bool solve_divergence(const Device&, const FluidState&, double /*last_step*/, const FlowStep&) {
        return false;
    }

    /// Pressures that follow from densities, not below zero unless the scene allows tension; packs v and
    /// p/s², which forces read. Returns whether any pressure acts through forces.
    virtual bool compute_pressure(const Device& device, ParticleTable& particles,
                                  View<Packed4> velocity_pressure) = 0;

    /// After the kick: changes velocities so that the step leaves no compression; sets the pressure, and what
    /// walls gave in `wall_push` (m/s²). Returns whether it changed velocities.
    virtual bool solve_density(const Device&, const FluidState&, double /*dt*/, const FlowStep&,
                               View<float> /*wall_push*/) {
        return false;
    }

    /// Whether the pressure of matter in this phase is a function of its density, so that sound limits the
    /// time step.
    virtual bool follows_density(Phase) const { return true; }
    /// Largest way of a particle in one step, in supports (CFL condition).
    virtual double courant() const { return 0.1; }
    /// Whether steps are as long as the velocities at their end allow, with what accelerations add to them.
    virtual bool looks_ahead() const { return false; }
    /// How long velocities are accelerated in a step of dt seconds. Leapfrog: they live half-way between
    /// positions, so the kick spans half of the last step and half of this one.
    virtual double kick(double last_step, double dt) const { return 0.5 * (last_step + dt); }
    /// What the pressure itself allows, for particles of `support` (m) and larger. `loose`: elastic particles
    /// count as well; bodies that answer impulses as a whole hold theirs.
    virtual void limit_time_step(const Device&, const ParticleTable&, double /*support*/, bool /*loose*/,
                                 TimeStepLimit&) const {}
    virtual std::size_t bytes() const { return 0; }
};

}  // namespace thixo
