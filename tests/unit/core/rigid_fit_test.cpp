#include "core/rigid_fit.h"

#include <vector>

#include <doctest/doctest.h>

using namespace thixo;

namespace {

const std::vector<Vec3d> corners{{0.3, -1, 2}, {1, 0.2, -0.4}, {-0.7, 0.9, 0.1}, {0.5, 0.6, -1.2}};

}  // namespace

TEST_CASE("a rigid motion is found again, and any motion keeps its momentum and angular momentum") {
    const RigidMotion motion{{0.2, -0.5, 1}, {3, -1, 0.7}};
    RigidFit rigid, any;
    Vec3d momentum, angular_momentum;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const double m = 1 + 0.5 * static_cast<double>(k);
        const Vec3d v = motion.at(corners[k]), other = cross(corners[k], v) + corners[(k + 1) % 4];
        rigid.add(m, corners[k], m * v);
        any.add(m, corners[k], m * other);
        momentum += m * other;
        angular_momentum += m * cross(corners[k], other);
    }
    const RigidMotion found = rigid.motion(1e-12), mean = any.motion(1e-12);
    CHECK(norm(found.velocity - motion.velocity) < 1e-9);
    CHECK(norm(found.spin - motion.spin) < 1e-9);
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const double m = 1 + 0.5 * static_cast<double>(k);
        momentum += -m * mean.at(corners[k]);
        angular_momentum += -m * cross(corners[k], mean.at(corners[k]));
    }
    CHECK(norm(momentum) < 1e-9);
    CHECK(norm(angular_momentum) < 1e-9);
}

TEST_CASE("points in a line turn about axes across it only, and a single point does not turn") {
    RigidFit line;
    for (const double x : {-1.0, 0.0, 2.0}) line.add(1, {x, 0, 0}, {0, 3 * x, 0});
    const RigidMotion turning = line.motion(1e-9);
    CHECK(norm(turning.spin - Vec3d{0, 0, 3}) < 1e-6);
    RigidFit point;
    point.add(2, {1, 1, 1}, {2, 4, 6});
    CHECK(norm(point.motion(1e-9).velocity - Vec3d{1, 2, 3}) < 1e-12);
    CHECK(norm(RigidFit{}.motion(1e-9).velocity) == 0);
}
