#include <doctest/doctest.h>

#include "unit/core/near.h"
#include "unit/lattice/crystal.h"

using namespace thixo;

namespace {

std::vector<Vec3d> ball() { return lattice_around_origin(Lattice::closest, 1, 3, 3.5); }

/// Whether small motions stay small.
bool stable(int dimensions, double dt, double damping = 0) {
    Crystal c(crystal(dimensions, damping), block_points(dimensions, dimensions == 2 ? 5 : 3), dimensions);
    for (Index i = 0; i < c.size(); ++i) {
        const auto words = random_words(5, c.particles.id[i], 0, Purpose::test);
        const auto any = [&](int k) { return 1e-4f * (to_unit(words[k]) - 0.5f); };
        c.particles.velocity[i] = {any(0), any(1), dimensions == 2 ? 0 : any(2)};
    }
    const double start = c.kinetic();
    for (int k = 0; k < 400; ++k) {
        c.step(dt);
        if (!(c.kinetic() < 1e3 * start)) return false;
    }
    return true;
}

struct Tension {
    double modulus, contraction;
};

/// Pulls a bar of this half length and thickness apart at its ends and waits until it rests: E in its
/// continuum value, and ν.
Tension pull(int dimensions, double half, double thick) {
    const double strain = 0.02;
    Crystal c(crystal(dimensions, 0.4), lattice_box(dimensions, half, thick, dimensions == 2 ? 0 : thick),
              dimensions);
    const std::vector<Vec3f> before = c.particles.position;
    std::vector<Vec3f> rest(c.size());
    for (Index i = 0; i < c.size(); ++i) rest[c.particles.id[i]] = before[i];
    c.deform([&](const Vec3d& x) { return Vec3d{x.x * (1 + strain), x.y, x.z}; });
    double force = 0;
    for (int k = 0; k < 4000; ++k) {
        force = 0;
        c.step(0.2, [&](Index i, Vec3f& a) {
            if (std::abs(rest[c.particles.id[i]].x) < half - 1.1) return;
            force += 0.5 * std::abs(a.x);
            a = {};
        });
    }
    const double cell = cell_volume(Lattice::closest, 1, dimensions);
    double low = 0, high = 0, low_rest = 0, high_rest = 0, left = 0, right = 0;
    for (Index i = 0; i < c.size(); ++i) {
        const Vec3f& at_rest = rest[c.particles.id[i]];
        if (std::abs(at_rest.x) > 1.1) continue;
        low = std::min(low, double{c.particles.position[i].y});
        high = std::max(high, double{c.particles.position[i].y});
        low_rest = std::min(low_rest, double{at_rest.y});
        high_rest = std::max(high_rest, double{at_rest.y});
    }
    for (const Vec3f& x : rest) {
        left = std::min(left, double{x.x});
        right = std::max(right, double{x.x});
    }
    const double pitch = dimensions == 2 ? 0.5 : std::sqrt(0.5);
    const double area = c.size() * cell / (right - left + pitch);
    const double modulus = dimensions == 2 ? std::sqrt(3.0) : 2 * std::sqrt(2.0);
    return {force / area / strain / modulus, -((high - low) / (high_rest - low_rest) - 1) / strain};
}

}  // namespace

TEST_CASE("a free spinning block keeps energy and both momenta") {
    Crystal c(crystal(3), ball(), 3);
    REQUIRE(c.size() == 249);
    c.jitter(0.01f);
    c.spin(normalized(Vec3d{1, 2, 3}) * 0.05);
    const double dt = 0.05, energy = c.total_energy(dt);
    const Vec3d l = c.angular_momentum(), p = c.momentum();
    for (int k = 0; k < 20000; ++k) c.step(dt);
    CHECK(c.total_energy(dt) == near(energy, 2e-3));
    // Each step rounds velocities by up to 2⁻²⁵ of their size. Where errors have either sign they grow as the
    // root of the number of steps, to 4e-6 here; a tenth of the worst case, in which all have the same, is
    // still far below what a wrong torque does.
    const double rounding = 20000 * 0x1p-25 / 10;
    CHECK(norm(c.angular_momentum() - l) < rounding * norm(l));
    CHECK(norm(c.momentum() - p) < rounding * norm(l));
    CHECK(c.parts() == 1);
}

TEST_CASE("the longest stable step is that of theory") {
    CHECK(stable(2, 0.65));
    CHECK(!stable(2, 0.69));
    CHECK(stable(3, 0.49));
    CHECK(!stable(3, 0.53));
}

TEST_CASE("the recommended step is stable, whatever the damping") {
    for (const int dimensions : {2, 3}) {
        for (const double damping : {0., 0.05, 0.5, 5.}) {
            Crystal c(crystal(dimensions, damping), block_points(dimensions, 2), dimensions);
            TimeStepLimit limit;
            c.solids.limit_time_step(limit);
            CHECK(limit.name == "lattice of `crystal`");
            CHECK(stable(dimensions, limit.seconds, damping));
        }
    }
}

TEST_CASE("a bar in tension has the modulus of its material, less the bonds that its surface lacks") {
    // Continuum: E = √3 k, 2√2 k/D. Of strips and bars some spacings thick 96 % and 88 % were measured.
    const Tension strip = pull(2, 12, 3.9), bar = pull(3, 8, 2.2);
    CHECK(strip.modulus == near(0.964, 0.03));
    CHECK(bar.modulus == near(0.884, 0.05));
    CHECK(std::abs(strip.contraction) < 0.01);
    CHECK(std::abs(bar.contraction) < 0.03);
}

TEST_CASE("damping leaves the spin alone and calms vibrations") {
    Crystal c(crystal(3, 0.05), ball(), 3);
    c.spin({0, 0, 0.02});
    const Vec3d l = c.angular_momentum();
    for (Index i = 0; i < c.size(); ++i) {
        const auto words = random_words(5, c.particles.id[i], 0, Purpose::test);
        const auto any = [&](int k) { return 0.05f * (to_unit(words[k]) - 0.5f); };
        c.particles.velocity[i] += {any(0), any(1), any(2)};
    }
    const Vec3d shaken = c.angular_momentum();
    double inertia = 0;  // the same about every axis
    for (const Vec3f& x : c.particles.position) inertia += x.x * x.x + x.y * x.y;
    for (int k = 0; k < 4000; ++k) c.step(0.2);
    CHECK(norm(c.angular_momentum() - shaken) < 1e-4 * norm(l));
    // What is left is rigid motion: that of the momenta.
    const double expected = 0.5 * norm2(c.momentum()) / c.size() + 0.5 * norm2(shaken) / inertia;
    CHECK(c.kinetic() == near(expected, 0.01));
}

TEST_CASE("few neighbours, on a line, in a plane or none, are no trouble") {
    const LatticePoints lattice(3);
    const Vec3d a = to_double(lattice.point(0)), b = to_double(lattice.point(1)), o{};
    Vec3d in_plane{};
    for (Index s = 2; s < 12; ++s) {
        const Vec3d l = to_double(lattice.point(s));
        if (std::abs(dot(cross(a, b), l)) < 1e-6 && norm(l + a) > 0.1 && norm(l + b) > 0.1) in_plane = l;
    }
    const std::vector<std::vector<Vec3d>> sets{
        {o}, {o, a}, {o, a, a * -1.0}, {o, a, a * 2.0, a * 3.0}, {o, a, b}, {o, a, b, in_plane, a * -1.0}};
    for (const std::vector<Vec3d>& points : sets) {
        for (const double damping : {0., 0.1}) {
            Crystal c(crystal(3, damping), points, 3);
            c.jitter(0.02f);
            c.spin({0.02, 0.05, -0.03});
            const double dt = 0.1, energy = c.total_energy(dt), kinetic = c.kinetic();
            const Vec3d l = c.angular_momentum(), p = c.momentum();
            for (int k = 0; k < 3000; ++k) c.step(dt);
            const double now = c.total_energy(dt);
            CHECK(std::isfinite(now));
            CHECK(now < energy * 1.01 + 1e-9);
            if (damping == 0) CHECK(now > energy * 0.99 - 1e-9);
            CHECK(norm(c.angular_momentum() - l) < 1e-3 * norm(l) + 1e-7);
            CHECK(norm(c.momentum() - p) < 1e-3 * std::sqrt(kinetic) + 1e-7);
            CHECK(c.parts() == 1);
        }
    }
}

TEST_CASE("neighbourhoods that are crushed or turned inside out come back to finite motion") {
    Crystal c(crystal(3, 0.1), block_points(3, 2), 3);
    c.deform([](const Vec3d& x) { return Vec3d{x.x, 0.2 * x.y, -0.3 * x.z}; });
    for (int k = 0; k < 500; ++k) c.step(0.1);
    CHECK(std::isfinite(c.kinetic()));
    for (const Mat3f& a : c.solids.state().deformations) CHECK(determinant(a) > 0.2f);
    // Two in the same place have no direction to part in; those around them do.
    Crystal same(crystal(2), block_points(2, 2), 2);
    same.particles.position[1] = same.particles.position[0];
    for (int k = 0; k < 100; ++k) same.step(0.1);
    CHECK(std::isfinite(same.kinetic()));
}

TEST_CASE("stretched beyond reach it deforms for good") {
    // A row of the lattice slipped by one spacing finds new neighbours, and stays.
    Crystal c(crystal(2, 0.5), block_points(2, 4.1), 2);
    for (int k = 0; k < 100; ++k) {
        for (Vec3f& x : c.particles.position)
            if (x.y > 0.1f) x.x += 0.01f;
        c.accelerations();
    }
    const std::vector<Vec3f> slipped = c.particles.position;
    for (int k = 0; k < 500; ++k) c.step(0.2);
    CHECK(c.solids.energy(c.device) < 1e-4);
    double moved = 0;
    for (Index i = 0; i < c.size(); ++i)
        moved = std::max(moved, double{norm(c.particles.position[i] - slipped[i])});
    CHECK(moved < 0.1);
    CHECK(c.parts() == 1);
}
