#include "rigid/rigid_corner.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

using namespace thixo;

namespace {

constexpr double spacing = 0.1;

RigidMember with_faces(std::initializer_list<Vec3d> normals) {
    RigidMember member{};
    for (const Vec3d& n : normals) member.normal[member.faces++] = to_float(normalized(n));
    return member;
}

Vec3d direction() {
    const auto part = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
    const Vec3d n{part(), part(), part()};
    RC_PRE(norm(n) > 0.1);
    return normalized(n);
}

}  // namespace

TEST_CASE("three faces at right angles meet in the corner of a cube") {
    const std::optional<Vec3d> corner = corner_of(with_faces({{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}), spacing);
    REQUIRE(corner);
    CHECK(norm(*corner - Vec3d{0.05, -0.05, 0.05}) < 1e-12);
}

TEST_CASE("a ridge of three faces has no corner, whatever rounding does to its normals") {
    for (const double error : {0.0, 1e-7, -1e-7, 1e-3}) {
        const double c = std::cos(2 * M_PI / 3), s = std::sin(2 * M_PI / 3);
        CHECK_FALSE(corner_of(with_faces({{1, 0, 0}, {c, s, 0}, {c, -s, error}}), spacing));
        CHECK_FALSE(corner_of(with_faces({{1, 0, error}, {-c, s, 0}, {c, s, 0}}), spacing));
    }
}

TEST_CASE("corners lie in all of their faces and within 1.12 spacings") {
    CHECK(rc::check("random normals", [] {
        const RigidMember member = with_faces({direction(), direction(), direction()});
        const std::optional<Vec3d> corner = corner_of(member, spacing);
        if (!corner) return;
        RC_ASSERT(norm(*corner) < 1.12 * spacing);
        for (const Vec3f& n : member.normal)
            RC_ASSERT(std::abs(dot(to_double(n), *corner) - 0.5 * spacing) < 1e-6 * spacing);
    }));
}
