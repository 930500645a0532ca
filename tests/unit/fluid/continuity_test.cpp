#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "unit/core/near.h"
#include "unit/fluid/pairs.h"

using namespace thixo;

namespace {

/// With tension, which leaves the equation alone: without it densities also follow the sums.
Tank tank_of(int d) {
    Tank tank(d, KernelName::wendland_c2, {water(), oil()}, {.tension = true});
    Stream random(8);
    tank.fill(d == 2 ? 12 : 7, 0.09, 0.03, random);
    tank.evaluate();
    return tank;
}

template <class Field>
void move(Tank& tank, const Field& field) {
    for (Index i = 0; i < tank.particles.size(); ++i)
        tank.particles.velocity[i] = to_float(field(to_double(tank.particles.position[i])));
}

/// What one step adds to the densities. It is added to nothing, so that no digits are lost.
std::vector<float> added(Tank& tank, double dt, const Device& device = {1}) {
    std::fill(tank.particles.density.begin(), tank.particles.density.end(), 0.f);
    tank.fluid.advance_density(device, tank.state(), tank.particles.velocity, static_cast<float>(dt));
    return tank.particles.density;
}

/// The same from the sums before and after each particle moved by Δt v, in double precision.
double change_of_sum(const Tank& tank, Index i, double dt) {
    const Kernel<WendlandC2, double> kernel(Tank::support, tank.dimensions);
    const ParticleTable& p = tank.particles;
    double change = 0;
    for (Index j = 0; j < p.size(); ++j) {
        const Vec3d x = to_double(p.position[i]) - to_double(p.position[j]);
        const Vec3d v = to_double(p.velocity[i]) - to_double(p.velocity[j]);
        change += volume_of(tank, j) * (kernel.value(norm(x + dt * v)) - kernel.value(norm(x)));
    }
    return change * tank.materials[p.material[i]].density;
}

/// Mean difference of both.
double error(Tank& tank, double dt) {
    const std::vector<float> change = added(tank, dt);
    double sum = 0;
    for (Index i = 0; i < tank.particles.size(); ++i) sum += std::abs(change[i] - change_of_sum(tank, i, dt));
    return sum / tank.particles.size();
}

double mean(const std::vector<float>& values) {
    double sum = 0;
    for (const float a : values) sum += std::abs(a);
    return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("the density does not change while all move alike") {
    Tank tank = tank_of(3);
    move(tank, [](const Vec3d&) { return Vec3d{3, -1, 2}; });
    const std::vector<float> before = tank.particles.density;
    tank.fluid.advance_density({1}, tank.state(), tank.particles.velocity, 0.1f);
    CHECK(tank.particles.density == before);
}

TEST_CASE("the density does not change in a rotation, to second order of the step") {
    for (const int d : {2, 3}) {
        Tank tank = tank_of(d);
        const Vec3d spin = d == 2 ? Vec3d{0, 0, 1} : Vec3d{0.6, 0, 0.8};
        move(tank, [&](const Vec3d& x) { return cross(spin, x - Vec3d{0.5, 0.5, 0}); });
        // Chords are longer than the arcs: particles drift apart by (ω Δt)²/8 of their distance at mid-step.
        const double change = mean(added(tank, 0.1)), half = mean(added(tank, 0.05));
        CHECK(change > 0.1);
        CHECK(change < 0.01 * d * 1000);
        CHECK(change / half == near(4, 0.02));
    }
}

TEST_CASE("the density follows the sum in a compression, to second order of the step") {
    for (const int d : {2, 3}) {
        Tank tank = tank_of(d);
        move(tank, [](const Vec3d& x) { return -1. * x; });
        // One step with separations at mid-step errs by the third power of the step.
        const double dt = 0.02, coarse = error(tank, 2 * dt), fine = error(tank, dt);
        const double change = mean(added(tank, dt));
        CHECK(change > 0.5 * dt * d * 1000);
        CHECK(fine < dt * dt * change);
        CHECK(coarse / fine == near(8, 0.1));
    }
}

TEST_CASE("without tension densities inside a liquid that drifted return to the sums; small errors stay") {
    for (const int d : {2, 3}) {
        for (const double start : {0.9, 0.99, 1.01, 1.1}) {
            Tank tank(d, KernelName::wendland_c2, {water()});
            Stream random(8);
            tank.fill(9, Tank::spacing, 0, random);
            move(tank, [](const Vec3d&) { return Vec3d{}; });
            tank.evaluate();
            // Rows are sorted by cell: the densest is one inside.
            auto& all = tank.particles.density;
            const auto i = static_cast<Index>(std::max_element(all.begin(), all.end()) - all.begin());
            const float sum = all[i];
            CHECK(sum == near(1000, 1e-3));
            float& density = all[i];
            density = static_cast<float>(start * sum);
            for (int step = 0; step < 20000; ++step)
                tank.fluid.advance_density({1}, tank.state(), tank.particles.velocity, 1e-3f);
            CAPTURE(d);
            CAPTURE(start);
            // Below the sum the density is raised to that of rest at once: particles that merged may be
            // denser than their column says.
            if (start < 1)
                CHECK(density == near(1000, 1e-3));
            else if (start < 1.015)
                CHECK(density == near(start * sum, 1e-3));
            else
                CHECK(density == near(1.015 * sum, 5e-4));
        }
    }
}

namespace {

/// Densities after a long time at rest, `start` times that of rest at first, and whether rows are farther
/// than a support from the ends of the block or next to one of its sides alone.
struct Rested {
    Tank tank;
    std::vector<float> sum;  ///< relative, as if it were computed from positions
    std::vector<std::uint8_t> inside, side;

    Rested(int d, double pitch, double jitter, double start) : tank(d, KernelName::wendland_c2, {water()}) {
        Stream random(4);
        const int n = d == 2 ? 12 : 9;
        tank.fill(n, pitch, jitter, random);
        move(tank, [](const Vec3d&) { return Vec3d{}; });
        tank.evaluate();
        for (float& density : tank.particles.density) {
            sum.push_back(density / 1000);
            density = static_cast<float>(1000 * start);
        }
        for (int step = 0; step < 20000; ++step)
            tank.fluid.advance_density({1}, tank.state(), tank.particles.velocity, 1e-3f);
        for (const Vec3f& x : tank.particles.position) {
            int near = 0, beside = 0;
            for (const float at : {x.x, x.y, d == 3 ? x.z : static_cast<float>(0.5 * n * pitch)}) {
                const double edge = std::min(double{at}, n * pitch - at);
                near += edge < Tank::support;
                beside += edge < pitch;
            }
            inside.push_back(near == 0);
            side.push_back(near == 1 && beside == 1);
        }
    }
    double density(Index i) const { return tank.particles.density[i] / 1000; }
};

}  // namespace

TEST_CASE("densities at a free surface do not follow sums that lack neighbours, those inside do") {
    for (const int d : {2, 3}) {
        CAPTURE(d);
        const Rested calm(d, Tank::spacing, 0, 1.05), stirred(d, Tank::spacing, 0.004, 1.1),
            apart(d, 1.1 * Tank::spacing, 0, 1);
        int sides = 0, within = 0;
        for (Index i = 0; i < calm.sum.size(); ++i) {
            if (calm.side[i]) CHECK(calm.density(i) == near(1.05, 1e-5));
            sides += calm.side[i];
        }
        // Where matter was stirred, or has drifted apart, neighbours are on all sides.
        for (const Rested* moved : {&stirred, &apart}) {
            for (Index i = 0; i < moved->sum.size(); ++i) {
                if (moved->inside[i]) CHECK(moved->density(i) == near(moved->sum[i] + 0.015, 1e-3));
                within += moved->inside[i];
            }
        }
        CHECK(sides > 10);
        CHECK(within > 20);
    }
    // A thread of spray has neighbours on opposite sides, and too few.
    Tank thread(3, KernelName::wendland_c2, {water()});
    for (const float x : {-0.1f, 0.f, 0.1f}) thread.add({x, 0, 0});
    thread.evaluate();
    std::fill(thread.particles.density.begin(), thread.particles.density.end(), 1050.f);
    for (int step = 0; step < 1000; ++step)
        thread.fluid.advance_density({1}, thread.state(), thread.particles.velocity, 1e-3f);
    for (const float density : thread.particles.density) CHECK(density == near(1050, 1e-5));
}

TEST_CASE("the density's change does not depend on the number of threads") {
    Tank tank(3, KernelName::wendland_c2, {water()});
    Stream random(5);
    tank.fill(12, 0.09, 0.03, random);
    tank.evaluate();
    const std::vector<float> first = added(tank, 0.01);
    for (const int threads : {2, 8}) CHECK(added(tank, 0.01, Device{threads}) == first);
}
