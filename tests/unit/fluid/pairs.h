#pragma once

#include <algorithm>

#include "sph/kernels.h"
#include "unit/fluid/tank.h"

namespace thixo {

/// What sums over pairs by their definition, in double precision, see of one pair.
struct Pair {
    Index j;
    Vec3d x, v;          ///< xᵢ − xⱼ, vᵢ − vⱼ
    double r, volume;    ///< |x|, V⁰ⱼ
    double w, gradient;  ///< W(r), W'(r)/r
};

inline double volume_of(const Tank& tank, Index i) {
    return tank.particles.mass[i] / tank.materials[tank.particles.material[i]].density;
}

/// Calls visit(pair) for every other particle within reach of i. For tanks with the Wendland kernel.
template <class Visit>
void for_each_pair(const Tank& tank, const std::vector<Vec3f>& v, Index i, const Visit& visit) {
    const Kernel<WendlandC2, double> kernel(Tank::support, tank.dimensions);
    const std::vector<Vec3f>& x = tank.particles.position;
    for (Index j = 0; j < tank.particles.size(); ++j) {
        const Vec3d xij = to_double(x[i]) - to_double(x[j]);
        const double r = norm(xij);
        if (j == i || r >= Tank::support) continue;
        visit(Pair{j, xij, to_double(v[i]) - to_double(v[j]), r, volume_of(tank, j), kernel.value(r),
                   kernel.gradient_over_distance(r)});
    }
}

/// Moments of velocities, or of changes of them.
struct Moments {
    Vec3d momentum{}, spin{};
    double size = 0;    ///< Σ m |v|
    double energy = 0;  ///< ½ Σ m v²
};

inline Moments moments(const Tank& tank, const std::vector<Vec3f>& v) {
    Moments sum;
    for (Index i = 0; i < tank.particles.size(); ++i) {
        const Vec3d p = double{tank.particles.mass[i]} * to_double(v[i]);
        sum.momentum += p;
        sum.spin += cross(to_double(tank.particles.position[i]), p);
        sum.size += norm(p);
        sum.energy += 0.5 * dot(p, to_double(v[i]));
    }
    return sum;
}

inline std::vector<Vec3f> difference(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    std::vector<Vec3f> out;
    for (std::size_t i = 0; i < a.size(); ++i) out.push_back(a[i] - b[i]);
    return out;
}

inline double largest(const std::vector<Vec3f>& v) {
    double most = 0;
    for (const Vec3f& a : v) most = std::max(most, norm(to_double(a)));
    return most;
}

/// No pressure but what a solver finds: forces are all others.
inline FluidMethods without_pressure(ViscosityMethod viscosity = ViscosityMethod::laplacian) {
    return {.pressure = PressureMethod::dfsph, .viscosity = viscosity, .dfsph = {}};
}

}  // namespace thixo
