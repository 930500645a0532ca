#include "rigid/contact.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "rigid/rigid_body.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.1, dt = 0.01, g = 9.81;

/// A cube of 1 kg and 1 m.
Mover cube(const Vec3d& center, const Vec3d& velocity) {
    Mover mover;
    mover.inverse_mass = 1;
    mover.inverse_inertia = identity<double>() * 6.0;
    mover.center = center;
    mover.velocity = velocity;
    return mover;
}

/// Its four lower corners on a floor, or on a cube below.
std::vector<Contact> corners(std::uint32_t a, std::uint32_t b, double y, double friction, double restitution,
                             double gap = 0) {
    std::vector<Contact> out;
    for (std::uint32_t k = 0; k < 4; ++k)
        out.push_back({.a = a,
                       .b = b,
                       .id = 10 * a + k,
                       .other = 1000 + k,
                       .normal = {0, 1, 0},
                       .point = {k & 1 ? 0.5 : -0.5, y, k & 2 ? 0.5 : -0.5},
                       .gap = gap,
                       .friction = friction,
                       .restitution = restitution});
    return out;
}

int solve(const std::vector<Contact>& contacts, std::vector<Mover>& movers,
          std::vector<ContactMemory>& memory) {
    return solve_contacts(contacts, {.spacing = spacing, .slow = 0.2}, dt, memory, movers);
}

}  // namespace

TEST_CASE("a cube that falls on the floor stops, or bounces by its restitution without turning") {
    for (const double restitution : {0.0, 0.3, 1.0}) {
        std::vector<Mover> movers{cube({0, 0.5, 0}, {0, -4, 0})};
        std::vector<ContactMemory> memory;
        solve(corners(0, no_mover, 0, 0.5, restitution), movers, memory);
        CHECK(movers[0].velocity.y == doctest::Approx(4 * restitution).epsilon(1e-3));
        CHECK(norm(movers[0].spin) < 1e-3);
        CHECK(movers[0].impulse.y == doctest::Approx(4 * (1 + restitution)).epsilon(1e-3));
    }
}

TEST_CASE("what is above the floor comes down to it within the step, and no farther") {
    std::vector<Mover> movers{cube({0, 0.52, 0}, {0, -10, 0})};
    std::vector<ContactMemory> memory;
    solve(corners(0, no_mover, 0, 0.5, 0, 0.02), movers, memory);
    CHECK(0.02 + dt * movers[0].velocity.y == doctest::Approx(0).epsilon(1e-5));
}

TEST_CASE("friction takes at most μ times the normal impulse") {
    for (const double friction : {0.1, 2.0}) {
        std::vector<Mover> movers{cube({0, 0.5, 0}, {3, -g * dt, 1})};
        std::vector<ContactMemory> memory;
        std::vector<Contact> floor = corners(0, no_mover, 0, friction, 0);
        solve(floor, movers, memory);
        const double slide = std::hypot(movers[0].impulse.x, movers[0].impulse.z);
        // The normal impulse has its last turn after friction.
        CHECK(slide <= friction * movers[0].impulse.y * (1 + 1e-4));
        if (friction < 1) CHECK(slide == doctest::Approx(friction * movers[0].impulse.y).epsilon(1e-3));
    }
}

TEST_CASE("impulses between two cubes leave their momentum and angular momentum together") {
    std::vector<Mover> movers{cube({0, 0.5, 0}, {1, 2, 0.5}), cube({0.2, 1.5, 0.1}, {0, -3, 0})};
    movers[1].spin = {1, 2, 3};
    std::vector<Contact> contacts = corners(1, 0, 1, 0.4, 0.5);
    std::vector<ContactMemory> memory;
    solve(contacts, movers, memory);
    CHECK(norm(movers[0].impulse) > 0.1);
    CHECK(norm(movers[0].impulse + movers[1].impulse) < 1e-12);
    Vec3d angular;
    for (const Mover& m : movers) angular += m.angular_impulse + cross(m.center, m.impulse);
    CHECK(norm(angular) < 1e-12);
}

TEST_CASE("a stack that rests needs no more than the fewest rounds, once it is remembered") {
    std::vector<Mover> movers;
    std::vector<Contact> contacts;
    for (std::uint32_t k = 0; k < 5; ++k) {
        movers.push_back(cube({0, 0.5 + k, 0}, {}));
        for (const Contact& c : corners(k, k > 0 ? k - 1 : no_mover, k, 0.5, 0)) contacts.push_back(c);
    }
    std::vector<ContactMemory> memory;
    int rounds = 0;
    for (int step = 0; step < 200; ++step) {
        for (Mover& m : movers) m.velocity.y -= g * dt;
        rounds = solve(contacts, movers, memory);
    }
    CHECK(rounds == ContactSettings{}.least_iterations);
    for (const Mover& m : movers) CHECK(norm(m.velocity) < 1e-4);
    // The lowest contacts bear all five.
    CHECK(memory[0].impulse.y + memory[1].impulse.y + memory[2].impulse.y + memory[3].impulse.y ==
          doctest::Approx(5 * g).epsilon(1e-3));
}

TEST_CASE("overlap is shifted away gently, and changes no velocity") {
    std::vector<Mover> movers{cube({0, 0.47, 0}, {0, -g * dt, 0})};
    std::vector<ContactMemory> memory;
    solve(corners(0, no_mover, 0, 0, 0, -0.03), movers, memory);
    CHECK(movers[0].shift.y * dt == doctest::Approx(0.01 * spacing).epsilon(1e-2));
    CHECK(std::abs(movers[0].velocity.y) < 1e-5);
}

TEST_CASE("a face of many contacts is held by its corners") {
    std::vector<Contact> face;
    for (std::uint32_t i = 0; i < 10; ++i) {
        for (std::uint32_t k = 0; k < 10; ++k)
            face.push_back({.a = 0,
                            .b = no_mover,
                            .id = 10 * i + k,
                            .other = no_mover,
                            .normal = {0, 1, 0},
                            .point = {i * spacing, 0, k * spacing}});
    }
    const std::vector<Mover> movers{cube({0, 0.5, 0}, {})};
    const std::vector<Contact> held = reduced(face, spacing, movers);
    CHECK(held.size() <= 5);
    for (const std::uint32_t corner : {0u, 9u, 90u, 99u})
        CHECK(std::any_of(held.begin(), held.end(), [&](const Contact& c) { return c.id == corner; }));
}
