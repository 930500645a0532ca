#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "particles/lattice.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

int count_within(const std::vector<Vec3d>& points, double low, double high) {
    int count = 0;
    for (const Vec3d& p : points) count += norm(p) > low && norm(p) < high;
    return count;
}

}  // namespace

TEST_CASE("shells of neighbours are those of the square, hexagonal, cubic and face-centred cubic lattice") {
    struct Expected {
        Lattice lattice;
        int dimensions;
        int shells[3];
        double radii[3];
    };
    const double r2 = std::sqrt(2.0), r3 = std::sqrt(3.0);
    for (const Expected& e : {Expected{Lattice::cubic, 2, {4, 4, 4}, {1, r2, 2}},
                              Expected{Lattice::closest, 2, {6, 6, 6}, {1, r3, 2}},
                              Expected{Lattice::cubic, 3, {6, 12, 8}, {1, r2, r3}},
                              Expected{Lattice::closest, 3, {12, 6, 24}, {1, r2, r3}},
                              Expected{Lattice::layered_hexagonal, 2, {6, 6, 6}, {1, r3, 2}},
                              Expected{Lattice::layered_hexagonal, 3, {12, 6, 18}, {1, r2, r3}}}) {
        const double s = 0.3;
        const std::vector<Vec3d> points = lattice_around_origin(e.lattice, s, e.dimensions, 2.01 * s);
        CHECK(points.front() == Vec3d{0, 0, 0});
        CHECK(count_within(points, -1, 0.999 * s) == 1);  // no point closer than the spacing
        for (int k = 0; k < 3; ++k)
            CHECK(count_within(points, 0.999 * s * e.radii[k], 1.001 * s * e.radii[k]) == e.shells[k]);
        for (const Vec3d& p : points) {
            CHECK(norm(p) < 2.01 * s);
            if (e.dimensions == 2) CHECK(p.z == 0);
            // A lattice looks the same from both sides of each of its points. Nested layers do not: above and
            // below lie the same hollows.
            const bool nested = e.lattice == Lattice::layered_hexagonal && e.dimensions == 3 &&
                                std::abs(std::abs(p.y) - s * std::sqrt(2.0 / 3)) < 1e-12;
            CHECK(nested != std::any_of(points.begin(), points.end(),
                                        [&](const Vec3d& q) { return norm(p + q) < 1e-12; }));
        }
    }
}

TEST_CASE("the volume of a cell is the space divided by the number of points") {
    constexpr double pi = std::numbers::pi;
    const double s = 0.1, radius = 2;
    for (const Lattice lattice : {Lattice::cubic, Lattice::closest, Lattice::layered_hexagonal}) {
        for (const int d : {2, 3}) {
            const double count = static_cast<double>(lattice_around_origin(lattice, s, d, radius).size());
            const double ball = d == 2 ? pi * radius * radius : 4. / 3 * pi * radius * radius * radius;
            // Only cells that the surface cuts can be miscounted: a shell one spacing thick.
            const double shell = d == 2 ? 2 * pi * radius * s : 4 * pi * radius * radius * s;
            CHECK(std::abs(count * cell_volume(lattice, s, d) - ball) < shell / 2);
        }
    }
    CHECK(cell_volume(Lattice::cubic, 0.5, 3) == near(0.125));
    CHECK(cell_volume(Lattice::cubic, 0.5, 2) == near(0.25));
    CHECK(cell_volume(Lattice::closest, 1, 3) == near(1 / std::sqrt(2.0)));
    CHECK(cell_volume(Lattice::closest, 1, 2) == near(std::sqrt(3.0) / 2));
    CHECK(cell_volume(Lattice::layered_hexagonal, 1, 3) == near(1 / std::sqrt(2.0)));
}

TEST_CASE("a radius that ends on a shell does not include it") {
    CHECK(lattice_around_origin(Lattice::cubic, 1, 3, 1).size() == 1);
    CHECK(lattice_around_origin(Lattice::cubic, 1, 3, 1.0001).size() == 7);
}
