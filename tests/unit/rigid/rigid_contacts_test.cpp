#include "rigid/rigid_contacts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "body/rigid_clusters.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.1, support = 0.2, gravity = 9.81;

/// A box of particles at whole spacings from its corner.
struct Block {
    Vec3d corner;  ///< in spacings
    int size[3];
    Vec3d velocity = {};
    double slope = 0;  ///< dy/dx
    std::uint16_t object = 1;
};

/// A small block over a large one, without forces.
struct Blocks {
    Device device{1};
    std::vector<Material> materials{{.name = "wood", .density = 500}};
    ParticleTable particles;
    NeighbourSearch search;
    RigidBodies bodies;
    RigidContacts contacts;

    Blocks(const std::vector<Block>& blocks, double restitution = 0)
        : bodies(material(restitution), {KernelName::cubic_spline, support, 3, spacing}),
          contacts(materials, spacing, gravity) {
        for (const Block& block : blocks) {
            for (int i = 0; i < block.size[0]; ++i)
                for (int j = 0; j < block.size[1]; ++j)
                    for (int k = 0; k < block.size[2]; ++k)
                        add(spacing * (block.corner + Vec3d(i, j + block.slope * i, k)), block.velocity,
                            block.object);
        }
        const std::vector<float> h(particles.size(), static_cast<float>(support));
        particles.permute(device, search.sort(device, particles.position, h));
        search.build(device, particles.position, h);
        number_clusters({search.view(), 1.5 * spacing}, particles);
        bodies.regroup(device, particles, search.view());
        bodies.scatter_velocities(device, particles);
        contacts.collect(device, particles, bodies, search.view(), [](Index, Index) { return true; });
    }

    const std::vector<Material>& material(double restitution) {
        materials[0].solid.friction = 0;
        materials[0].solid.restitution = restitution;
        return materials;
    }
    void add(const Vec3d& x, const Vec3d& v, std::uint16_t object) {
        const Index i = particles.size();
        particles.resize(i + 1);
        particles.id[i] = i;
        particles.position[i] = to_float(x);
        particles.velocity[i] = to_float(v);
        particles.mass[i] = static_cast<float>(500 * spacing * spacing * spacing);
        particles.radius[i] = static_cast<float>(0.5 * spacing);
        particles.phase[i] = Phase::rigid;
        particles.object[i] = object;
    }
    void solve(double dt) { contacts.solve(device, {}, dt, bodies, particles); }
    const RigidBody& lower() const { return bodies.bodies()[0]; }
    const RigidBody& upper() const { return bodies.bodies()[1]; }
};

constexpr Block table{{0, 0, 0}, {8, 3, 8}, {}, 0, 0};

}  // namespace

TEST_CASE("a block lies flat on another wherever its particles are") {
    for (const Vec3d& at : {Vec3d{2, 3, 2}, Vec3d{2.5, 3, 2}, Vec3d{2.5, 3, 2.5}, Vec3d{2.3, 3, 2.4}}) {
        CAPTURE(at.x);
        CAPTURE(at.z);
        Blocks blocks({table, {at, {3, 3, 3}, {0, -1, 0}}});
        blocks.solve(0.01);
        CHECK(blocks.contacts.contacts() >= 4);
        const Vec3d u = blocks.upper().velocity - blocks.lower().velocity;
        CHECK(std::abs(u.y) < 0.2);
        CHECK(std::abs(u.x) < 1e-3);
        CHECK(std::abs(u.z) < 1e-3);
    }
}

TEST_CASE("blocks that pass each other do not touch") {
    for (const Vec3d& at :
         {Vec3d{8.05, 2.9, 2}, Vec3d{-3.05, 2.9, 2}, Vec3d{2.2, 2.9, 8.05}, Vec3d{2.2, 2.9, -3.05}}) {
        CAPTURE(at.x);
        CAPTURE(at.z);
        Blocks blocks({table, {at, {3, 3, 3}, {0, -1, 0}}});
        blocks.solve(0.01);
        CHECK(norm(blocks.upper().velocity - Vec3d{0, -1, 0}) < 1e-9);
    }
}

TEST_CASE("blocks that overlap by most of a spacing are shifted apart across their faces") {
    Blocks blocks({table, {{2.3, 2.35, 2.4}, {3, 3, 3}}});
    const Vec3d before = blocks.upper().center - blocks.lower().center;
    blocks.solve(0.01);
    const Vec3d shift = blocks.upper().center - blocks.lower().center - before;
    CHECK(shift.y > 0.005 * spacing);
    CHECK(std::hypot(shift.x, shift.z) < 1e-3 * shift.y);
}

TEST_CASE("a bridge that lands on one foot does not put the other one through the floor in the same step") {
    // What stops one end of a bar turns the other end down half as fast again.
    const double dt = 0.01, way = 0.2, gap = 0.25;
    const Vec3d down{0, -way * spacing / dt, 0};
    Blocks blocks({{{0, 0, 0}, {14, 3, 6}, {}, 0, 0},
                   {{2, 3, 2}, {1, 1, 2}, down},
                   {{2, 4, 2}, {10, 1, 2}, down, gap / 9},
                   {{11, 3 + gap, 2}, {1, 1, 2}, down}});
    blocks.solve(dt);
    double foot = 0, floor = 0;
    for (Index i = 0; i < blocks.particles.size(); ++i) {
        const double y = blocks.particles.position[i].y + dt * blocks.particles.velocity[i].y;
        if (blocks.particles.id[i] == 14 * 3 * 6 + 2 + 20) foot = y;
        if (blocks.particles.id[i] == 11 * 18 + 2 * 6 + 2) floor = y;
    }
    MESSAGE("distance ", (foot - floor) / spacing);
    CHECK(foot - floor > 0.99 * spacing);
}

TEST_CASE("what would bounce by less than a twentieth of a spacing rests, what bounces higher does") {
    for (const double height : {0.04, 0.06}) {
        const double speed = std::sqrt(2 * gravity * height * spacing);
        Blocks blocks({table, {{2, 3, 2}, {3, 3, 3}, {0, -speed, 0}}}, 1);
        blocks.solve(0.01);
        const double apart = blocks.upper().velocity.y - blocks.lower().velocity.y;
        CAPTURE(height);
        if (height < 0.05) CHECK(std::abs(apart) < 0.3 * speed);
        if (height > 0.05) CHECK(apart > 0.7 * speed);
    }
}
