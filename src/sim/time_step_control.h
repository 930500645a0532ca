#pragma once

#include <vector>

#include "body/matter.h"
#include "core/time_step.h"
#include "sim/clock.h"
#include "sim/emitters_and_sinks.h"
#include "sim/forces.h"
#include "sim/kinematics.h"
#include "sim/model.h"
#include "sim/wall_fields.h"

namespace thixo {

/// What the length of a step depends on.
struct StepInputs {
    const Model& model;
    const Device& device;
    const Clock& clock;
    const Matter& matter;
    const WallFields& walls;
    const Forces& forces;
    const EmittersAndSinks& emitters;
    const Kinematics& kinematics;
};

/// One step of solids, and with the global stepper of all particles.
struct TimeStep {
    double dt = 0;    ///< s
    double kick = 0;  ///< how long velocities are accelerated in it, s
    double end = 0;   ///< the time at its end, s
};

/// A step of this length (s), shortened so that equal steps end at `end` (s).
TimeStep fit_step(const StepInputs& in, double seconds, double end);

/// The CFL number: how far anything may move in a step, in supports.
double courant(const Forces& forces);

/// m/s, of all particles.
double fastest(const Device& device, const ParticleTable& particles);

/// The step (s) that velocities, weight, surface tension and accelerations up to `largest` (m/s²) allow: the
/// goal of the incompressible solver.
double flow_step(const StepInputs& in, double largest);

/// How long a step may be: the shortest of what sound, flow, forces, solids and the moving parts of the scene
/// allow.
class TimeStepControl {
public:
    /// Finds the limits of the matter and of the scene. `largest`: acceleration, m/s².
    void find_limits(const StepInputs& in, double largest);

    /// Those of solids that move at up to `speed` (m/s), and are accelerated by up to `gain` (m/s²) in the
    /// step.
    void limit_solids(const StepInputs& in, double speed, TimeStepLimit& limit, double gain = 0) const;
    /// Those of emitters, walls and kinematic particles, which hold for particles on any step.
    void limit_by_scene(const StepInputs& in, TimeStepLimit& limit) const;

    /// A step must be shorter than the limits that were found.
    void tighten(double seconds, const char* name);

    const TimeStepLimit& limit() const { return limit_; }
    /// Whether some particle of a material takes pressure from its density and has neighbours to press on.
    bool presses(std::size_t material) const { return pressing_.empty() || pressing_[material] != 0; }

private:
    TimeStepLimit limit_;
    std::vector<std::uint8_t> pressing_;  ///< by material; empty without solids
};

}  // namespace thixo
