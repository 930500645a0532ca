#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "particles/lattice.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr Lattice lattices[] = {Lattice::cubic, Lattice::closest, Lattice::layered_hexagonal};

double nearest_pair(const std::vector<Vec3d>& points) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) nearest = std::min(nearest, norm(points[i] - points[j]));
    return nearest;
}

/// No point of space is farther from a lattice point than this.
double covering_radius(Lattice lattice, double s, int dimensions) {
    if (lattice == Lattice::cubic) return s * std::sqrt(double(dimensions)) / 2;
    return dimensions == 2 ? s / std::sqrt(3.0) : s / std::sqrt(2.0);
}

}  // namespace

TEST_CASE("a box of whole spacings is filled to the last place, half a spacing from its faces") {
    CHECK(rc::check([] {
        const int nx = *rc::gen::inRange(1, 12), ny = *rc::gen::inRange(1, 12), nz = *rc::gen::inRange(1, 12);
        const double s = any_real(0.01, 0.3);
        const Vec3d min = any_point(-1, 1);
        for (const int d : {2, 3}) {
            const Box box{min, min + s * Vec3d{double(nx), double(ny), double(nz)}};
            const std::vector<Vec3d> points = sample(box, Lattice::cubic, s, d);
            RC_ASSERT(static_cast<int>(points.size()) == nx * ny * (d == 2 ? 1 : nz));
            Vec3d sum{};
            for (const Vec3d& p : points) {
                sum += p;
                RC_ASSERT(signed_distance(box, p, d).distance < -0.499 * s);
                if (d == 2) RC_ASSERT(p.z == 0);
            }
            const Vec3d center = sum / static_cast<double>(points.size()), middle = 0.5 * (box.min + box.max);
            RC_ASSERT(norm(center - (d == 2 ? Vec3d{middle.x, middle.y, 0} : middle)) < 1e-9);
            const Vec3d first = box.min + 0.5 * s * Vec3d{1, 1, 1};
            RC_ASSERT(norm(points.front() - (d == 2 ? Vec3d{first.x, first.y, 0} : first)) < 1e-9);
        }
    }));
}

TEST_CASE("samples lie inside, no two nearer than the spacing") {
    CHECK(rc::check([] {
        const double s = any_real(0.2, 0.33);
        const Vec3d at = any_point(-1, 1);
        for (const int d : {2, 3}) {
            const Vec3d center = d == 2 ? Vec3d{at.x, at.y, 0} : at;
            for (const Lattice lattice : lattices) {
                for (const Shape& shape : {Shape(Box{center, center + any_point(0.3, 1.5)}),
                                           Shape(Sphere{center, any_real(0.3, 0.8)})}) {
                    const std::vector<Vec3d> points = sample(shape, lattice, s, d);
                    for (const Vec3d& p : points) RC_ASSERT(signed_distance(shape, p, d).distance < 0);
                    RC_ASSERT(!points.empty());
                    if (points.size() > 1) RC_ASSERT(nearest_pair(points) > s * (1 - 1e-9));
                }
            }
        }
    }));
}

TEST_CASE("points come in the order z, y, x") {
    const std::vector<Vec3d> points = sample(Sphere{{0, 0, 0}, 1}, Lattice::closest, 0.3, 3);
    for (std::size_t k = 1; k < points.size(); ++k) {
        const Vec3d &a = points[k - 1], &b = points[k];
        const bool ascending =
            a.z < b.z - 1e-9 || (a.z < b.z + 1e-9 && (a.y < b.y - 1e-9 || (a.y < b.y + 1e-9 && a.x < b.x)));
        CHECK(ascending);
    }
}

TEST_CASE("the space that a ball's particles fill tends to the ball's") {
    constexpr double pi = std::numbers::pi;
    const Sphere ball{{0.3, -0.2, 0}, 0.5};
    for (const int d : {2, 3}) {
        const auto volume = [&](double r) { return d == 2 ? pi * r * r : 4. / 3 * pi * r * r * r; };
        for (const Lattice lattice : lattices) {
            for (const double s : {0.1, 0.05, 0.025, 0.0171}) {
                const double filled =
                    static_cast<double>(sample(ball, lattice, s, d).size()) * cell_volume(lattice, s, d);
                // The cells of the points inside cover the ball less a covering radius, and lie within the
                // ball plus one. Layers that stick into the ball by less than an eighth of a spacing may be
                // missing.
                const double rho = covering_radius(lattice, s, d);
                CHECK(filled < volume(ball.radius + rho));
                CHECK(filled > volume(ball.radius - rho - s / 8));
            }
            // The bound allows a few percent; the errors of the cut cells cancel for the most part.
            const double s = 0.0125, filled = static_cast<double>(sample(ball, lattice, s, d).size()) *
                                              cell_volume(lattice, s, d);
            CHECK(filled == near(volume(ball.radius), 0.02));
        }
    }
}

TEST_CASE("a shape thinner than the spacing still holds a layer") {
    const std::vector<Vec3d> points = sample(Box{{0, 0, 0}, {1, 0.02, 1}}, Lattice::cubic, 0.1, 3);
    CHECK(points.size() == 100);
    for (const Vec3d& p : points) CHECK(p.y == near(0.01));
}

TEST_CASE("the lattice turns with its shape") {
    for (const int d : {2, 3}) {
        const Vec3d angles{d == 2 ? 0. : 20., d == 2 ? 0. : -35., 25};
        const Placement place{2, Rotation(angles), {0.3, 0.1, 0}};
        const Box box{{-0.5, -0.2, -0.1}, {0.5, 0.2, 0.1}};
        const std::vector<Vec3d> straight = sample(Shape(box, {2}), Lattice::cubic, 0.1, d);
        const std::vector<Vec3d> turned = sample(Shape(box, place), Lattice::cubic, 0.1, d);
        REQUIRE(turned.size() == straight.size());
        for (std::size_t i = 0; i < turned.size(); ++i)
            CHECK(norm(turned[i] - (place.rotate.apply(straight[i]) + place.translate)) < 1e-12);
    }
}

TEST_CASE("an orientation turns the lattice within the shape") {
    const double s = 0.1;
    for (const int d : {2, 3}) {
        const Rotation turn({d == 2 ? 0. : 20., d == 2 ? 0. : -35., 25}), tilt({0, 0, 40});
        for (const Lattice lattice : {Lattice::cubic, Lattice::closest}) {
            Object object{.lattice = lattice, .orientation = turn, .shape = Box{{0, 0, 0}, {2, 1, 0.8}}};
            object.shape.placement.rotate = tilt;
            const std::vector<Vec3d> points = sample(object.shape, lattice, s, d, {}, turn);
            const double volume = d == 2 ? 2 : 1.6;
            CHECK(static_cast<double>(points.size()) * cell_volume(lattice, s, d) == near(volume, 0.05));
            // Seen in its own frame it is the lattice as it is around any of its points.
            const std::vector<Vec3d> around = lattice_around_origin(lattice, s, d, 2.6);
            const Mat3d back = transposed(lattice_frame(object, d));
            const auto is_of_lattice = [&](const Vec3d& x) {
                return std::any_of(around.begin(), around.end(),
                                   [&](const Vec3d& p) { return norm(p - x) < 1e-9; });
            };
            for (std::size_t i = 0; i < points.size(); i += 37) {
                CHECK(signed_distance(object.shape, points[i], d).distance < 0);
                CHECK(is_of_lattice(back * (points[i] - points[0])));
            }
        }
    }
}
