#pragma once

#include <string>

#include "commands.h"
#include "forecast.h"
#include "scene/scene.h"

namespace thixo {

/// What would make a run faster, or its heat visible, with what each change would bring; one line each.
/// `seconds`: that the run takes as it is; `now`: the forecast it follows from.
std::string describe_remedies(const CheckOptions& options, const Scene& scene, const Device& device,
                              const Population& population, const Forecast& now, double seconds);

}  // namespace thixo
