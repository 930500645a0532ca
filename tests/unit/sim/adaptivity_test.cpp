#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/checkpoint.h"
#include "sim/populate.h"
#include "sim/statistics.h"
#include "unit/core/near.h"
#include "unit/core/temporary_folder.h"

using namespace thixo;

namespace {

bool never() { return false; }

Model adaptive(double spacing) {
    Model model;
    model.dimensions = 2;
    model.particles.spacing = spacing;
    model.solver.pressure = PressureMethod::tait;
    model.solver.density = DensityMethod::continuity;
    model.solver.viscosity = ViscosityMethod::artificial;
    model.adaptivity.coarsest = 4;
    model.materials = {{.name = "water", .liquid = {.sound_speed = 40}, .heat = {}},
                       {.name = "oil", .density = 800, .liquid = {.sound_speed = 40}, .heat = {}}};
    return model;
}

Object block(const char* material, const Vec3d& min, const Vec3d& max) {
    return {.name = material, .material = material, .shape = Box{min, max}};
}

/// A column of two liquids that falls apart in a box.
struct Dam {
    Model model = adaptive(0.025);
    std::vector<Object> objects{block("water", {0, 0, 0}, {0.7, 0.5, 1}),
                                block("oil", {0, 0.5, 0}, {0.7, 1, 1})};

    Dam() { model.obstacles = {{.name = "box", .shape = Box{{0, 0, 0}, {2, 2, 1}}, .inside = true}}; }
    Simulation start(int threads) const { return {model, populate(model, objects), Device{threads}}; }
};

/// It is thrown against the wall first.
struct FastDam : Dam {
    FastDam() {
        for (Object& object : objects) object.velocity = {-3, 0, 0};
    }
};

std::uint64_t hash_of(const Simulation& sim) { return state_hash(Device{1}, sim.particles()); }

std::vector<double> masses(const ParticleTable& p) {
    std::vector<double> sum(2);
    for (Index i = 0; i < p.size(); ++i) sum[p.material[i]] += p.mass[i];
    return sum;
}

}  // namespace

TEST_CASE("a liquid is simplified before the first step, and less at its surface") {
    const Dam dam;
    const Simulation sim = dam.start(1);
    const ParticleTable &all = populate(dam.model, dam.objects), &p = sim.particles();
    CHECK(p.size() < 0.7 * all.size());
    CHECK(masses(p)[0] == near(masses(all)[0], 1e-4));
    for (Index i = 0; i < p.size(); ++i) {
        INFO(p.position[i].x, " ", p.position[i].y);
        if (p.position[i].x > 0.68f || p.position[i].y > 0.98f) CHECK(p.radius[i] < 1.35f * 2 * 0.0125f);
        CHECK(p.radius[i] < 4.01f * 0.0125f);
    }
    CHECK(*std::max_element(p.radius.begin(), p.radius.end()) > 2 * 0.0125f);
    // Nothing weighs more or less, nothing moves.
    CHECK(gather_statistics(sim).kinetic == 0);
}

TEST_CASE("splits and merges are the same for any number of threads, and weigh nothing") {
    const FastDam dam;
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 3}) {
        Simulation sim = dam.start(threads);
        const std::vector<double> before = masses(sim.particles());
        const std::uint64_t id = sim.clock().next_id;
        const Index start = sim.particles().size();
        for (int k = 0; k < 400; ++k) sim.step(1e9);
        CHECK(sim.clock().next_id > id);                                   // some were split
        CHECK(sim.clock().next_id - id + start > sim.particles().size());  // some merged
        CHECK(masses(sim.particles()) == before);
        if (first == 0) first = hash_of(sim);
        CHECK(hash_of(sim) == first);
    }
}

TEST_CASE("an adaptive run that was resumed ends in the same bits") {
    const FastDam dam;
    const TemporaryFolder folder;
    Simulation undisturbed = dam.start(1);
    for (int k = 0; k < 300; ++k) undisturbed.step(1e9);
    for (const int stop : {0, 5, 8, 203}) {
        Simulation sim = dam.start(2);
        for (int k = 0; k < stop; ++k) sim.step(1e9);
        save_checkpoint(folder / "checkpoint", sim, "");
        Simulation resumed(dam.model, load_checkpoint(folder / "checkpoint").snapshot, Device{1});
        CHECK(hash_of(resumed) == hash_of(sim));
        for (int k = stop; k < 300; ++k) resumed.step(1e9);
        CHECK(hash_of(resumed) == hash_of(undisturbed));
    }
}

TEST_CASE("momentum and angular momentum of colliding drops do not change, and energy does not grow") {
    Model model = adaptive(0.05);
    model.gravity = {};
    std::vector<Object> drops;
    for (const double side : {-1., 1.}) {
        Object drop{.name = "drop", .material = "water", .shape = Sphere{{0.6 * side, 0.1 * side, 0}, 0.5}};
        drop.velocity = {-2 * side, 0, 0};
        drop.angular_velocity = {0, 0, 1};
        drops.push_back(drop);
    }
    Simulation sim(model, populate(model, drops));
    const Statistics before = gather_statistics(sim);
    double motion = 0, highest = before.kinetic;
    for (Index i = 0; i < sim.particles().size(); ++i)
        motion += sim.particles().mass[i] * norm(sim.particles().velocity[i]);
    for (int frame = 1; frame <= 8; ++frame) {
        REQUIRE(sim.advance_frame(0.05 * frame, never));
        const Statistics now = gather_statistics(sim);
        highest = std::max(highest, now.kinetic);
        CHECK(now.mass == before.mass);
        CHECK(norm(now.momentum - before.momentum) < 1e-5 * motion);
        // Positions and velocities are half a step apart, which is a part of the angular momentum as it is
        // measured.
        CHECK(norm(now.angular_momentum - before.angular_momentum) < 2e-3 * motion);
    }
    CHECK(sim.clock().next_id > populate(model, drops).size());
    CHECK(highest < 1.001 * before.kinetic);
}

TEST_CASE("liquid is fine beside a solid, which keeps its particles") {
    Dam dam;
    dam.objects = {block("water", {0, 0, 0}, {2, 1, 1})};
    dam.objects[0].name = "pool";
    Object solid = block("oil", {0.8, 0.4, 0}, {1.2, 0.6, 1});
    solid.phase = Phase::rigid;
    dam.objects.insert(dam.objects.begin(), solid);
    Simulation sim = dam.start(1);
    const auto rigid = [](const ParticleTable& p) {
        return std::count(p.phase.begin(), p.phase.end(), Phase::rigid);
    };
    const auto before = rigid(sim.particles());
    for (int k = 0; k < 40; ++k) sim.step(1e9);
    const ParticleTable& p = sim.particles();
    CHECK(rigid(p) == before);
    CHECK(p.size() < 2000);
    for (Index i = 0; i < p.size(); ++i) {
        if (p.phase[i] == Phase::rigid) CHECK(p.radius[i] == 0.0125f);
        // Somewhat nearer than a support: within eight steps no particle moves farther.
        const Vec3f& x = p.position[i];
        const float gap = std::max(std::abs(x.x - 1) - 0.2f, std::abs(x.y - 0.5f) - 0.1f);
        if (gap < 0.025f) CHECK(p.radius[i] < 1.5f * 0.0125f);
    }
}
