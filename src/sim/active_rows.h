#pragma once

#include "core/launch.h"

namespace thixo {

/// The rows whose step has just ended: the ones that a stage works on.
struct ActiveRows {
    Rows rows = {};            ///< all, or a list
    bool solids = true;        ///< solid and kinematic rows are among them; they are always active together
    bool synchronised = true;  ///< every row is at the same time
};

}  // namespace thixo
