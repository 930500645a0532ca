#pragma once

#include "sim/stepper.h"

namespace thixo {

/// Refuses velocities that would move a particle out of its neighbourhood, are not finite, or need a time step that has collapsed:
/// throws a RunError that names the particle, its material and the term that grew. `lengths` are the steps that the rows are
/// about to take.
void check_divergence(const StepInputs& in, const TimeStepLimit& limit, double dt, const Rows& rows,
                      const StepLengths& lengths, const FluidState& state);

}  // namespace thixo
