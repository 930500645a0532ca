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

TEST_CASE("the faces of a prism of six sides meet in edges, those of one of eight do not") {
    const auto meet = [](int sides) {
        const double turn = 2 * M_PI / sides;
        return corner_of(with_faces({{1, 0, 0}, {std::cos(turn), std::sin(turn), 0}}), spacing).has_value();
    };
    CHECK(meet(6));
    CHECK_FALSE(meet(8));
}

TEST_CASE("narrow faces lie along nearest neighbours, with a layer behind them") {
    const auto faces = [](const std::vector<Vec3d>& near) {
        RigidMember member{};
        add_narrow_faces(near, 2, member);
        return std::vector<Vec3f>(member.normal, member.normal + member.faces);
    };
    // Beside a corner that is cut off at 45°, where layers of closest packings are 1/√2 apart.
    const std::vector<Vec3f> cut = faces({{1, -1, 0}, {-1, 0, 0}, {0, -1 / std::sqrt(2), 0}});
    REQUIRE(cut.size() == 1);
    CHECK(norm(cut[0] - Vec3f{0, 1, 0}) < 1e-6f);
    CHECK(faces({{-1, 0, 0}, {1, 0, 0}, {0.5, -1 / std::sqrt(2), 0}}).size() == 1);
    // A twentieth of a spacing is no step, a quarter is one.
    CHECK(faces({{-1, 0.0, 0}, {1, 0.04, 0}, {0, -1, 0}}).size() == 1);
    CHECK(faces({{-1, 0.0, 0}, {1, 0.25, 0}, {0.97, -0.25, 0}, {0, -1, 0}}).empty());
    // A strip that is bent has nothing behind it.
    CHECK(faces({{-1, 0.0, 0}, {0.9, -0.4, 0}}).empty());
}
