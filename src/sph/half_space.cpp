#include "sph/half_space.h"

#include <numbers>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// add(r, weight) for the midpoints of a rule for integrals over the part of a plane (in 2D: a line) at
/// distance z that lies within the support, of functions of the distance r. The coordinate is the one that
/// runs along the plane.
void over_plane(double z, double support, int dimensions, const auto& add) {
    // In 2D what is integrated is even and ends smoothly: the rule converges faster than the square of its
    // steps.
    const int n = dimensions == 2 ? 128 : 400;
    const double width2 = support * support - z * z;
    if (width2 <= 0) return;
    const double step = std::sqrt(width2) / n;
    for (int k = 0; k < n; ++k) {
        const double t = (k + 0.5) * step;
        add(std::sqrt(z * z + t * t), step * (dimensions == 2 ? 2 : 2 * std::numbers::pi * t));
    }
}

/// What layers as dense as the lattice count for where they are smeared out.
double layer_weight(const Discretisation& of) {
    return rest_volume(of) * of.spacing / cell_volume(Lattice::cubic, of.spacing, of.dimensions);
}

/// acos(c)/π for c ≥ 0 [Abramowitz & Stegun 4.4.45, error 2·10⁻⁵], without functions whose bits depend on the
/// machine.
float angle_of_wedge(float c) {
    return 0.5f * std::sqrt(1 - c) * (1 + c * (-0.13504189f + c * (0.04727806f - c * 0.01192396f)));
}

/// θ or 1/θ of walls that are parallel, instead of 0.
constexpr float least_theta = 1e-14f;

}  // namespace

BehindBoth behind_both(float first, float second, float cosine) {
    const float a = std::min(first, 1.f), b = std::min(second, 1.f), sum = a + b;
    const float c = std::min(std::abs(cosine), 1.f), narrow = angle_of_wedge(c), root = narrow / (1 - narrow),
                small = std::max(least_theta, root * root);
    if (cosine >= 0) {
        // θ = 1/small: all divided by it, and the root's argument written as a sum of what is positive.
        const float s = small + (1 - small) * sum;
        const float r =
            std::sqrt((1 - small) * ((a - b) * (a - b) + small * sum * (2 - sum)) + small * small);
        return {2 * a * b / (s + r), 0.5f * (1 - (s - 2 * b) / r), 0.5f * (1 - (s - 2 * a) / r)};
    }
    const float s = 1 - (1 - small) * sum, r = std::sqrt(s * s + 4 * a * b * small * (1 - small));
    const float both = s > 0 ? 2 * small * a * b / (s + r) : (r - s) / (2 * (1 - small));
    return {both, 0.5f * (1 - (s - 2 * small * b) / r), 0.5f * (1 - (s - 2 * small * a) / r)};
}

void HalfSpaceIntegral::steepen(double steepness, bool beyond_rest, const Discretisation& of,
                                Layers& layers) {
    const double weight = layer_weight(of), support = of.support, spacing = of.spacing;
    with_kernel(of, [&](const auto& kernel) {
        for (int i = 0; i <= intervals; ++i) {
            const double d = support * (2.0 * i / intervals - 1), from_rest = d - 0.5 * spacing;
            if (beyond_rest && from_rest < 0) continue;
            double gamma = 0, slope = 0;
            for (double z = spacing + steepness * from_rest; z < support; z += spacing) {
                over_plane(z, support, of.dimensions, [&](double r, double area) {
                    const auto at = static_cast<float>(r);
                    gamma += area * kernel.value(at);
                    // −∂A/∂z: the normal component of −∇W over the same plane
                    if (r > 0) slope -= area * kernel.derivative(at) * z / r;
                });
            }
            layers.gamma[i] = static_cast<float>(weight * gamma);
            layers.slope[i] = static_cast<float>(weight * 2 * slope);
        }
    });
}

HalfSpaceIntegral::HalfSpaceIntegral(const Discretisation& of)
    : support_(static_cast<float>(of.support)), scale_(static_cast<float>(intervals / (2 * of.support))) {
    steepen(2, false, of, energy_);
    impulses_ = energy_;
    steepen(1.5, true, of, impulses_);
    const double layer = layer_weight(of), support = of.support, spacing = of.spacing;
    const ViscosityKernel<double> viscosity(support, of.dimensions);
    for (int i = 0; i <= intervals; ++i) {
        // Nearer than a quarter of a spacing the extrapolation would only get steeper.
        const double from = std::max(support * (2.0 * i / intervals - 1), 0.25 * spacing);
        double drag = 0, weight = 0;
        for (double depth = 0.5 * spacing; from + depth < support; depth += spacing) {
            double plane = 0;
            over_plane(from + depth, support, of.dimensions,
                       [&](double r, double area) { plane += area * viscosity.laplacian(r); });
            drag += (1 + depth / from) * plane;
            weight += plane;
        }
        drag_[i] = static_cast<float>(layer * drag);
        weight_[i] = static_cast<float>(layer * weight);
    }
}

}  // namespace thixo
