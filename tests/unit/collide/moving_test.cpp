#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "collide/walls.h"
#include "geometry/height_surface.h"
#include "geometry/mesh_distance.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"
#include "unit/geometry/meshes.h"

using namespace thixo;

namespace {

Motion from_to(const Keyframe& a, const Keyframe& b) {
    Motion motion;
    motion.keyframes = {a, b};
    return motion;
}

Obstacle moving(Shape shape, bool inside, Motion motion) {
    return {.name = "paddle", .shape = std::move(shape), .inside = inside, .motion = std::move(motion)};
}

float nearest_distance(const Walls& walls, const Vec3f& x) {
    float nearest = std::numeric_limits<float>::infinity();
    for (const Wall& wall : walls.view()) nearest = std::min(nearest, distance_to(wall, x).distance);
    return nearest;
}

}  // namespace

TEST_CASE("a wall that moved is where its obstacle is") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const auto flat = [&](Vec3d a) { return d == 2 ? Vec3d{a.x, a.y, 0} : a; };
        Vec3d turn = any_point(-300, 300);
        if (d == 2) turn.x = turn.y = 0;
        const Motion motion =
            from_to({.time = 0}, {.time = 1, .translate = flat(any_point(-1, 1)), .rotate = turn});
        const double t = 0.1 * *rc::gen::inRange(0, 11);
        const Vec3d own = flat(any_point(-1.2, 1.2));
        const Vec3f x = to_float(motion.at(t).to_world(own));
        const Shape shapes[] = {Box{flat({-1, -0.5, -1}), flat({0.7, 1, 0.4})},
                                Sphere{flat({0.1, 0.2, -0.3}), 0.8}, Plane{{0, 0.1, 0}, flat({1, 2, -0.5})},
                                Cylinder{flat({-0.4, -0.5, 0.3}), flat({0.5, 0.6, 0}), 0.6}};
        for (const Shape& shape : shapes) {
            for (const bool inside : {false, true}) {
                Walls there({moving(shape, inside, motion)}, d, 0.2);
                there.move_to(t);
                const Walls here({moving(shape, inside, {})}, d, 0.2);
                const float expected = nearest_distance(here, to_float(own));
                if (std::abs(expected) < 0.19f)
                    RC_ASSERT(std::abs(nearest_distance(there, x) - expected) < 1e-5f);
                for (const Wall& wall : there.view()) {
                    const Vec3d v = motion.at(t).velocity_at(to_double(x));
                    RC_ASSERT(norm(to_double(velocity_at(wall, x)) - v) < 1e-4);
                }
            }
        }
    }));
}

TEST_CASE("a sampled wall moves with its obstacle") {
    Mesh ball{.file = "", .distance = std::make_shared<const MeshDistance>(icosphere(2))};
    HeightField ground{.min = {-0.5, -0.5, -0.5}, .max = {0.5, 0.5, 0.5}};
    ground.surface = std::make_shared<const HeightSurface>(Formula("0.2 * sin(6 * x) + 0.1 * z", {"x", "z"}),
                                                           ground.min, ground.max);
    const Motion motion =
        from_to({.time = 0}, {.time = 1, .translate = {3, -1, 0.5}, .rotate = {200, 70, -400}});
    for (const Shape& shape : {Shape(ball, {.scale = 0.4}), Shape(ground)}) {
        for (const bool inside : {false, true}) {
            Walls there({moving(shape, inside, motion)}, 3, 0.2);
            const Walls here({moving(shape, inside, {})}, 3, 0.2);
            REQUIRE(there.view()[0].grid != nullptr);
            for (const double t : {0., 0.3, 1.}) {
                there.move_to(t);
                CHECK(rc::check([&] {
                    const Vec3d own = any_point(-0.45, 0.45);
                    const Vec3f x = to_float(motion.at(t).to_world(own));
                    const auto [d, n] = distance_to(there.view()[0], x);
                    const auto [own_d, own_n] = distance_to(here.view()[0], to_float(own));
                    const Vec3f turned = to_float(motion.at(t).rotated(to_double(own_n)));
                    if (std::abs(own_d) > 0.19f) return;
                    RC_ASSERT(std::abs(d - own_d) < 1e-5f);
                    RC_ASSERT(norm(n - turned) < 1e-3f);
                }));
            }
        }
    }
}

TEST_CASE("walls give the speed at which they close in, and rough ones drag the fluid along") {
    const HalfSpaceIntegral integral({KernelName::cubic_spline, 0.2, 3, 0.1});
    const Obstacle floor{.name = "floor", .shape = Plane{}};
    Obstacle lid = moving(Plane{{0, 0.15, 0}, {0, -1, 0}}, false,
                          from_to({.time = 0}, {.time = 1, .translate = {3, -2, 0}}));
    lid.no_slip = true;
    const Walls walls({floor, lid}, 3, 0.2);
    CHECK(walls.any_moves());
    const std::vector<Vec3f> x{{0, 0.075f, 0}, {0, 0.14f, 0}, {0, -5, 0}};
    std::vector<WallTerm> terms(3), alone(3);
    std::vector<WallMotion> motion(3, WallMotion{{9, 9, 9}, 9, 9});
    walls.sense(Device{1}, x, integral, terms, motion);
    for (int i = 0; i < 2; ++i) {
        const float d = 0.15f - x[i].y;
        const Vec3f v{3, -2, 0};
        CHECK(motion[i].approach == near(dot(v, integral.at(d, {0, -1, 0}).gradient)));
        CHECK(motion[i].drag == near(integral.drag(d)));
        CHECK(norm(motion[i].pull - integral.drag(d) * v) < 1e-4f * motion[i].drag);
    }
    CHECK(motion[2].approach == 0);
    walls.sense(Device{1}, x, integral, alone);
    for (int i = 0; i < 3; ++i) CHECK(alone[i].gamma == terms[i].gamma);

    const Walls far({moving(Sphere{{0, 9, 0}, 1}, false, lid.motion)}, 3, 0.2);
    far.sense(Device{1}, x, integral, terms, motion);
    for (const WallMotion& none : motion)
        CHECK((none.pull == Vec3f{} && none.drag == 0 && none.approach == 0));
    CHECK_FALSE(Walls({floor}, 3, 0.2).any_moves());
}

TEST_CASE("contacts are resolved in the frame of the wall") {
    // The same bounce, seen from a wall that moves and from one that does not.
    const Vec3d drift{2, 1.5, 0};
    Obstacle still{.name = "", .shape = Plane{}, .friction = 0.3, .restitution = 0.4};
    Obstacle carried = still;
    carried.motion = from_to({.time = 0}, {.time = 1, .translate = drift});
    const Walls a({still}, 3, 0.2), b({carried}, 3, 0.2);
    std::vector<float> push{0.5f}, radius{0.05f};
    std::vector<Vec3f> xa{{0, 0.01f, 0}}, va{{3, -2, 1}}, xb = xa, vb{va[0] + to_float(drift)};
    ResolveContacts{a.room(), 0.4f, 1.5f, radius, push, xa, va}(0);
    ResolveContacts{b.room(), 0.4f, 1.5f, radius, push, xb, vb}(0);
    CHECK(norm(xa[0] - xb[0]) < 1e-6f);
    CHECK(norm(vb[0] - to_float(drift) - va[0]) < 1e-5f);
    CHECK(va[0].y == near(0.8));
}

TEST_CASE("no wall moves farther in a step than allowed, and the limit names it") {
    const double distance = 0.004;
    const auto limit_of = [&](const Obstacle& obstacle, double time, std::vector<Vec3f> x = {}) {
        TimeStepLimit limit{.seconds = 0.01, .name = "sound"};
        Walls({obstacle}, 3, 0.04).limit_time_step(Device{1}, x, time, distance, limit);
        return limit;
    };
    // A tip one metre from the axis, at 2π m/s: the corner is at √(1² + 0.1²).
    const Motion turn = from_to({.time = 1}, {.time = 2, .rotate = {0, 360, 0}});
    const Obstacle paddle = moving(Box{{-1, 0, -0.1}, {1, 1, 0.1}}, false, turn);
    const TimeStepLimit running = limit_of(paddle, 1.5);
    CHECK(running.seconds == near(distance / (2 * std::numbers::pi * std::hypot(1, 0.1))));
    CHECK(running.name == "motion of `paddle`");
    CHECK(limit_of(paddle, 0.5).name == "sound");
    // About to start within the step that the others would allow.
    CHECK(limit_of(paddle, 0.995).seconds == near(running.seconds));
    // A plane counts as far as there are particles.
    const Obstacle plane = moving(Plane{{0, 0, 0}, {1, 0, 0}}, false, turn);
    CHECK(limit_of(plane, 1.5).name == "sound");
    CHECK(limit_of(plane, 1.5, {{3, 0, 0}, {0, 7, 0}}).seconds == near(distance / (6 * std::numbers::pi)));
}

TEST_CASE("moving walls come first: the last word is the container's") {
    const Obstacle tank{.name = "tank", .shape = Box{{0, 0, 0}, {1, 1, 1}}, .inside = true};
    const Obstacle press = moving(Sphere{{0.5, 0.5, 0.5}, 0.2}, false, from_to({.time = 0}, {.time = 1}));
    const Walls walls({tank, press}, 3, 0.1);
    CHECK(walls.view()[0].obstacle == 1);
    for (std::size_t k = 1; k < 7; ++k) CHECK(walls.view()[k].obstacle == 0);
}
