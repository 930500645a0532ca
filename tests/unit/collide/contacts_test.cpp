#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "collide/walls.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr float nearest = 0.02f, touching = 0.075f;

/// One particle and the walls it meets.
struct Contact {
    Walls walls;
    std::vector<Vec3f> x{{}}, v{{}};
    std::vector<float> push{0}, radius{1};

    explicit Contact(std::vector<Obstacle> obstacles, int dimensions = 3)
        : walls(std::move(obstacles), dimensions, 0.2) {}

    void resolve(const Vec3f& position, const Vec3f& velocity, float pushed = 0) {
        x[0] = position;
        v[0] = velocity;
        push[0] = pushed;
        ResolveContacts{walls.room(), nearest, touching, radius, push, x, v}(0);
    }
};

Obstacle floor_with(double friction, double restitution) {
    return {.name = "floor",
            .shape = Plane{{0, 0, 0}, {0, 1, 0}},
            .friction = friction,
            .restitution = restitution};
}

}  // namespace

TEST_CASE("no particle ends closer to a wall than allowed") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const auto flat = [&](Vec3d a) { return d == 2 ? Vec3d{a.x, a.y, 0} : a; };
        const Shape shape =
            *rc::gen::element<Shape>(Box{flat({-1, -0.5, -1}), flat({0.7, 1, 0.8})},
                                     Sphere{{0.1, 0.2, 0}, 0.8}, Plane{{0, 0.1, 0}, flat({1, 2, -0.5})});
        const bool inside = *rc::gen::arbitrary<bool>();
        Contact contact({{.name = "", .shape = shape, .inside = inside, .friction = 0.3, .restitution = 0.2}},
                        d);
        const Vec3f x = to_float(flat(any_point(-2, 2))), v = to_float(flat(any_point(-5, 5)));
        contact.resolve(x, v);
        const double side = inside ? -1 : 1;
        const double after = side * signed_distance(shape, to_double(contact.x[0]), d).distance;
        RC_ASSERT(after > nearest - 1e-5);
        if (d == 2) {
            RC_ASSERT(contact.x[0].z == 0);
            RC_ASSERT(contact.v[0].z == 0);
        }
        // A contact never adds speed, and particles away from the wall are unchanged.
        RC_ASSERT(norm(contact.v[0]) <= norm(v) * (1 + 1e-5f));
        if (side * signed_distance(shape, to_double(x), d).distance > touching + 1e-5) {
            RC_ASSERT(contact.x[0] == x);
            RC_ASSERT(contact.v[0] == v);
        }
    }));
}

TEST_CASE("a bounce keeps the fraction of the normal speed that restitution says") {
    for (const float restitution : {0.f, 0.5f, 1.f}) {
        Contact contact({floor_with(0, restitution)});
        contact.resolve({0, 0.01f, 0}, {2, -3, 1});
        CHECK(contact.x[0].y == near(nearest));
        CHECK(std::abs(contact.v[0].y - 3 * restitution) < 1e-5f);
        CHECK(contact.v[0].x == 2);
        CHECK(contact.v[0].z == 1);
        // Particles that already leave are not slowed down.
        contact.resolve({0, 0.01f, 0}, {2, 3, 1});
        CHECK(contact.v[0].y == 3);
        // Particles without contact do not bounce.
        contact.resolve({0, 0.03f, 0}, {2, -3, 1});
        CHECK(contact.v[0].y == -3);
        CHECK(contact.x[0].y == 0.03f);
    }
}

TEST_CASE("friction takes the Coulomb fraction of the normal impulse from the sliding speed") {
    for (const float friction : {0.1f, 0.4f}) {
        Contact contact({floor_with(friction, 0)});
        // Held by the wall's pressure: the impulse is the push.
        contact.resolve({0, 0.05f, 0}, {3, 0, 4}, 2);
        CHECK(norm(contact.v[0]) == near(5 - friction * 2));
        CHECK(contact.v[0].x / contact.v[0].z == near(0.75));
        // Hitting the wall: the impulse is what the bounce took.
        contact.resolve({0, 0.01f, 0}, {3, -2, 4});
        CHECK(norm(contact.v[0]) == near(5 - friction * 2));
        // A bounce that returns half of the speed is half an impulse more.
        Contact bouncy({floor_with(friction, 0.5)});
        bouncy.resolve({0, 0.01f, 0}, {3, -2, 4});
        CHECK(std::hypot(bouncy.v[0].x, bouncy.v[0].z) == near(5 - friction * 3));
        // Friction stops, it does not reverse.
        contact.resolve({0, 0.05f, 0}, {0.1f, 0, 0}, 2);
        CHECK(contact.v[0] == Vec3f{});
        // Beyond touching there is none.
        contact.resolve({0, 0.08f, 0}, {3, 0, 4}, 2);
        CHECK(contact.v[0] == Vec3f{3, 0, 4});
    }
    Contact smooth({floor_with(0, 0)});
    smooth.resolve({0, 0.05f, 0}, {3, 0, 4}, 2);
    CHECK(smooth.v[0] == Vec3f{3, 0, 4});
}

TEST_CASE("a block on a slope slides with g (sin − μ cos), or stays where μ > tan") {
    constexpr float g = 9.81f, dt = 1e-3f;
    for (const double degrees : {10., 30., 45.}) {
        const double angle = degrees * std::numbers::pi / 180;
        const Vec3d n{std::sin(angle), std::cos(angle), 0}, down{std::cos(angle), -std::sin(angle), 0};
        for (const double friction : {0.0, 0.1, 0.3, 0.7, 1.2}) {
            Contact contact({{.name = "", .shape = Plane{{0, 0, 0}, n}, .friction = friction}});
            // The wall's pressure carries the block: each step it gives back what gravity took along the
            // normal.
            const float carried = g * static_cast<float>(std::cos(angle)) * dt;
            const Vec3f pull = to_float(n) * carried + Vec3f{0, -g * dt, 0};
            Vec3f x = to_float(0.05 * n), v = to_float(1.0 * down);
            constexpr int steps = 100;
            for (int k = 0; k < steps; ++k) {
                v += pull;
                contact.resolve(x, v, carried);
                v = contact.v[0];
            }
            const double slide = 1 + steps * dt * g * (std::sin(angle) - friction * std::cos(angle));
            const double speed = dot(to_double(v), down);
            CHECK(std::abs(speed - std::max(slide, 0.0)) < 1e-3);
            // From rest: static friction holds exactly where μ ≥ tan.
            v = {};
            for (int k = 0; k < steps; ++k) {
                v += pull;
                contact.resolve(x, v, carried);
                v = contact.v[0];
            }
            if (friction > std::tan(angle) + 1e-3) CHECK(norm(v) < 1e-7f);  // the rounding of one step
            if (friction < std::tan(angle) - 1e-3) CHECK(dot(to_double(v), down) > 0);
        }
    }
}

TEST_CASE("corners and far-away particles are brought back inside a container") {
    for (const int d : {2, 3}) {
        const Box box{{0, 0, 0}, {1, 1, 1}};
        Contact contact({{.name = "", .shape = box, .inside = true}}, d);
        Stream random(5);
        for (int k = 0; k < 300; ++k) {
            const float spread_out = k % 2 ? 0.1f : 100.f;
            Vec3f x = Vec3f{1, 1, 1} + random.point(-spread_out, spread_out), v = random.point(-50, 50);
            if (d == 2) x.z = v.z = 0;
            contact.resolve(x, v);
            CHECK(signed_distance(box, to_double(contact.x[0]), d).distance < -nearest + 1e-5);
            if (x.x > 1) CHECK(contact.v[0].x <= 0);
            if (x.y > 1) CHECK(contact.v[0].y <= 0);
        }
    }
}
