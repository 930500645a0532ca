// Scenes of [WHP06, fig. 6 and 7] at a reduced size: lattice solids that melt and freeze by chance.

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "physics/lattice.h"
#include "physics/scene_file.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

std::string spacing(double full, double reduced) { return setting("particles.spacing", pick(reduced, full)); }

void run(Simulation& sim, const Scene& scene, double seconds) {
    const auto until = static_cast<int>(std::lround(seconds * scene.frame_rate));
    for (int frame = static_cast<int>(sim.clock().frame) + 1; frame <= until; ++frame)
        REQUIRE(sim.advance_frame(frame / scene.frame_rate, never));
}

/// Particles of an object that belong to a body.
Index count_of(const ParticleTable& p, std::uint16_t object, std::uint32_t body) {
    Index count = 0;
    for (Index i = 0; i < p.size(); ++i) count += p.object[i] == object && p.body[i] == body;
    return count;
}

/// All particles are in the box; solid particles, and no others, have a site and a body.
void check_order(const ParticleTable& p, const Box& box) {
    std::set<std::uint32_t> sites;
    for (Index i = 0; i < p.size(); ++i) {
        const bool solid = p.phase[i] != Phase::liquid;
        CHECK((p.lattice_index[i] != no_index) == solid);
        CHECK((p.body[i] != 0) == solid);
        if (solid) sites.insert(p.lattice_index[i]);
        const Vec3f& x = p.position[i];
        CHECK(std::isfinite(x.x + x.y + x.z));
        CHECK(x.x > box.min.x);
        CHECK(x.x < box.max.x);
        CHECK(x.y > box.min.y);
        CHECK(x.z > box.min.z);
        CHECK(x.z < box.max.z);
    }
    std::size_t solids = 0;
    for (const Phase phase : p.phase) solids += phase != Phase::liquid;
    CHECK(sites.size() == solids);
}

}  // namespace

TEST_CASE("goo freezes to a cooled rod and becomes one body with it; the rest runs off") {
    const Scene scene = scene_file("wicke2006/goo_on_cooled_rod", {spacing(0.02, 0.035)});
    Simulation sim = start(scene);
    const Index rod = sim.particles().size();
    const std::vector<Vec3d> before = places(sim.particles());
    run(sim, scene, scene.duration);
    const ParticleTable& p = sim.particles();
    const Statistics end = gather_statistics(sim);
    const Index frozen = count_of(p, 1, 1);
    INFO(rod, " of the rod, ", p.size() - rod, " of goo, ", frozen, " frozen to the rod, ", end.bodies,
         " bodies");
    check_order(p, Box{{-0.6, 0, -0.4}, {0.6, 1, 0.4}});
    CHECK(count_of(p, 0, 1) == rod);
    CHECK(closest_motion(before, places(p), false).error < 1e-6);  // it is held
    CHECK(frozen > (p.size() - rod) / 10);
    CHECK(end.liquid > (p.size() - rod) / 10);
    // It froze at the rod: no particle of the body is far from it.
    double lowest = 1;
    for (Index i = 0; i < p.size(); ++i)
        if (p.body[i] == 1) lowest = std::min(lowest, double{p.position[i].y});
    CHECK(lowest > 0.3);
    // Frozen matter is connected and at rest.
    double fastest_solid = 0;
    for (Index i = 0; i < p.size(); ++i)
        if (p.body[i] == 1) fastest_solid = std::max(fastest_solid, double{norm(p.velocity[i])});
    CHECK(fastest_solid < 0.5);
}

TEST_CASE("a bunny that keeps a lattice melts from below until nothing of it is left") {
    const Scene scene = scene_file("wicke2006/melting_bunny", {spacing(0.0135, 0.03)});
    Simulation sim = start(scene);
    const Statistics before = gather_statistics(sim);
    CHECK(before.bodies == 1);
    CHECK(before.liquid == 0);
    std::uint64_t liquid = 0;
    for (double t = 1; t <= scene.duration; t += 1) {
        run(sim, scene, t);
        const Statistics now = gather_statistics(sim);
        INFO(now.liquid, " of ", before.elastic, " are liquid at ", t, " s");
        CHECK(now.liquid > liquid);
        CHECK(now.mass == before.mass);
        liquid = now.liquid;
    }
    check_order(sim.particles(), Box{{-0.4, 0, -0.35}, {0.4, 1, 0.35}});
    CHECK(liquid > 0.9 * static_cast<double>(before.elastic));
    double highest = 0;
    for (const Vec3f& x : sim.particles().position) highest = std::max(highest, double{x.y});
    CHECK(highest < 0.25);  // of 0.5 m
}
