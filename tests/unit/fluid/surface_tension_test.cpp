#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "unit/core/near.h"
#include "unit/fluid/pairs.h"

using namespace thixo;

namespace {

constexpr double sigma = 0.07;  ///< N/m

Material tense(Material material, double tension = sigma) {
    material.liquid.surface_tension = tension;
    return material;
}

Tank tank_of(int d, std::vector<Material> materials) {
    return {d, KernelName::wendland_c2, std::move(materials), without_pressure()};
}

/// Lattice points of a cube of `n` to each side about the origin, shifted at random by up to `jitter`, where
/// `kind(x)` is the material, or a negative number for none.
template <class Kind>
void fill(Tank& tank, int n, const Kind& kind, double jitter = 0) {
    Stream random(1);
    const int deep = tank.dimensions == 2 ? 1 : n;
    for (int k = 0; k < deep; ++k) {
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                const Vec3d middle{0.5 * (n - 1), 0.5 * (n - 1), 0.5 * (deep - 1)};
                const Vec3d x = Tank::spacing * (Vec3d{1. * i, 1. * j, 1. * k} - middle);
                Vec3d shift = jitter * to_double(random.point(-1, 1));
                if (tank.dimensions == 2) shift.z = 0;
                const int material = kind(x);
                if (material >= 0) tank.add(to_float(x + shift), {}, static_cast<std::uint16_t>(material));
            }
        }
    }
    tank.evaluate({2});
}

/// Acceleration at the surface of a drop with this radius, in spacings.
double typical(const Tank& tank, double radius) {
    return sigma / (tank.materials[0].density * radius * Tank::spacing * Tank::spacing);
}

/// Fluid above y = 0.
Tank half_space(int d) {
    Tank tank = tank_of(d, {tense(water())});
    fill(tank, d == 2 ? 60 : 30, [](const Vec3d& x) { return x.y > 0 ? 0 : -1; });
    return tank;
}

/// The rows that see nothing of where a half space ends in x and z.
std::vector<Index> far_from_edges(const Tank& tank) {
    const double width = (tank.dimensions == 2 ? 60 : 30) * Tank::spacing;
    std::vector<Index> rows;
    for (Index i = 0; i < tank.particles.size(); ++i) {
        const Vec3f x = tank.particles.position[i];
        if (width / 2 - std::max(std::abs(x.x), std::abs(x.z)) >= 6 * Tank::support && x.y < 0.1 * width)
            rows.push_back(i);
    }
    return rows;
}

double drop_radius(int d) { return (d == 2 ? 15 : 8) * Tank::spacing; }

Tank drop(int d) {
    Tank tank = tank_of(d, {tense(water())});
    fill(tank, d == 2 ? 32 : 18, [&](const Vec3d& x) { return norm(x) < drop_radius(d) ? 0 : -1; });
    return tank;
}

}  // namespace

TEST_CASE("surface tension acts at surfaces only") {
    for (const int d : {2, 3}) {
        const int n = d == 2 ? 40 : 24;
        Tank tank = tank_of(d, {tense(water())});
        fill(tank, n, [](const Vec3d&) { return 0; });
        int interior = 0;
        for (Index i = 0; i < tank.particles.size(); ++i) {
            const Vec3f x = tank.particles.position[i];
            const double depth =
                n * Tank::spacing / 2 - std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
            if (depth < 5 * Tank::support) continue;
            ++interior;
            // Normals are sums of 30 terms that cancel, to some roundings of 6·10⁻⁸, but curvatures of them
            // may be any.
            CHECK(norm(tank.acceleration[i]) < 1e-5 * typical(tank, 1));
        }
        CHECK(interior > 0);
        CHECK(largest(tank.acceleration) > 0.1 * typical(tank, 1));
    }
}

TEST_CASE("a flat surface feels no tension") {
    for (const int d : {2, 3}) {
        const Tank tank = half_space(d);
        int middle = 0;
        for (const Index i : far_from_edges(tank)) {
            if (tank.particles.position[i].y > Tank::support) continue;
            ++middle;
            CHECK(norm(tank.acceleration[i]) < 1e-3 * typical(tank, 10));
        }
        CHECK(middle > 0);
    }
}

TEST_CASE("a drop is under the pressure of Young and Laplace") {
    for (const int d : {2, 3}) {
        const double radius = drop_radius(d);
        const Tank tank = drop(d);
        double inwards = 0;
        for (Index i = 0; i < tank.particles.size(); ++i) {
            const Vec3d x = to_double(tank.particles.position[i]);
            inwards -= dot(tank.force(i), x / norm(x));
        }
        const double area = d == 2 ? 2 * std::numbers::pi * radius : 4 * std::numbers::pi * radius * radius;
        CHECK(inwards == near((d - 1) * sigma / radius * area, 0.15));
        CHECK(inwards > 0.95 * moments(tank, tank.acceleration).size);
    }
}

TEST_CASE("rounding errors have no tension") {
    for (const int d : {2, 3}) {
        const Tank flat = half_space(d);
        for (const Index i : far_from_edges(flat))
            CHECK(norm(flat.acceleration[i]) < 1e-3 * typical(flat, 10));
        const Tank round = drop(d);
        const Moments sum = moments(round, round.acceleration);
        CHECK(norm(sum.momentum) < 1e-5 * sum.size);
    }
}

TEST_CASE("the forces on one surface add up to nothing but for the curvature's error") {
    for (const int d : {2, 3}) {
        // An egg: no symmetry along x cancels what is wrong.
        Tank tank = tank_of(d, {tense(water())});
        const double radius = (d == 2 ? 12 : 8) * Tank::spacing;
        fill(tank, d == 2 ? 40 : 24, [&](const Vec3d& x) {
            const double slim = x.x > 0 ? 0.7 : 1;
            return norm(Vec3d{slim * x.x, x.y, x.z}) < radius ? 0 : -1;
        });
        const Moments sum = moments(tank, tank.acceleration);
        CHECK(sum.size > 0);
        CHECK(norm(sum.momentum) < 0.03 * sum.size);
    }
}

TEST_CASE("each material sees its own surface alone") {
    for (const int d : {2, 3}) {
        const int n = d == 2 ? 30 : 16;
        const double jitter = 0.02;
        // A ball within a block.
        const auto kind = [&](const Vec3d& x) { return norm(x) < 0.3 * n * Tank::spacing ? 0 : 1; };
        const auto place = [](const Tank& tank, Index i) {
            const Vec3f x = tank.particles.position[i];
            return std::tuple(x.x, x.y, x.z);
        };
        Tank both = tank_of(d, {tense(water()), tense(oil(), 0.03)});
        fill(both, n, kind, jitter);
        std::map<std::tuple<float, float, float>, Vec3f> alone;
        for (const int material : {0, 1}) {
            Tank one = tank_of(d, both.materials);
            fill(
                one, n, [&](const Vec3d& x) { return kind(x) == material ? material : -1; }, jitter);
            for (Index i = 0; i < one.particles.size(); ++i) alone[place(one, i)] = one.acceleration[i];
        }
        for (Index i = 0; i < both.particles.size(); ++i) {
            const Vec3f expected = alone.at(place(both, i));
            // Rows are in another order: sums are rounded otherwise.
            CHECK(norm(both.acceleration[i] - expected) < 1e-4 * typical(both, 1));
        }
    }
}

TEST_CASE("without tension nothing is added") {
    for (const double other : {0., sigma}) {
        Tank tank = tank_of(2, {tense(water(), 0), tense(oil(), other)});
        fill(tank, 20, [](const Vec3d& x) { return norm(x) < 0.6 ? 0 : 1; });
        for (Index i = 0; i < tank.particles.size(); ++i)
            if (tank.particles.material[i] == 0 || other == 0) CHECK(tank.acceleration[i] == Vec3f{});
        CHECK((largest(tank.acceleration) > 0) == (other > 0));
    }
}

TEST_CASE("surface tension does not depend on the number of threads") {
    std::vector<Vec3f> first;
    for (const int threads : {1, 2, 8}) {
        Tank tank = tank_of(3, {tense(water()), tense(oil())});
        Stream random(6);
        tank.fill(12, 0.1, 0.02, random);
        tank.evaluate(Device{threads});
        if (first.empty()) first = tank.acceleration;
        CHECK(tank.acceleration == first);
    }
}

namespace {

/// A drop whose particles are twice as large where `coarse(x)` says so.
template <class Coarse>
Tank mixed_drop(int d, double radius, const Coarse& coarse) {
    Tank tank = tank_of(d, {tense(water())});
    const double fine = Tank::spacing;
    const int n = static_cast<int>(std::ceil(radius / (2 * fine)));
    const auto add = [&](const Vec3d& x, double size) {
        if (norm(x) >= radius) return;
        tank.add(to_float(x));
        tank.scale(tank.particles.size() - 1, size);
    };
    for (int k = d == 2 ? 0 : -n; k < (d == 2 ? 1 : n); ++k) {
        for (int j = -n; j < n; ++j) {
            for (int i = -n; i < n; ++i) {
                const Vec3d x = 2 * fine * Vec3d{i + 0.5, j + 0.5, d == 2 ? 0 : k + 0.5};
                if (coarse(x)) {
                    add(x, 2);
                    continue;
                }
                for (int corner = 0; corner < (d == 2 ? 4 : 8); ++corner)
                    add(x + 0.5 * fine *
                                Vec3d{corner & 1 ? 1. : -1., corner & 2 ? 1. : -1.,
                                      d == 2       ? 0.
                                      : corner & 4 ? 1.
                                                   : -1.},
                        1);
            }
        }
    }
    tank.evaluate({2});
    return tank;
}

/// Force towards the middle over that of Young and Laplace, and the fraction of the force that points there.
struct Squeeze {
    double pressure, inwards, momentum;
};

Squeeze squeeze(const Tank& tank, double radius) {
    const int d = tank.dimensions;
    double inwards = 0;
    for (Index i = 0; i < tank.particles.size(); ++i) {
        const Vec3d x = to_double(tank.particles.position[i]);
        inwards -= dot(tank.force(i), x / norm(x));
    }
    const double area = d == 2 ? 2 * std::numbers::pi * radius : 4 * std::numbers::pi * radius * radius;
    const Moments sum = moments(tank, tank.acceleration);
    return {inwards / ((d - 1) * sigma / radius * area), inwards / sum.size, norm(sum.momentum) / sum.size};
}

}  // namespace

TEST_CASE("a drop of particles of different size is under the same pressure") {
    for (const int d : {2, 3}) {
        const double radius = (d == 2 ? 16 : 10) * Tank::spacing, deep = radius - 3 * Tank::spacing;
        const auto of = [&](double size, const auto& coarse) {
            return squeeze(mixed_drop(d, size * radius, coarse), size * radius);
        };
        const Squeeze fine = of(1, [](const Vec3d&) { return false; });
        // All lengths are twice as long.
        CHECK(of(2, [](const Vec3d&) { return true; }).pressure == near(fine.pressure, 1e-4));
        // Coarse inside, just below the surface, on one side.
        for (const Squeeze& mixed : {of(1, [&](const Vec3d& x) { return norm(x) < 0.5 * radius; }),
                                     of(1, [&](const Vec3d& x) { return norm(x) < deep; }),
                                     of(1, [](const Vec3d& x) { return x.x < 0; })}) {
            CAPTURE(d);
            CHECK(mixed.pressure == near(fine.pressure, 0.1));
            CHECK(mixed.inwards > 0.98);
            CHECK(mixed.momentum < 0.04);
        }
    }
}
