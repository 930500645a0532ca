#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "particles/material.h"

namespace thixo {

/// A viscosity that depends on the temperature: ln μ is interpolated between points (viscosities of melts
/// fall by powers of ten while the temperature rises evenly), and is constant beyond them.
class ViscosityCurve {
public:
    ViscosityCurve() = default;
    /// `scale` multiplies all viscosities.
    ViscosityCurve(const std::vector<ViscosityPoint>& points, double scale) {
        for (const ViscosityPoint& point : points) {
            temperature_.push_back(static_cast<float>(point.temperature));
            logarithm_.push_back(static_cast<float>(std::log(scale * point.viscosity)));
        }
    }

    bool empty() const { return temperature_.empty(); }

    float at(float temperature) const {
        const auto next = std::upper_bound(temperature_.begin(), temperature_.end(), temperature);
        const auto k = static_cast<std::size_t>(next - temperature_.begin());
        if (k == 0) return std::exp(logarithm_.front());
        if (k == temperature_.size()) return std::exp(logarithm_.back());
        const float fraction = (temperature - temperature_[k - 1]) / (temperature_[k] - temperature_[k - 1]);
        return std::exp(logarithm_[k - 1] + fraction * (logarithm_[k] - logarithm_[k - 1]));
    }

private:
    std::vector<float> temperature_, logarithm_;
};

}  // namespace thixo
