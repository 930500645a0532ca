#include <doctest/doctest.h>

#include "particles/lattice.h"
#include "unit/core/generators.h"
#include "unit/lattice/crystal.h"

using namespace thixo;

namespace {

/// Of the whole lattice within a few spacings, by trying all.
double nearest_distance(int dimensions, const Vec3d& y) {
    static const std::vector<Vec3d> points[] = {lattice_around_origin(Lattice::closest, 1, 2, 7),
                                                lattice_around_origin(Lattice::closest, 1, 3, 7)};
    double best = 1e9;
    for (const Vec3d& l : points[dimensions - 2]) best = std::min(best, norm2(y - l));
    return best;
}

}  // namespace

TEST_CASE("the nearest lattice point is found exactly") {
    for (const int dimensions : {2, 3}) {
        const LatticePoints lattice(dimensions);
        CHECK(rc::check([&] {
            Vec3<Lanes> y{};
            Vec3d places[lane_count];
            for (Index l = 0; l < lane_count; ++l) {
                Vec3d& p = places[l] = to_double(to_float(any_point(-3, 3)));
                if (dimensions == 2) p.z = 0;
                y.x[l] = static_cast<float>(p.x);
                y.y[l] = static_cast<float>(p.y);
                y.z[l] = static_cast<float>(p.z);
            }
            const NearestPoints found = lattice.nearest(y);
            const LaneMask next = lattice.next_to_origin(found.numbers);
            for (Index l = 0; l < lane_count; ++l) {
                // The point itself is one of the lattice, and none is nearer; float resolves distances to
                // some 1e-6.
                RC_ASSERT(std::abs(found.distance2[l] - nearest_distance(dimensions, places[l])) < 1e-5);
                const double i = found.numbers.x[l], j = found.numbers.y[l], k = found.numbers.z[l];
                RC_ASSERT(std::fmod(i + j + k, 2) == 0);
                const double pitch = std::sqrt(0.5), row = std::sqrt(0.75);
                const Vec3d point = dimensions == 2 ? Vec3d{i / 2, j * row, k} : Vec3d{i, j, k} * pitch;
                RC_ASSERT(std::abs(norm2(places[l] - point) - found.distance2[l]) < 1e-5);
                RC_ASSERT((next[l] != 0) == (std::abs(norm(point) - 1) < 1e-6));
                if (!next[l]) continue;
                const Index number =
                    lattice.number(static_cast<int>(LatticePoints::table_place(found.numbers)[l]));
                RC_ASSERT(norm(to_double(lattice.point(number)) - point) < 1e-6);
            }
        }));
    }
}

TEST_CASE("lattice points come in opposite pairs, all at one distance") {
    for (const int dimensions : {2, 3}) {
        const LatticePoints lattice(dimensions);
        CHECK(lattice.count() == (dimensions == 2 ? 6 : 12));
        Mat3f moment{};
        for (Index s = 0; s < lattice.count(); ++s) {
            CHECK(norm(lattice.point(s)) == doctest::Approx(1));
            CHECK(norm(lattice.point(s) + lattice.point(lattice.opposite(s))) < 1e-6f);
            moment += outer(lattice.point(s), lattice.point(s));
        }
        CHECK(moment.x.x == doctest::Approx(dimensions == 2 ? 3 : 4));
        CHECK(moment.y.y == doctest::Approx(dimensions == 2 ? 3 : 4));
    }
}
