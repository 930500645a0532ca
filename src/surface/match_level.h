#pragma once

#include <algorithm>
#include <cmath>

#include "surface/mesh_report.h"

namespace thixo {

/// The level at which extents_at(level) encloses the volume, by the secant method; the area is the
/// derivative to begin with. At most `limit` away from 0.
template <class ExtentsAt>
double matching_level(double volume, double limit, const ExtentsAt& extents_at) {
    Extents now = extents_at(0.0);
    double level = 0, slope = now.area;
    for (int round = 0; round < 6; ++round) {
        if (std::abs(now.volume - volume) < 2e-3 * volume || !(slope > 0)) break;
        const double next = std::clamp(level + (volume - now.volume) / slope, -limit, limit);
        if (next == level) break;
        const Extents then = extents_at(next);
        slope = (then.volume - now.volume) / (next - level);
        level = next;
        now = then;
    }
    return level;
}

}  // namespace thixo
