#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geometry/height_surface.h"
#include "geometry/layer.h"
#include "geometry/mesh_distance.h"
#include "particles/lattice.h"
#include "sph/calibration.h"
#include "unit/core/near.h"
#include "unit/geometry/meshes.h"
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
            // Within 1 % at a wall; edges and corners take the walls' overlap as the product of their
            // fractions.
            CHECK(std::abs(sim.particles().density[i] / 1000 - 1) < (walls == 0 ? 1e-5 : 0.01 * walls));
        }
    }
}

TEST_CASE("an unknown material is a mistake of the program") {
    Splash splash(0.2, 2);
    splash.objects[0].material = "lava";
    CHECK_THROWS_AS(populate(splash.model, splash.objects), std::logic_error);
}

namespace {

Object block(double x0, double y0, double x1, double y1) {
    return {.name = "", .material = "water", .shape = Box{{x0, y0, 0}, {x1, y1, 0}}};
}

/// A tank in the plane, two metres wide, with particles 0.1 m apart.
Model tank_2d() {
    Model model;
    model.dimensions = 2;
    model.particles.spacing = 0.1;
    model.materials = {water()};
    model.obstacles = {{.name = "tank", .shape = Box{{0, 0, 0}, {2, 2, 0}}, .inside = true}};
    return model;
}

}  // namespace

TEST_CASE("boxes that touch each other and the walls lose nothing, whatever their size") {
    const Model model = tank_2d();
    for (const double width : {0.5, 0.45, 0.55, 0.52, 0.34, 0.95}) {
        for (const Lattice lattice : {Lattice::cubic, Lattice::closest}) {
            std::vector<Object> objects{block(0, 0, width, width), block(width, 0, 2 * width, width),
                                        block(0, width, width, 2 * width)};
            for (Object& object : objects) object.lattice = lattice;
            std::vector<Carving> carvings;
            populate(model, objects, &carvings);
            REQUIRE(carvings.size() == 3);
            for (const Carving& carving : carvings) CHECK(carving.carved() == 0);
        }
    }
}

TEST_CASE("particles in an obstacle, or nearer to it than a quarter of the spacing, are carved") {
    Model model = tank_2d();
    const auto carved = [&](const Object& object) {
        std::vector<Carving> carvings;
        const ParticleTable p = populate(model, {object}, &carvings);
        CHECK(p.size() + carvings[0].carved() == carvings[0].sampled);
        return carvings[0].by_obstacle;
    };
    // One column of five sticks out of the tank; the next stands 0.02 or 0.03 from its wall.
    CHECK(carved(block(-0.13, 0.5, 0.37, 1)) == std::vector<std::uint64_t>{10});
    CHECK(carved(block(-0.12, 0.5, 0.38, 1)) == std::vector<std::uint64_t>{5});
    // An obstacle that moves is in the way where it is at the start.
    model.obstacles.push_back({.name = "paddle", .shape = Box{{5, 0.5, 0}, {5.2, 1, 0}}});
    model.obstacles[1].motion.keyframes = {{.time = 0, .translate = {-4.5, 0, 0}}, {.time = 1}};
    CHECK(carved(block(0, 0.5, 1, 1)) == std::vector<std::uint64_t>{0, 10});
}

TEST_CASE("what comes later is carved by what came before") {
    const Model model = tank_2d();
    std::vector<Carving> carvings;
    const ParticleTable p =
        populate(model, {block(0.5, 0.5, 1, 1), block(0.8, 0.5, 1.3, 1), block(0, 0, 2, 2)}, &carvings);
    CHECK(carvings[0].carved() == 0);
    CHECK(carvings[1].by_object == std::vector<std::uint64_t>{10});
    CHECK(carvings[2].by_object == std::vector<std::uint64_t>{25, 15});
    CHECK(p.size() == 400);
    for (Index i = 0; i < p.size(); ++i) CHECK(p.id[i] == i);

    // Where round shapes touch, no particle starts on top of another.
    const Object ball{.name = "", .material = "water", .shape = Sphere{{1, 1.03, 0}, 0.42}};
    const ParticleTable round = populate(model, {ball, block(0, 0, 2, 2)}, nullptr);
    for (Index i = 0; i < round.size(); ++i) {
        for (Index j = 0; j < i; ++j) CHECK(norm(round.position[i] - round.position[j]) > 0.048f);
    }
}

TEST_CASE("an object can be carved away as a whole") {
    Model model = tank_2d();
    model.obstacles.push_back({.name = "rock", .shape = Sphere{{1, 0, 0}, 0.8}});
    std::vector<Carving> carvings;
    populate(model, {block(0, 1, 2, 1.5), block(0.8, 0.1, 1.2, 0.3), block(1, 1, 1.02, 1.02)}, &carvings);
    CHECK(carvings[1].carved() == carvings[1].sampled);
    CHECK(carvings[1].by_obstacle == std::vector<std::uint64_t>{0, 8});
}

TEST_CASE("every kind of shape carves, as an obstacle and as an object, on any number of threads") {
    Mesh ball{.file = "", .distance = std::make_shared<const MeshDistance>(icosphere(3))};
    HeightField ground{.min = {-1, -0.5, -1}, .max = {1, 0.5, 1}};
    ground.surface = std::make_shared<const HeightSurface>(Formula("0.2 * sin(4 * x)", {"x", "z"}),
                                                           ground.min, ground.max);
    const Shape can = Cylinder{{0, -0.3, 0}, {0.2, 0.4, 0}, 0.4};
    const Shape shapes[] = {Shape(ball, {.scale = 0.5, .translate = {0.1, 0, 0}}), ground, can, Duck{0.9},
                            SmoothUnion{0.2, {Sphere{{-0.3, 0, 0}, 0.3}, can}}};
    const Object block{.name = "", .material = "water", .shape = Box{{-0.7, -0.7, -0.7}, {0.7, 0.7, 0.7}}};
    const double spacing = 0.1, keeps = 0.24 * spacing;
    const std::vector<Vec3d> points = sample(block.shape, block.lattice, spacing, 3);
    for (const Shape& shape : shapes) {
        CAPTURE(shape.kind.index());
        const auto nearer_than = [&](double limit) {
            return static_cast<std::uint64_t>(
                std::count_if(points.begin(), points.end(),
                              [&](const Vec3d& x) { return signed_distance(shape, x, 3).distance < limit; }));
        };
        // Costly shapes are sampled at half a spacing h, and off by h²/8 times twice their mean curvature.
        const double off = 0.05 * spacing;
        Model model;
        model.particles.spacing = spacing;
        model.materials = {water()};
        model.obstacles = {{.name = "", .shape = shape}};
        std::vector<Carving> carvings, again;
        const ParticleTable one = populate(model, {block}, &carvings, Device{1});
        const ParticleTable three = populate(model, {block}, &again, Device{3});
        CHECK(carvings[0].by_obstacle[0] > 0);
        CHECK(carvings[0].by_obstacle[0] >= nearer_than(keeps - off));
        CHECK(carvings[0].by_obstacle[0] <= nearer_than(keeps + off));
        CHECK(again[0].by_obstacle == carvings[0].by_obstacle);
        CHECK(one.position == three.position);

        if (std::holds_alternative<HeightField>(shape.kind)) continue;  // has no end, so it cannot be filled
        model.obstacles.clear();
        carvings.clear();
        populate(model, {{.name = "", .material = "water", .shape = shape}, block}, &carvings);
        CHECK(carvings[0].carved() == 0);
        CHECK(carvings[1].by_object[0] >= nearer_than(keeps));
    }
}

TEST_CASE("sheets and rods have the mass of one spacing's thickness") {
    for (const int d : {2, 3}) {
        Model model;
        model.dimensions = d;
        model.particles.spacing = 0.05;
        model.materials = {water()};
        const auto mass_of = [&](const Shape& shape) {
            const ParticleTable p = populate(model, {{.name = "", .material = "water", .shape = shape}});
            double mass = 0;
            for (const float m : p.mass) mass += m;
            return mass;
        };
        const Shape rod = Curve{{{0, 0, 0}, {1.01, 0, 0}}};
        CHECK(mass_of(rod) == near(1000 * 1.01 * (d == 2 ? 0.05 : 0.05 * 0.05)));
        if (d == 2) continue;
        CHECK(mass_of(RectangleSheet{{0, 0, 0}, 0.99, 0.49, 2}) == near(2 * 1000 * 0.99 * 0.49 * 0.05));
        const Shape hat = Sombrero{{0, 0, 0}, 1, 0.3, 2};
        CHECK(mass_of(hat) == near(1000 * measure(layer_of(hat)) * 0.05));
    }
}

TEST_CASE("nothing starts within a sheet, and what rests on it loses nothing") {
    Model model;
    model.particles.spacing = 0.1;
    model.materials = {water()};
    const Object sheet{.name = "", .material = "water", .shape = DiscSheet{{0, 0, 0}, 2}};
    for (const double gap : {0.05, 0.0, -0.05, -0.45}) {
        const Object above{
            .name = "", .material = "water", .shape = Box{{-0.5, gap, -0.5}, {0.5, gap + 0.5, 0.5}}};
        std::vector<Carving> carvings;
        const ParticleTable p = populate(model, {sheet, above}, &carvings);
        if (gap == 0.05) CHECK(carvings[1].carved() == 0);
        if (gap < 0) CHECK(carvings[1].by_object[0] > 50);
        for (Index i = 0; i < p.size(); ++i)
            if (p.object[i] == 1) CHECK(std::abs(p.position[i].y) > 0.02f);
        // The other way round the sheet gives way.
        const ParticleTable q = populate(model, {above, sheet}, &carvings);
        CHECK((carvings[3].carved() > 0) == (gap < 0.02));
        carvings.clear();
    }
}
