#pragma once

#include <algorithm>

#include "heat/content.h"

namespace thixo {

/// °C. Scenes name no temperature below it, and nothing flows to what is colder, so only a cooler that takes
/// a given power could get there: it takes no more than there is.
inline constexpr double absolute_zero = -273.15;

/// A heat content (J/kg) that is not below that of absolute zero.
inline double above_absolute_zero(const HeatConstants& constants, double h) {
    return std::max(h, constants.c * absolute_zero);
}

}  // namespace thixo
