#include "sim/stepper.h"

#include "sim/block_stepper.h"
#include "sim/global_stepper.h"

namespace thixo {

std::unique_ptr<Stepper> make_stepper(TimeStepMethod method) {
    if (method == TimeStepMethod::individual) return std::make_unique<BlockStepper>();
    return std::make_unique<GlobalStepper>();
}

}  // namespace thixo
