#include "fluid/cohesion.h"

#include <cmath>
#include <numbers>

#include "particles/lattice.h"

namespace thixo {

Cohesion::Cohesion(double support, int dimensions, double spacing)
    : inverse_(static_cast<float>(1 / support)) {
    const auto work = [&](double r) {  // B(r), midpoint rule
        constexpr int n = 500;
        const double step = (support - r) / n;
        double sum = 0;
        for (int k = 0; k < n; ++k) {
            const double at = r + (k + 0.5) * step;
            sum += step * at * over_distance(static_cast<float>(at));
        }
        return sum;
    };
    const double mean_direction = dimensions == 2 ? 2 / std::numbers::pi : 0.5;
    double sum = 0;
    for (const Vec3d& v : lattice_around_origin(Lattice::cubic, spacing, dimensions, support)) {
        if (const double r = norm(v); r > 0) sum += mean_direction * r * work(r);
    }
    tension_ = 0.25 * sum / cell_volume(Lattice::cubic, spacing, dimensions);
}

}  // namespace thixo
