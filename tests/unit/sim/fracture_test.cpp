#include <doctest/doctest.h>

#include <algorithm>

#include "sim/checkpoint.h"
#include "sim/statistics.h"
#include "unit/core/temporary_folder.h"
#include "unit/sim/splash.h"

using namespace thixo;

namespace {

/// A bar whose halves fly apart, above a pool.
struct Tug {
    Model model;
    std::vector<Object> objects;

    explicit Tug(ElasticIntegrator elasticity = ElasticIntegrator::leapfrog) {
        model.particles.spacing = 0.05;
        model.solver.elasticity = elasticity;
        Material glass{.name = "glass", .density = 1000};
        glass.solid = {.young_modulus = 2e5, .break_strain = 0.15};
        model.materials = {water(), glass};
        model.obstacles = {{.name = "tank", .shape = Box{{-1, 0, -0.1}, {1, 1, 0.3}}, .inside = true}};
        objects = {{.name = "pool", .material = "water", .shape = Box{{-1, 0, -0.1}, {1, 0.1, 0.3}}},
                   {.name = "bar",
                    .material = "glass",
                    .phase = Phase::elastic,
                    .shape = Box{{-0.5, 0.4, 0}, {0.5, 0.6, 0.2}}}};
    }

    Simulation simulation(Device device = {1}) const {
        ParticleTable particles = populate(model, objects);
        for (Index i = 0; i < particles.size(); ++i) {
            if (particles.phase[i] == Phase::elastic)
                particles.velocity[i].x = particles.position[i].x > 0 ? 3.f : -3.f;
        }
        return {model, std::move(particles), device};
    }
};

}  // namespace

TEST_CASE("bodies that break have the same bits on any number of threads") {
    for (const ElasticIntegrator elasticity : {ElasticIntegrator::leapfrog, ElasticIntegrator::implicit}) {
        const Tug tug(elasticity);
        std::uint64_t hash = 0;
        for (const int threads : {1, 2, 3}) {
            Simulation sim = tug.simulation(Device{threads});
            CHECK(gather_statistics(sim).bodies == 1);
            while (sim.clock().time < 0.1) sim.step(0.1);
            CHECK(gather_statistics(sim).bodies > 1);
            CHECK(gather_statistics(sim).bodies == sim.lineage().size());
            const std::uint64_t now = state_hash(Device{1}, sim.particles());
            if (hash == 0) hash = now;
            CHECK(now == hash);
        }
    }
}

TEST_CASE("a run with bodies that break goes on from a checkpoint with the same bits") {
    for (const ElasticIntegrator elasticity : {ElasticIntegrator::leapfrog, ElasticIntegrator::implicit}) {
        const TemporaryFolder folder;
        const Tug tug(elasticity);
        Simulation whole = tug.simulation();
        int steps = 0;
        for (; whole.clock().time < 0.1; ++steps) whole.step(0.1);
        // In the middle of what breaks, too.
        for (const int stop_after : {0, steps / 4, steps / 2, steps - 1}) {
            Simulation sim = tug.simulation(Device{2});
            for (int k = 0; k < stop_after; ++k) sim.step(0.1);
            save_checkpoint(folder / "c", sim, "");
            Simulation resumed(tug.model, load_checkpoint(folder / "c").snapshot, Device{1});
            while (resumed.clock().time < 0.1) resumed.step(0.1);
            CHECK(state_hash(Device{1}, resumed.particles()) == state_hash(Device{1}, whole.particles()));
            CHECK(resumed.lineage() == whole.lineage());
            CHECK(resumed.elastic().state().links == whole.elastic().state().links);
        }
    }
}

TEST_CASE("the lineage is a table of events") {
    const Lineage lineage{{0, 0, BodyEvent::started, 1, 0, 0, 40},
                          {0, 0, BodyEvent::started, 2, 0, 0, 9},
                          {0.25, 8, BodyEvent::came_off, 3, 1, 0, 7, 0.5, {1, 2, 3}, {0.25, 0, -1}},
                          {0.5, 15, BodyEvent::merged, 1, 2, 0, 49},
                          {0.5, 15, BodyEvent::merged, 1, 3, 0, 49},
                          {0.75, 23, BodyEvent::froze, 4, 0, 0, 1},
                          {1, 30, BodyEvent::melted, 1, 0, 0, 0}};
    CHECK(lineage_table(lineage) ==
          "frame,time,body,event,parents,particles,mass,x,y,z,vx,vy,vz\n"
          "0,0,1,started,,40,0,0,0,0,0,0,0\n0,0,2,started,,9,0,0,0,0,0,0,0\n"
          "8,0.25,3,came off,1,7,0.5,1,2,3,0.25,0,-1\n"
          "15,0.5,1,merged,1 2 "
          "3,49,0,0,0,0,0,0,0\n23,0.75,4,froze,,1,0,0,0,0,0,0,0\n30,1,1,melted,,0,0,0,0,0,0,0,0\n");
}

TEST_CASE("sinks leave bodies alone") {
    Tug tug;
    tug.model.sinks = {{.name = "drain", .shape = Box{{-2, -1, -1}, {2, 2, 1}}}};
    Simulation sim = tug.simulation();
    sim.step(1e9);
    CHECK(sim.particles().size() > 0);
    CHECK(std::all_of(sim.particles().phase.begin(), sim.particles().phase.end(),
                      [](Phase phase) { return phase == Phase::elastic; }));
}
