#include "sph/half_space.h"

#include <numbers>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// ∫ g over the part of a plane (in 2D: a line) at distance z that lies within the support, g a function of
/// the distance r, by the midpoint rule in the coordinate that runs along the plane.
double plane_integral(const auto& g, double z, double support, int dimensions) {
    constexpr int n = 400;
    const double width2 = support * support - z * z;
    if (width2 <= 0) return 0;
    const double step = std::sqrt(width2) / n;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        const double t = (k + 0.5) * step;
        sum += step * g(std::sqrt(z * z + t * t)) * (dimensions == 2 ? 2 : 2 * std::numbers::pi * t);
    }
    return sum;
}

/// What layers as dense as the lattice count for where they are smeared out.
double layer_weight(KernelName name, double support, int dimensions, double spacing) {
    return rest_volume(name, support, dimensions, Lattice::cubic, spacing) * spacing /
           cell_volume(Lattice::cubic, spacing, dimensions);
}

}  // namespace

HalfSpaceIntegral::Layers HalfSpaceIntegral::steepened(double beyond, KernelName name, double support,
                                                       int dimensions, double spacing) {
    const double weight = layer_weight(name, support, dimensions, spacing);
    Layers layers;
    with_kernel(name, support, dimensions, [&](const auto& kernel) {
        for (int i = 0; i <= intervals; ++i) {
            const double d = support * (2.0 * i / intervals - 1);
            const double from_rest = d - 0.5 * spacing, steepness = from_rest < 0 ? 2 : beyond;
            double share = 0, slope = 0;
            for (double z = spacing + steepness * from_rest; z < support; z += spacing) {
                share += plane_integral([&](double r) { return kernel.value(static_cast<float>(r)); }, z,
                                        support, dimensions);
                // −∂A/∂z: the normal component of −∇W over the same plane
                slope -= plane_integral(
                    [&](double r) { return r > 0 ? kernel.derivative(static_cast<float>(r)) * z / r : 0.0; },
                    z, support, dimensions);
            }
            layers.share[i] = static_cast<float>(weight * share);
            layers.slope[i] = static_cast<float>(weight * 2 * slope);
        }
    });
    return layers;
}

HalfSpaceIntegral::HalfSpaceIntegral(KernelName name, double support, int dimensions, double spacing)
    : support_(static_cast<float>(support)),
      scale_(static_cast<float>(intervals / (2 * support))),
      energy_(steepened(2, name, support, dimensions, spacing)),
      impulses_(steepened(1.5, name, support, dimensions, spacing)) {
    const double layer = layer_weight(name, support, dimensions, spacing);
    const ViscosityKernel<double> viscosity(support, dimensions);
    for (int i = 0; i <= intervals; ++i) {
        // Nearer than a quarter of a spacing the extrapolation would only get steeper.
        const double from = std::max(support * (2.0 * i / intervals - 1), 0.25 * spacing);
        double drag = 0, weight = 0;
        for (double depth = 0.5 * spacing; from + depth < support; depth += spacing) {
            const double plane = plane_integral([&](double r) { return viscosity.laplacian(r); },
                                                from + depth, support, dimensions);
            drag += (1 + depth / from) * plane;
            weight += plane;
        }
        drag_[i] = static_cast<float>(layer * drag);
        weight_[i] = static_cast<float>(layer * weight);
    }
}

}  // namespace thixo
