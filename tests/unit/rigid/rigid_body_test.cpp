#include "rigid/rigid_body.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <vector>

using namespace thixo;

namespace {

/// Σ m v and Σ m (x − about) × v.
struct Moments {
    double mass = 0;
    Vec3d linear, angular;
};

Moments moments(const std::vector<MassPoint>& points, const Vec3d& about) {
    Moments sum;
    for (const MassPoint& p : points) {
        sum.mass += p.mass;
        sum.linear += p.mass * p.velocity;
        sum.angular += p.mass * cross(p.position - about, p.velocity);
    }
    return sum;
}

Moments moments(const RigidBody& body, const Vec3d& about) {
    return {body.mass, body.mass * body.velocity,
            body.angular_momentum + body.mass * cross(body.center - about, body.velocity)};
}

/// A box of n particles along each edge, with a velocity field that need not be rigid.
std::vector<MassPoint> lattice(int nx, int ny, int nz, double spacing) {
    std::vector<MassPoint> points;
    for (int i = 0; i < nx; ++i) {
        for (int j = 0; j < ny; ++j) {
            for (int k = 0; k < nz; ++k) {
                const Vec3d x{i * spacing, j * spacing, k * spacing};
                points.push_back({0.1 + 0.01 * i, x, {1 + x.y, 0.5 - x.x * x.z, x.x}});
            }
        }
    }
    return points;
}

std::vector<MassPoint> spinning_box(const Vec3d& omega) {
    std::vector<MassPoint> points = lattice(7, 5, 3, 0.1);
    const Vec3d center{0.3, 0.2, 0.1};
    for (MassPoint& p : points) p = {0.1, p.position, cross(omega, p.position - center)};
    return points;
}

}  // namespace

TEST_CASE("the inertia of a box is that of its layers of particles") {
    constexpr int n[] = {7, 5, 3};
    constexpr double spacing = 0.1, m = 0.1;
    const std::vector<MassPoint> points = spinning_box({});
    const RigidBody body = assemble(points);
    // Σ (k − (n−1)/2)² over a row of n is n (n² − 1)/12.
    const auto spread = [&](int a) {
        return m * spacing * spacing * (n[a] * n[a] - 1) / 12.0 * (n[0] * n[1] * n[2]);
    };
    CHECK(body.mass == doctest::Approx(10.5));
    CHECK(norm(body.center - Vec3d{0.3, 0.2, 0.1}) < 1e-12);
    CHECK(body.inertia.x.x == doctest::Approx(spread(1) + spread(2)));
    CHECK(body.inertia.y.y == doctest::Approx(spread(0) + spread(2)));
    CHECK(body.inertia.z.z == doctest::Approx(spread(0) + spread(1)));
    CHECK(norm2(body.inertia * body.inverse_inertia - identity<double>()) < 1e-20);
}

TEST_CASE("a body has the momentum and the angular momentum of its particles, however few or flat they are") {
    CHECK(rc::check([] {
        const auto number = [] { return *rc::gen::inRange(-1000, 1001) * 1e-3; };
        const int count = *rc::gen::inRange(1, 12), shape = *rc::gen::inRange(0, 3);
        const Vec3d place{10 * number(), number(), number()}, u{1, number(), number()}, w{number(), 1, 0.5};
        std::vector<MassPoint> points;
        for (int k = 0; k < count; ++k) {
            const Vec3d x = shape == 0   ? number() * u  // on a line
                            : shape == 1 ? number() * u + number() * w
                                         : Vec3d{number(), number(), number()};
            points.push_back({1 + 0.9 * number(), place + x, {number(), number(), number()}});
        }
        const RigidBody body = assemble(points);
        const Moments before = moments(points, {}), after = moments(body, {});
        RC_ASSERT(norm(before.linear - after.linear) < 1e-12 * count);
        RC_ASSERT(norm(before.angular - after.angular) < 1e-11 * count);
        // What a rigid motion keeps of it is never more energy than there was.
        double energy = 0;
        for (const MassPoint& p : points) energy += 0.5 * p.mass * norm2(p.velocity);
        RC_ASSERT(body.kinetic_energy() < energy * (1 + 1e-9) + 1e-12);
        // And the spin has that angular momentum, as far as the particles can have any.
        const Vec3d omega = body.angular_velocity();
        RC_ASSERT(std::isfinite(norm(omega)));
        if (count > 1) RC_ASSERT(norm(body.inertia * omega - body.angular_momentum) < 1e-6);
    }));
}

TEST_CASE("one, two and three particles fly on and turn") {
    for (const int count : {1, 2, 3}) {
        std::vector<MassPoint> points;
        for (int k = 0; k < count; ++k)
            points.push_back({0.2, {0.1 * k, 0.05 * k * k, 0}, {1, 2.0 * k, 0.5 * k}});
        RigidBody body = assemble(points);
        const Moments start = moments(body, {});
        const double energy = body.kinetic_energy();
        for (int k = 0; k < 1000; ++k) body.advance(0.01);
        CAPTURE(count);
        CHECK(norm(moments(body, {}).linear - start.linear) < 1e-12);
        CHECK(norm(moments(body, {}).angular - start.angular) < 1e-11);
        CHECK(body.kinetic_energy() == doctest::Approx(energy).epsilon(1e-4));
        CHECK(norm(body.center - points.front().position) > 5);
    }
}

TEST_CASE(
    "a free body about its middle axis turns over again and again, and keeps energy and angular momentum") {
    // Axes of the box are x (longest, smallest moment), y (middle), z. Dzhanibekov's wing nut.
    RigidBody body = assemble(spinning_box({0.05, 5, 0.05}));
    const double energy = body.kinetic_energy();
    const Vec3d momentum = body.angular_momentum;
    const double dt = 0.01;
    int flips = 0;
    double last = 1, worst = 0, extreme = 1;
    for (int k = 0; k < 2000; ++k) {
        body.advance(dt);
        // The middle axis, seen along the angular momentum.
        const double along = dot(matrix(body.orientation) * Vec3d{0, 1, 0}, momentum) / norm(momentum);
        flips += (along > 0) != (last > 0);
        last = along;
        extreme = std::min(extreme, along);
        worst = std::max(worst, std::abs(body.kinetic_energy() / energy - 1));
    }
    CHECK(flips >= 3);
    CHECK(extreme < -0.98);
    CHECK(worst < 1e-4);
    CHECK(norm(body.angular_momentum - momentum) == 0);
    CHECK(std::abs(norm2(body.orientation.v) + body.orientation.w * body.orientation.w - 1) < 1e-12);
    // Second order: a tenth of the step, a hundredth of the error.
    RigidBody fine = assemble(spinning_box({0.05, 5, 0.05}));
    double finer = 0;
    for (int k = 0; k < 20000; ++k) {
        fine.advance(0.1 * dt);
        finer = std::max(finer, std::abs(fine.kinetic_energy() / energy - 1));
    }
    CHECK(finer < 0.03 * worst);
}

TEST_CASE("a rotation follows from its rotation vector") {
    const Vec3d angle{0.3, -0.7, 1.1};
    const Quaternion<double> q = turned({{}, 1}, angle);
    CHECK(norm(turn_of(matrix(q)) - angle) < 1e-14);
    CHECK(norm(turn_of(identity<double>())) == 0);
}

TEST_CASE("sums that follow particles that come and go are those of the particles there are") {
    const std::vector<MassPoint> points = spinning_box({0.5, 3, -1});
    const std::size_t half = points.size() / 2;
    // In another frame, as bodies have after a while.
    RigidBody body = assemble(points);
    body.orientation = turned(body.orientation, {0.3, -0.2, 0.9});
    const Mat3d turn = matrix(body.orientation);
    body.inertia = transposed(turn) * body.inertia * turn;
    MassSums sums(body);
    for (std::size_t k = half; k < points.size(); ++k) sums.add(points[k], -1);
    const RigidBody left = sums.body(0), anew = assemble({points.data(), half});
    CHECK(left.mass == doctest::Approx(anew.mass));
    CHECK(norm(left.center - anew.center) < 1e-13);
    CHECK(norm(left.velocity - anew.velocity) < 1e-13);
    CHECK(norm(left.angular_momentum - anew.angular_momentum) < 1e-13);
    CHECK(norm2(left.inertia - anew.inertia) < 1e-26);
    for (std::size_t k = half; k < points.size(); ++k) sums.add(points[k]);
    CHECK(norm(sums.body(0).angular_momentum - body.angular_momentum) < 1e-13);
}
