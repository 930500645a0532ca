#pragma once

#include <memory>

#include "sim/active_rows.h"
#include "sim/time_step_control.h"

namespace thixo {

/// How long each active row is accelerated before it moves on, and how long it then moves (s).
struct StepLengths {
    float kick = 0, drift = 0;    ///< of all rows
    View<const float> own = {};   ///< of each row, where they differ
    View<const float> last = {};  ///< that of the step before

    float kick_of(Index i) const { return own.empty() ? kick : 0.5f * (last[i] + own[i]); }
    float drift_of(Index i) const { return own.empty() ? drift : own[i]; }
};

/// No row has to ask whether steps differ.
inline void multiply_by_drifts(const Device& device, const Rows& rows, const StepLengths& lengths,
                               View<float> values) {
    const auto n = static_cast<Index>(values.size());
    if (lengths.own.empty())
        launch(device, n, rows, [=, drift = lengths.drift](Index i) { values[i] *= drift; });
    else
        launch(device, n, rows, [=, own = lengths.own](Index i) { values[i] *= own[i]; });
}

/// Steps in a unit that does not depend on how long they are, for what is to be done every so many of them.
struct StepCount {
    std::uint64_t before, now;
    double length;  ///< s
};

/// Time integration: which particles are active, how long their steps are, and how they move. A step of the
/// simulation begins and ends with all particles synchronised; between that, the stages run once for each set
/// of active particles.
class Stepper {
public:
    virtual ~Stepper() = default;

    /// Begins a step: all particles are active.
    virtual void begin(const StepInputs& in) = 0;
    virtual ActiveRows active() const = 0;
    /// Whether nothing has moved since `begin`.
    virtual bool at_start() const = 0;

    /// Chooses the steps of the active particles, not beyond `end` (s).
    virtual void choose(const StepInputs& in, Forces& forces, TimeStepControl& control, double end) = 0;
    /// Solves for implicit elastic accelerations; shortens the step where bodies would move too far.
    virtual void solve_elasticity(const StepInputs& in, Forces& forces, Matter& matter,
                                  TimeStepControl& control, double end) = 0;

    /// Lengths of the steps of active particles.
    virtual StepLengths lengths(const ParticleTable& particles) const = 0;
    /// The step that solids take.
    virtual const TimeStep& step() const = 0;
    /// When all particles are next synchronised (s).
    virtual double synchronisation_time() const = 0;

    /// Moves all particles to the time at which the next of them are active, and the clock with them.
    virtual void drift(const Device& device, const WallFields& walls, Forces& forces, Matter& matter,
                       Clock& clock) = 0;

    /// Row k is the former row order[k]. Returns whether a step is being taken, so that other arrays must
    /// follow too.
    virtual bool permute(const Device& device, View<const Index> order) = 0;

    /// The skin of neighbour lists, in supports, where particles move by up to `motion` (m) in a step of
    /// their own.
    virtual float skin(double motion, double finest_support) const = 0;

    virtual StepCount count(const StepInputs& in) const = 0;
    virtual std::size_t bytes() const = 0;
};

/// The one that the model names.
std::unique_ptr<Stepper> make_stepper(TimeStepMethod method);

}  // namespace thixo
