#pragma once

#include "sph/kernel_name.h"

namespace thixo {

/// How matter is cut into particles and smoothed: what every sum over pairs depends on.
struct Discretisation {
    KernelName kernel = KernelName::cubic_spline;
    double support = 0;  ///< support radius H of particles of the model's size, m
    int dimensions = 3;  ///< 2 or 3
    double spacing = 0;  ///< distance ℓ of neighbouring particles at rest, m
};

}  // namespace thixo
