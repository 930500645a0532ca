#pragma once

#include <string>

#include "scene/fill.h"

namespace thixo {

/// A line for each object that lost more than a tenth of its particles to what is in its way, and for each
/// that falls into more pieces than its shape has; empty if there is none.
std::string carving_warnings(const Scene& scene, const Filling& filling);

}  // namespace thixo
