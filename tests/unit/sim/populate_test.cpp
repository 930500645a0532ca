#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "unit/core/near.h"
#include "unit/sim/splash.h"

using namespace thixo;

TEST_CASE("particles are what their object says") {
    for (const int d : {2, 3}) {
        for (const Lattice lattice : {Lattice::cubic, Lattice::closest, Lattice::layered_hexagonal}) {
            Splash splash(0.1, d);
            Object& right = splash.objects[1];
            right.lattice = lattice;
            right.temperature = 55;
            right.phase = Phase::elastic;
            right.angular_velocity = {0, 0, 3};
            const ParticleTable p = populate(splash.model, splash.objects);
            const std::vector<Vec3d> points = sample(right.shape, lattice, 0.1, d);
            const Index first = p.size() - static_cast<Index>(points.size());
            const double volume = rest_volume(KernelName::cubic_spline, 0.2, d, lattice, 0.1);
            const Vec3d center = bounds(right.shape).center();
            CHECK(p.object[0] == 0);
            CHECK(p.object[first - 1] == 0);
            for (Index i = first; i < p.size(); ++i) {
                CHECK(p.id[i] == i);
                CHECK(p.position[i] == to_float(points[i - first]));
                CHECK(p.mass[i] == near(700 * volume, 1e-6));
                CHECK(p.radius[i] == 0.05f);
                CHECK(p.density[i] == 700);
                CHECK(p.temperature[i] == 55);
                CHECK(p.phase[i] == Phase::elastic);
                CHECK(p.material[i] == 1);
                CHECK(p.object[i] == 1);
                const Vec3d r = points[i - first] - center;
                const Vec3d v{-2 - 3 * r.y, -1 + 3 * r.x, 0};
                CHECK(norm(to_double(p.velocity[i]) - v) < 1e-5);
            }
        }
    }
}

TEST_CASE("the mass of a block is its density times its volume, up to calibration") {
    // Calibrated and cell volume differ by the kernel's discretisation error on this lattice.
    for (const int d : {2, 3}) {
        Model model;
        model.dimensions = d;
        model.particles.spacing = 0.05;
        model.materials = {water()};
        const ParticleTable p =
            populate(model, {{.name = "", .material = "water", .shape = Box{{0, 0, 0}, {1, 0.5, 0.5}}}});
        double mass = 0;
        for (const float m : p.mass) mass += m;
        const double volume = d == 2 ? 0.5 : 0.25;
        const double calibration = rest_volume(model.solver.kernel, 0.1, d, Lattice::cubic, 0.05) /
                                   cell_volume(Lattice::cubic, 0.05, d);
        CHECK(mass == near(1000 * volume * calibration, 1e-5));
        CHECK(std::abs(calibration - 1) < 0.1);
    }
}

TEST_CASE("a block flush with the walls starts at rest density everywhere") {
    for (const int d : {2, 3}) {
        Model model;
        model.dimensions = d;
        model.particles.spacing = 0.1;
        model.materials = {water()};
        const Box box{{0, 0, 0}, {1, 1, 1}};
        model.obstacles = {{.name = "tank", .shape = box, .inside = true}};
        const Simulation sim(model, populate(model, {{.name = "", .material = "water", .shape = box}}),
                             Device{1});
        for (Index i = 0; i < sim.particles().size(); ++i) {
            const Vec3f x = sim.particles().position[i];
            int walls = 0;
            const auto touch = [](float a) { return a < 0.1f || a > 0.9f; };
            walls += touch(x.x) + touch(x.y) + (d == 3 && touch(x.z));
            // Within 1 % at a wall; edges and corners take the walls' overlap as the product of their shares.
            CHECK(std::abs(sim.particles().density[i] / 1000 - 1) < (walls == 0 ? 1e-5 : 0.01 * walls));
        }
    }
}

TEST_CASE("an unknown material is a mistake of the program") {
    Splash splash(0.2, 2);
    splash.objects[0].material = "lava";
    CHECK_THROWS_AS(populate(splash.model, splash.objects), std::logic_error);
}

TEST_CASE("overlaps are counted") {
    Model model;
    model.dimensions = 2;
    model.particles.spacing = 0.1;
    model.materials = {water()};
    model.obstacles = {{.name = "tank", .shape = Box{{0, 0, 0}, {2, 2, 0}}, .inside = true}};
    const auto block = [](double x0, double y0, double x1, double y1) {
        return Object{.name = "", .material = "water", .shape = Box{{x0, y0, 0}, {x1, y1, 0}}};
    };
    const auto count = [&](const std::vector<Object>& objects) {
        return count_overlaps(Simulation(model, populate(model, objects), Device{1}));
    };
    // Side by side, flush with each other and the walls: none.
    const Overlaps none = count({block(0, 0, 0.5, 0.5), block(0.5, 0, 1, 0.5)});
    CHECK(none.in_obstacles == 0);
    CHECK(none.in_other_objects == 0);
    // One column of five sticks out of the tank; the next stands 0.02 or 0.03 from its wall, and a quarter of
    // the spacing is the limit.
    CHECK(count({block(-0.13, 0.5, 0.37, 1)}).in_obstacles == 10);
    CHECK(count({block(-0.12, 0.5, 0.38, 1)}).in_obstacles == 5);
    // A block on top of another: in the shared columns every particle has one of the other object on it.
    const Overlaps shared = count({block(0.5, 0.5, 1, 1), block(0.8, 0.5, 1.3, 1)});
    CHECK(shared.in_other_objects == 2 * 2 * 5);
    CHECK(shared.in_obstacles == 0);
}

TEST_CASE("objects that cannot start where they are are found") {
    Model model;
    model.particles.spacing = 0.1;
    model.materials = {water()};
    model.obstacles = {{.name = "tank", .shape = Box{{0, 0, 0}, {2, 2, 2}}, .inside = true},
                       {.name = "rock", .shape = Sphere{{1, 0, 1}, 0.5}}};
    const auto reason = [&](const Shape& shape) -> std::string {
        const std::vector<Object> objects{
            {.name = "pool", .material = "water", .shape = Box{{0, 1, 0}, {2, 1.5, 2}}},
            {.name = "ball", .material = "water", .shape = shape}};
        const auto found = find_misplacement(model, objects, populate(model, objects));
        if (!found) return "";
        CHECK(found->object == 1);
        return found->reason;
    };
    CHECK(reason(Sphere{{1, 1.7, 1}, 0.3}) == "");
    // Up to a spacing deep is an overlap that the walls can push out.
    CHECK(reason(Box{{0, 1.5, 0}, {2, 2.1, 2}}) == "");
    CHECK(reason(Box{{0, 1.5, 0}, {2, 2.3, 2}}).find("outside the container `tank`, up to 0.25 m") !=
          std::string::npos);
    CHECK(reason(Sphere{{1, 0.1, 1}, 0.2}).find("inside the obstacle `rock`") != std::string::npos);
    CHECK(reason(Sphere{{1, 1.7, 1}, 0.08}) == "no particle fits into it at a spacing of 0.1 m");
}
