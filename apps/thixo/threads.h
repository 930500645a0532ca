#pragma once

#include "core/launch.h"

namespace thixo {

/// A device of so many threads, all cores for 0. The OpenMP runtime ends the program when it cannot start one;
/// here that is an InputError that says how many there can be.
Device started_device(int threads);

}  // namespace thixo
