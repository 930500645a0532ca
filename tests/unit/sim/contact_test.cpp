#include <doctest/doctest.h>

#include "sim/checkpoint.h"
#include "sim/populate.h"
#include "sim/simulation.h"
#include "unit/core/temporary_folder.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05;

Object block(const std::string& name, const Box& box, const Vec3d& velocity) {
    Object object{.name = name, .material = "rubber", .shape = box};
    object.phase = Phase::elastic;
    object.velocity = velocity;
    return object;
}

/// Two blocks meet at 20 m/s beside some water; E in Pa.
struct Impact {
    Model model;
    std::vector<Object> objects;

    explicit Impact(double young_modulus = 1e6) {
        model.gravity = {0, 0, 0};
        model.particles.spacing = spacing;
        model.materials = {{.name = "rubber", .solid = {.young_modulus = young_modulus}}, {.name = "water"}};
        objects = {
            block("left", {{-0.3, 0, 0}, {0, 0.3, 0.3}}, {10, 0, 0}),
            block("right", {{0.06, 0.02, 0.02}, {0.36, 0.32, 0.32}}, {-10, 0, 0}),
            Object{.name = "pool", .material = "water", .shape = Box{{-0.3, 0.35, 0}, {0.3, 0.5, 0.3}}}};
    }
    Simulation simulation(int threads) const { return {model, populate(model, objects), Device{threads}}; }
};

std::uint64_t hash_of(const Simulation& sim) { return state_hash(Device{1}, sim.particles()); }

}  // namespace

TEST_CASE("an impact ends in the same bits for any number of threads, and when resumed in the midst of it") {
    const TemporaryFolder folder;
    const Impact impact;
    Simulation undisturbed = impact.simulation(1);
    int solved = 0;
    for (int k = 0; k < 60; ++k) {
        undisturbed.step(1e9);
        solved += undisturbed.contact().iterations() > 0;
    }
    CHECK(solved > 3);
    Simulation sim = impact.simulation(3);
    for (int k = 0; k < 60; ++k) {
        if (k == 9 || k == 25) {
            save_checkpoint(folder / "checkpoint", sim, "the scene");
            Simulation resumed(impact.model, load_checkpoint(folder / "checkpoint").snapshot, Device{2});
            for (int rest = k; rest < 60; ++rest) resumed.step(1e9);
            CHECK(hash_of(resumed) == hash_of(undisturbed));
        }
        sim.step(1e9);
    }
    CHECK(hash_of(sim) == hash_of(undisturbed));
}

TEST_CASE("sound limits solids only where they can press on something") {
    Impact impact(1e3);
    impact.objects.resize(1);
    impact.objects[0].velocity = {};
    CHECK(impact.simulation(1).time_step_limit().name == "elastic wave in `rubber`");
    impact.model.obstacles = {{.name = "floor", .shape = Plane{}}};
    CHECK(impact.simulation(1).time_step_limit().name == "sound in `rubber`");
}

TEST_CASE("XSPH moves solids by their own velocity, and continuity sums their density") {
    Impact impact;
    impact.model.solver.xsph = 0.5;
    impact.model.solver.density = DensityMethod::continuity;
    // Both blocks pass the water without touching: drawn along, they would turn.
    impact.objects[1].velocity = impact.objects[0].velocity = {10, 0, 0};
    Simulation sim = impact.simulation(1);
    const Vec3f v{10, 0, 0};
    std::vector<Vec3f> before(sim.particles().size());
    for (Index i = 0; i < sim.particles().size(); ++i)
        before[sim.particles().id[i]] = sim.particles().position[i];
    sim.step(1e9);
    const ParticleTable& p = sim.particles();
    const auto dt = static_cast<float>(sim.clock().last_step);
    for (Index i = 0; i < p.size(); ++i) {
        if (p.phase[i] == Phase::liquid) continue;
        // What the body lacks at its surface is no lack of density: no pressure pulls, none pushes.
        CHECK(norm(p.position[i] - before[p.id[i]] - dt * p.velocity[i]) < 1e-6f);
        CHECK(norm(p.velocity[i] - v) < 0.2f);
    }
}
