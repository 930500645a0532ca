#include "particles/position.h"

#include <doctest/doctest.h>

#include <vector>

#include "unit/core/generators.h"

using namespace thixo;

TEST_CASE("a position and what is cut off from it are the position") {
    Stream random(1);
    std::vector<Vec3d> points;
    for (int k = 0; k < 27; ++k) {
        const Vec3f whole = random.point(-20, 20), part = random.point(-1e-7f, 1e-7f);
        points.push_back(to_double(whole) + to_double(part));
    }
    for (const Vec3d& x : points) {
        const Vec3f low = cut_off(x);
        CHECK(norm(low) > 0);
        CHECK(norm(to_double(to_float(x)) + to_double(low) - x) < 1e-13);
    }
}

TEST_CASE("ways below the last digit of a position add up") {
    Vec3f x{10, -7, 0.1f}, low{}, rounded = x;
    const Vec3f way{1e-8f, 3e-8f, -1e-10f};
    for (int k = 0; k < 100000; ++k) {
        move(x, low, way);
        rounded += way;
    }
    const Vec3d end = to_double(x) + to_double(low);
    CHECK(end.x == doctest::Approx(10.001).epsilon(1e-9));
    CHECK(end.y == doctest::Approx(-6.997).epsilon(1e-9));
    CHECK(end.z == doctest::Approx(0.09999).epsilon(1e-7));
    CHECK(rounded.x == 10);
}
