#include "rigid/contact.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "rigid/rigid_body.h"
#include "unit/core/near.h"

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

TEST_CASE(
    "a driven mover pushes a train of cubes up to its own speed, but throws out nothing that is clamped") {
    // The train: a driven cube of any mass and four cubes before it.
    std::vector<Mover> train;
    std::vector<Contact> contacts;
    for (std::uint32_t k = 0; k < 5; ++k) train.push_back(cube({0, double(k), 0}, {0, k == 0 ? 2. : 0., 0}));
    train[0].inverse_mass = 0;
    train[0].inverse_inertia = {};
    for (std::uint32_t k = 0; k < 4; ++k) {
        const std::vector<Contact> next = corners(k + 1, k, 0.5 + k, 0.5, 0);
        contacts.insert(contacts.end(), next.begin(), next.end());
    }
    std::vector<ContactMemory> memory;
    solve(contacts, train, memory);
    for (const Mover& mover : train) CHECK(mover.velocity.y == doctest::Approx(2).epsilon(5e-3));

    // A cube between a floor and a driven face that comes down on it, tilted by an angle: to evade it
    // sideways without an overlap takes the speed 1/tan(angle).
    for (const double angle : {0.1, 0.02, 0.001}) {
        memory.clear();
        for (int step = 0; step < 20; ++step) {
            std::vector<Mover> movers{cube({0, 0.5, 0}, {0, 0, 0}), cube({0, 1.5, 0}, {0, -1, 0})};
            movers[0].inverse_inertia = {};
            movers[1].inverse_mass = 0;
            movers[1].inverse_inertia = {};
            std::vector<Contact> clamp = corners(0, no_mover, 0, 0, 0);
            clamp.push_back({.a = 0,
                             .b = 1,
                             .id = 5,
                             .other = 2000,
                             .normal = {std::sin(angle), -std::cos(angle), 0},
                             .point = {0, 1, 0},
                             .friction = 0,
                             .restitution = 0});
            solve(clamp, movers, memory);
            CHECK(movers[0].velocity.x > 0);
            CHECK(movers[0].velocity.x < 6.01 * std::sin(angle));
            CHECK(std::abs(movers[0].velocity.y) < 0.01);
        }
    }
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
    CHECK(movers[0].shift.y * dt == near(0.01 * spacing, 1e-2));
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

TEST_CASE("overlap decreases by a fifth in a step, and contacts at rest keep what does not show") {
    const auto shift = [](double depth) {
        std::vector<Mover> movers{cube({0, 0.5 - depth * spacing, 0}, {})};
        std::vector<ContactMemory> memory;
        solve(corners(0, no_mover, 0, 0, 0, -depth * spacing), movers, memory);
        return movers[0].shift.y * dt / spacing;
    };
    // Without slop contacts would open and close in turns, and lose their warm start.
    CHECK(shift(0.0045) == 0);
    CHECK(shift(0.006) > 0);
    CHECK(shift(0.03) == near(0.2 * 0.025, 0.01));
}

TEST_CASE("a stack that overlaps comes apart as fast as a single body") {
    // The sweeps of Gauss–Seidel lose cos²(π/(2n + 1)) of the error of n bodies each: 0.015 is left of three.
    std::vector<Mover> movers;
    std::vector<Contact> contacts;
    for (std::uint32_t k = 0; k < 3; ++k) {
        movers.push_back(cube({0, 0.5 + k, 0}, {}));
        for (const Contact& c : corners(k, k > 0 ? k - 1 : no_mover, k, 0, 0, -0.03 * spacing))
            contacts.push_back(c);
    }
    std::vector<ContactMemory> memory;
    solve(contacts, movers, memory);
    const double alone = 0.2 * 0.025 * spacing;
    for (std::size_t k = 0; k < 3; ++k) {
        CAPTURE(k);
        CHECK(movers[k].shift.y * dt == near(static_cast<double>(k + 1) * alone, 0.03));
    }
}

namespace {

/// Contacts with the body 1 on ten times ten places, with the gap (spacings) and the normal of each.
template <class Gap, class Normal>
std::vector<Contact> surface(const Gap& gap, const Normal& normal) {
    std::vector<Contact> out;
    for (std::uint32_t i = 0; i < 10; ++i)
        for (std::uint32_t k = 0; k < 10; ++k)
            out.push_back({.a = 0,
                           .b = 1,
                           .id = 10 * i + k,
                           .other = 1000 + 10 * i + k,
                           .normal = normalized(normal(i, k)),
                           .point = {i * spacing, 0, k * spacing},
                           .gap = gap(i, k) * spacing});
    return out;
}

std::vector<Contact> reduced_of(const std::vector<Contact>& contacts) {
    return reduced(contacts, spacing, std::vector<Mover>{cube({}, {}), cube({0, -1, 0}, {})});
}

Vec3d upwards(std::uint32_t, std::uint32_t) { return {0, 1, 0}; }

}  // namespace

TEST_CASE("a face that is rough by a hundredth of a spacing is held by its four corners alone") {
    const auto rough = [](std::uint32_t i, std::uint32_t k) { return 0.01 * ((7 * i + 3 * k) % 11) / 10; };
    CHECK(reduced_of(surface(rough, upwards)).size() == 4);
    // So is one whose normals differ by a few degrees, as those of particles on a lattice do.
    const auto wavy = [](std::uint32_t i, std::uint32_t k) { return Vec3d{0.1 * ((i + k) % 2), 1, 0}; };
    CHECK(reduced_of(surface([](auto, auto) { return 0.; }, wavy)).size() == 4);
}

TEST_CASE("a ridge of a twentieth of a spacing bears a face by its two ends") {
    const auto ridge = [](std::uint32_t i, std::uint32_t) { return 0.05 * std::abs(int(i) - 4); };
    const std::vector<Contact> found = reduced_of(surface(ridge, upwards));
    CHECK(std::count_if(found.begin(), found.end(), [](const Contact& c) { return c.gap == 0; }) == 2);
}

TEST_CASE("slopes that differ by a sixth of a right angle or more bear on their own") {
    for (const double angle : {0.35, 0.8}) {
        // A peg in the middle of a flat face.
        const auto is_peg = [](std::uint32_t i, std::uint32_t k) { return i / 2 == 2 && k / 2 == 2; };
        const auto peg = [&](std::uint32_t i, std::uint32_t k) {
            return is_peg(i, k) ? Vec3d{i == 4 ? -std::sin(angle) : std::sin(angle), std::cos(angle), 0}
                                : Vec3d{0, 1, 0};
        };
        const std::vector<Contact> found = reduced_of(surface([](auto, auto) { return 0.; }, peg));
        CAPTURE(angle);
        CHECK(std::count_if(found.begin(), found.end(), [](const Contact& c) { return c.normal.y < 0.99; }) ==
              4);
    }
}
