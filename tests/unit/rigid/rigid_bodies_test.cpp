#include "rigid/rigid_bodies.h"
#include "body/rigid_clusters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace thixo;

namespace {

constexpr double spacing = 0.1, support = 0.2, density = 500;

/// Two boxes of the same object that do not touch, and a liquid particle.
ParticleTable two_boxes() {
    ParticleTable particles;
    const auto add = [&](const Vec3d& x, Phase phase) {
        const Index i = particles.size();
        particles.resize(i + 1);
        particles.id[i] = i;
        particles.position[i] = to_float(x);
        particles.velocity[i] = to_float(Vec3d{1, 0, 0} + cross(Vec3d{0.1, 0.2, 2}, x));
        particles.mass[i] = static_cast<float>(density * spacing * spacing * spacing);
        particles.radius[i] = static_cast<float>(0.5 * spacing);
        particles.phase[i] = phase;
    };
    for (const double shift : {0.0, 2.0}) {
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 4; ++j) {
                for (int k = 0; k < 5; ++k)
                    add({shift + i * spacing, j * spacing, k * spacing}, Phase::rigid);
            }
        }
    }
    add({0, -spacing, 0}, Phase::liquid);
    return particles;
}

struct Setting {
    Device device;
    ParticleTable particles = two_boxes();
    NeighbourSearch search;
    RigidBodies bodies{{Material{.name = "wood", .density = density}},
                       {KernelName::cubic_spline, support, 3, spacing}};

    explicit Setting(int threads = 1) : device{threads} {
        sort();
        number_clusters({search.view(), 1.5 * spacing}, particles);
        bodies.regroup(device, particles, search.view());
        bodies.scatter_velocities(device, particles);
    }
    void sort() {
        const std::vector<float> h(particles.size(), static_cast<float>(support));
        particles.permute(device, search.sort(device, particles.position, h));
        search.build(device, particles.position, h);
    }
    Index row(std::uint32_t id) const {
        Index i = 0;
        while (particles.id[i] != id) ++i;
        return i;
    }
};

struct Moments {
    Vec3d linear, angular;
};

Moments moments(const ParticleTable& p, View<const Vec3f> v) {
    Moments sum;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.phase[i] != Phase::rigid) continue;
        sum.linear += double{p.mass[i]} * to_double(v[i]);
        sum.angular += double{p.mass[i]} * cross(to_double(p.position[i]), to_double(v[i]));
    }
    return sum;
}

/// Some acceleration of every row, by id.
std::vector<Vec3f> disorder(const ParticleTable& p) {
    std::vector<Vec3f> a;
    for (const std::uint32_t id : p.id)
        a.push_back(to_float(Vec3d{std::sin(3.0 * id), std::cos(7.0 * id), std::sin(0.5 * id)}));
    return a;
}

}  // namespace

TEST_CASE("bodies are connected components, by object and lowest id") {
    const Setting s;
    CHECK(s.bodies.bodies().size() == 2);
    CHECK(s.particles.rigid_cluster[s.row(0)] == 1);
    CHECK(s.particles.rigid_cluster[s.row(119)] == 1);
    CHECK(s.particles.rigid_cluster[s.row(120)] == 2);
    CHECK(s.particles.rigid_cluster[s.row(240)] == 0);
    CHECK(s.bodies.bodies()[0].count == 120);
}

TEST_CASE("forces of the particles are those of their bodies, for any number of threads") {
    Setting s, t(3);
    std::vector<Vec3f> a = disorder(s.particles), same = a;
    const Moments force = moments(s.particles, a);
    const Moments before = moments(s.particles, s.particles.velocity);
    s.bodies.gather_forces(s.device, a);
    const Moments rigid = moments(s.particles, a);
    CHECK(norm(force.linear - rigid.linear) < 1e-5);
    s.bodies.kick(s.device, 0.1, s.particles);
    const Moments after = moments(s.particles, s.particles.velocity);
    CHECK(norm(after.linear - before.linear - 0.1 * force.linear) < 1e-5);
    CHECK(norm(after.angular - before.angular - 0.1 * force.angular) < 1e-5);
    t.bodies.gather_forces(t.device, same);
    t.bodies.kick(t.device, 0.1, t.particles);
    CHECK(s.particles.velocity == t.particles.velocity);
}

TEST_CASE("particles never leave their places, however long the body moves") {
    Setting s;
    const auto distance = [&](std::uint32_t a, std::uint32_t b) {
        return double{norm(s.particles.position[s.row(a)] - s.particles.position[s.row(b)])};
    };
    const double across = distance(0, 119), along = distance(0, 100);
    const double energy = s.bodies.bodies()[0].kinetic_energy();
    for (int k = 0; k < 5000; ++k) s.bodies.advance(s.device, 0.002, s.particles);
    CHECK(distance(0, 119) == doctest::Approx(across).epsilon(1e-5));
    CHECK(distance(0, 100) == doctest::Approx(along).epsilon(1e-5));
    CHECK(s.bodies.bodies()[0].kinetic_energy() == doctest::Approx(energy).epsilon(1e-5));
}

TEST_CASE("what solvers do to single particles becomes the momentum of the body") {
    Setting s;
    const Moments before = moments(s.particles, s.particles.velocity);
    const Vec3f push{0.3f, -2, 1};
    for (const std::uint32_t id : {0u, 3u, 17u}) s.particles.velocity[s.row(id)] += push;
    const Moments changed = moments(s.particles, s.particles.velocity);
    s.bodies.project_velocities(s.device, s.particles);
    const Moments after = moments(s.particles, s.particles.velocity);
    CHECK(norm(changed.linear - before.linear) > 0.5);
    CHECK(norm(after.linear - changed.linear) < 1e-4);
    CHECK(norm(after.angular - changed.angular) < 1e-4);
    const Vec3d momentum = s.bodies.bodies()[1].angular_momentum, velocity = s.bodies.bodies()[1].velocity;
    s.bodies.project_velocities(s.device, s.particles);
    CHECK(s.bodies.bodies()[1].angular_momentum == momentum);
    CHECK(s.bodies.bodies()[1].velocity == velocity);
}

TEST_CASE(
    "binding keeps momentum and angular momentum, takes energy only, and does nothing the second time") {
    Setting s;
    const std::vector<Vec3f> v = disorder(s.particles);
    const float volume = static_cast<float>(spacing * spacing * spacing);
    std::vector<Packed4> records(2 * (s.particles.size() + 1));
    for (Index i = 0; i < s.particles.size(); ++i)
        records[2 * i + 1] = {volume * v[i].x, volume * v[i].y, volume * v[i].z, 0};
    const auto velocities = [&] {
        std::vector<Vec3f> out;
        for (Index i = 0; i < s.particles.size(); ++i) {
            const Packed4& r = records[2 * i + 1];
            out.push_back(Vec3f{r.x, r.y, r.z} / volume);
        }
        return out;
    };
    const auto energy = [&] {
        double sum = 0;
        for (const Vec3f& u : velocities()) sum += double{norm2(u)};
        return sum;
    };
    const Moments before = moments(s.particles, velocities());
    const double loud = energy();
    s.bodies.project_records(s.device, View(records));
    const Moments after = moments(s.particles, velocities());
    CHECK(norm(after.linear - before.linear) < 1e-4);
    CHECK(norm(after.angular - before.angular) < 1e-4);
    CHECK(energy() < loud);
    const std::vector<Vec3f> once = velocities();
    s.bodies.project_records(s.device, View(records));
    for (Index i = 0; i < once.size(); ++i) CHECK(norm(velocities()[i] - once[i]) < 1e-5f);
}

TEST_CASE("bodies that lose particles, or take up others, keep what momentum their particles have") {
    Setting s;
    for (int k = 0; k < 100; ++k) s.bodies.advance(s.device, 0.002, s.particles);
    s.sort();
    s.bodies.locate(s.device, s.particles);
    const Moments before = moments(s.particles, s.particles.velocity);
    const RigidBody other = s.bodies.bodies()[1];
    // All but three particles of body 1 become a separate body; one of them, far from the others, another
    // one.
    for (const std::uint32_t id : {0u, 1u, 2u}) s.particles.rigid_cluster[s.row(id)] = 3;
    s.particles.rigid_cluster[s.row(119)] = 4;
    s.bodies.regroup(s.device, s.particles, s.search.view());
    s.bodies.scatter_velocities(s.device, s.particles);
    CHECK(s.bodies.bodies().size() == 4);
    CHECK(s.bodies.bodies()[0].count == 116);
    CHECK(s.bodies.bodies()[2].count == 3);
    CHECK(s.bodies.bodies()[1].center == other.center);
    CHECK(s.bodies.bodies()[1].angular_momentum == other.angular_momentum);
    const Moments apart = moments(s.particles, s.particles.velocity);
    CHECK(norm(apart.linear - before.linear) < 1e-5 * norm(before.linear));
    CHECK(norm(apart.angular - before.angular) < 1e-5 * norm(before.angular));
    for (Index i = 0; i < s.particles.size(); ++i) {
        if (s.particles.phase[i] == Phase::rigid) s.particles.rigid_cluster[i] = 1;
    }
    s.bodies.regroup(s.device, s.particles, s.search.view());
    s.bodies.scatter_velocities(s.device, s.particles);
    CHECK(s.bodies.bodies().size() == 1);
    const Moments merged = moments(s.particles, s.particles.velocity);
    CHECK(norm(merged.linear - before.linear) < 1e-5 * norm(before.linear));
    CHECK(norm(merged.angular - before.angular) < 1e-5 * norm(before.angular));
}

TEST_CASE("what is left of a body has the surface of one that never had more") {
    Setting s(2);
    const auto same = [](const RigidMember& a, const RigidMember& b) {
        bool normals = a.faces == b.faces;
        for (std::uint32_t f = 0; normals && f < a.faces; ++f)
            normals = norm(a.normal[f] - b.normal[f]) < 1e-5f;
        return a.id == b.id && a.mass == b.mass && a.volume == b.volume &&
               std::abs(a.own_gamma - b.own_gamma) < 1e-6f && a.outer == b.outer && a.flat == b.flat &&
               normals && norm(a.place - b.place) < 1e-6;
    };
    // Layer by layer, but for the last two, and then back again.
    for (const int layer : {0, 1, 2, 3, -3, -1}) {
        const int x = std::abs(layer);
        for (Index i = 0; i < s.particles.size(); ++i) {
            if (static_cast<int>(s.particles.id[i]) / 20 != x) continue;
            s.particles.phase[i] = layer < 0 ? Phase::rigid : Phase::liquid;
            s.particles.rigid_cluster[i] = layer < 0 ? 1 : 0;
        }
        s.bodies.regroup(s.device, s.particles, s.search.view());
        RigidBodies anew{{Material{.name = "wood", .density = density}},
                         {KernelName::cubic_spline, support, 3, spacing}};
        anew.regroup(s.device, s.particles, s.search.view());
        REQUIRE(anew.members().size() == s.bodies.members().size());
        for (std::size_t b = 0; b < anew.bodies().size(); ++b) {
            CHECK(norm(anew.bodies()[b].center - s.bodies.bodies()[b].center) < 1e-6);
            CHECK(norm(anew.bodies()[b].angular_momentum - s.bodies.bodies()[b].angular_momentum) < 1e-5);
        }
        for (std::size_t k = 0; k < anew.members().size(); ++k)
            CHECK(same(anew.members()[k], s.bodies.members()[k]));
    }
}

TEST_CASE("faces are flat, edges belong to two of them, corners to three, and no particle inside to any") {
    const Setting s;
    int by_faces[4] = {0, 0, 0, 0};
    for (Index k = 0; k < 120; ++k) {
        const RigidMember& m = s.bodies.members()[k];
        ++by_faces[m.faces];
        CHECK((m.outer == 1) == (m.faces > 0));
        for (std::uint32_t f = 0; f < m.faces; ++f) {
            const Vec3f& n = m.normal[f];
            CHECK(std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}) ==
                  doctest::Approx(1).epsilon(1e-4));
            CHECK(dot(to_double(n), m.place) > 0);
        }
    }
    CHECK(by_faces[0] == 4 * 2 * 3);
    CHECK(by_faces[1] == 2 * (4 * 2 + 4 * 3 + 2 * 3));
    CHECK(by_faces[2] == 4 * (4 + 2 + 3));
    CHECK(by_faces[3] == 8);
}
