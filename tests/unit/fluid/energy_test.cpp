#include <doctest/doctest.h>

#include <cmath>

#include "sph/kernels.h"
#include "unit/fluid/tank.h"

using namespace thixo;

namespace {

/// e(s) = ∫₁ˢ p/s² ds with p = c² ρ₀ (s − 1) for s > 1 and 0 below: energy per rest volume.
double energy_density(const Material& m, double s) {
    const double c = m.liquid.sound_speed;
    return s > 1 ? c * c * m.density * (std::log(s) + 1 / s - 1) : 0;
}

/// Two walls in a corner, close enough to be felt by many particles.
const HalfSpaceIntegral& half_space(KernelName kernel, int d) {
    static std::vector<std::pair<std::pair<KernelName, int>, HalfSpaceIntegral>> made;
    for (const auto& [key, integral] : made)
        if (key == std::pair(kernel, d)) return integral;
    made.reserve(16);
    return made
        .emplace_back(std::pair(kernel, d), HalfSpaceIntegral({kernel, Tank::support, d, Tank::spacing}))
        .second;
}

WallTerm corner(const Tank& tank, const Vec3f& x) {
    const HalfSpaceIntegral& integral = half_space(tank.kernel, tank.dimensions);
    WallTerm term = integral.at(x.x, {1, 0, 0});
    term.add(integral.at(x.y, {0, 1, 0}));
    return term;
}

/// The energy of compression U = Σ V⁰ e(s) in double precision, from the definition.
template <class W>
double energy(const Tank& tank, const W& w, const std::vector<Vec3d>& x) {
    const ParticleTable& p = tank.particles;
    const auto volume = [&](std::size_t i) { return p.mass[i] / tank.materials[p.material[i]].density; };
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double s = tank.sense_walls ? corner(tank, to_float(x[i])).gamma : 0;
        for (std::size_t j = 0; j < x.size(); ++j) s += volume(j) * w.value(norm(x[i] - x[j]));
        sum += volume(i) * energy_density(tank.materials[p.material[i]], s);
    }
    return sum;
}

/// The largest difference between a force component and −dU/dx by central differences, in units of the
/// largest force, over some particles.
template <class W>
double force_error(const Tank& tank, const W& w, double h) {
    std::vector<Vec3d> x;
    for (const Vec3f& position : tank.particles.position) x.push_back(to_double(position));
    double largest = 0, error = 0;
    for (Index i = 0; i < tank.particles.size(); ++i) largest = std::max(largest, norm(tank.force(i)));
    CHECK(largest > 0);
    for (Index i = 0; i < tank.particles.size(); i += 3) {
        for (int axis = 0; axis < tank.dimensions; ++axis) {
            double& coordinate = axis == 0 ? x[i].x : axis == 1 ? x[i].y : x[i].z;
            const double before = coordinate;
            coordinate = before + h;
            const double ahead = energy(tank, w, x);
            coordinate = before - h;
            const double behind = energy(tank, w, x);
            coordinate = before;
            const Vec3d f = tank.force(i);
            const double component = axis == 0 ? f.x : axis == 1 ? f.y : f.z;
            error = std::max(error, std::abs(component + (ahead - behind) / (2 * h)));
        }
    }
    return error / largest;
}

template <class Shape>
void check_force_is_energy_gradient(KernelName kernel, bool walls) {
    for (const int d : {2, 3}) {
        Tank tank(d, kernel, {water(), oil()});
        if (walls) {
            tank.sense_walls = [](Tank& t) {
                for (Index i = 0; i < t.particles.size(); ++i)
                    t.walls[i] = corner(t, t.particles.position[i]);
            };
        }
        Stream random(17);
        // Squeezed, so that most particles are under pressure and some are not.
        tank.fill(d == 2 ? 7 : 4, 0.085, 0.02, random);
        tank.evaluate();
        int squeezed = 0;
        for (const float p : tank.particles.pressure) squeezed += p > 0;
        CHECK(squeezed > static_cast<int>(tank.particles.size() / 4));
        // Without walls all is smooth, and single precision of the forces sets the tolerance. The walls'
        // tables are linear between entries H/256 apart: a difference over that width errs by its square.
        const double h = walls ? Tank::support / 256 : 1e-6;
        CHECK(force_error(tank, Kernel<Shape, double>(Tank::support, d), h) < (walls ? 0.01 : 2e-5));
    }
}

}  // namespace

TEST_CASE("the pressure force is the gradient of the energy of compression") {
    check_force_is_energy_gradient<WendlandC2>(KernelName::wendland_c2, false);
    check_force_is_energy_gradient<Spiky>(KernelName::spiky, false);
    check_force_is_energy_gradient<Poly6>(KernelName::poly6, false);
    check_force_is_energy_gradient<CubicSpline>(KernelName::cubic_spline, false);
    check_force_is_energy_gradient<Cosine>(KernelName::cosine, false);
}

TEST_CASE("pressure and walls together are the gradient of the energy of compression") {
    check_force_is_energy_gradient<WendlandC2>(KernelName::wendland_c2, true);
    check_force_is_energy_gradient<Spiky>(KernelName::spiky, true);
    check_force_is_energy_gradient<Poly6>(KernelName::poly6, true);
    check_force_is_energy_gradient<CubicSpline>(KernelName::cubic_spline, true);
    check_force_is_energy_gradient<Cosine>(KernelName::cosine, true);
}
