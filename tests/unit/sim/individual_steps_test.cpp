#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "sim/checkpoint.h"
#include "sim/populate.h"
#include "sim/state_hash.h"
#include "sim/statistics.h"
#include "unit/core/near.h"
#include "unit/core/temporary_folder.h"

using namespace thixo;

namespace {

bool never() { return false; }

/// A column of water falls on a stiff beam that is held at its foot, and on a rigid block.
struct Dam {
    Model model;
    std::vector<Object> objects;

    explicit Dam(TimeStepMethod method = TimeStepMethod::individual) {
        model.dimensions = 2;
        model.particles.spacing = 0.025;
        model.solver.pressure = PressureMethod::tait;
        model.solver.density = DensityMethod::continuity;
        model.solver.viscosity = ViscosityMethod::artificial;
        model.solver.time_step = method;
        Material water{.name = "water", .liquid = {.sound_speed = 20}},
            rubber{.name = "rubber", .liquid = {.sound_speed = 20}}, wood{.name = "wood", .density = 600};
        rubber.solid.young_modulus = 1e8;
        model.materials = {water, rubber, wood};
        model.obstacles = {{.name = "box", .shape = Box{{0, 0, 0}, {2, 2, 1}}, .inside = true}};
        Object beam{.name = "beam", .material = "rubber", .phase = Phase::elastic};
        beam.shape = Box{{1.2, 0, 0}, {1.3, 0.5, 1}};
        beam.held = {{.region = Box{{1, -1, 0}, {1.5, 0.06, 1}}}};
        Object block{.name = "block", .material = "wood", .phase = Phase::rigid};
        block.shape = Box{{0.8, 0, 0}, {1, 0.2, 1}};
        objects = {{.name = "water", .material = "water", .shape = Box{{0, 0, 0}, {0.6, 1, 1}}}, block, beam};
        model.objects = objects;
    }
    Simulation start(int threads = 1) const { return {model, populate(model, objects), Device{threads}}; }
};

std::uint64_t hash_of(const Simulation& sim) { return state_hash(sim); }

}  // namespace

TEST_CASE("individual steps are the same bits for any number of threads") {
    const Dam dam;
    std::uint64_t first = 0;
    for (const int threads : {1, 3}) {
        Simulation sim = dam.start(threads);
        for (int frame = 1; frame <= 5; ++frame) REQUIRE(sim.advance_frame(0.05 * frame, never));
        if (first == 0) first = hash_of(sim);
        CHECK(hash_of(sim) == first);
        CHECK(sim.clock().frame_step_max > 3.9 * sim.clock().frame_step_min);
    }
}

TEST_CASE("a run with individual steps that was resumed ends in the same bits") {
    const Dam dam;
    const TemporaryFolder folder;
    Simulation undisturbed = dam.start();
    for (int k = 0; k < 300; ++k) undisturbed.step(1e9);
    for (const int stop : {0, 1, 150}) {
        Simulation sim = dam.start(2);
        for (int k = 0; k < stop; ++k) sim.step(1e9);
        save_checkpoint(folder / "checkpoint", sim, "");
        Simulation resumed(dam.model, load_checkpoint(folder / "checkpoint").snapshot, Device{1});
        for (int k = stop; k < 300; ++k) resumed.step(1e9);
        CHECK(hash_of(resumed) == hash_of(undisturbed));
    }
}

TEST_CASE("frames end when they should, and what is held is where it should be") {
    const Dam dam;
    Simulation sim = dam.start();
    const ParticleTable start = sim.particles();
    for (int frame = 1; frame <= 8; ++frame) {
        REQUIRE(sim.advance_frame(0.05 * frame, never));
        CHECK(sim.clock().time == 0.05 * frame);
    }
    const ParticleTable& p = sim.particles();
    int held = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.kinematic_id[i] == 0) continue;
        ++held;
        for (Index k = 0; k < start.size(); ++k)
            if (start.id[k] == p.id[i]) CHECK(start.position[k] == p.position[i]);
    }
    CHECK(held > 4);
}

TEST_CASE("a stiff body does not dictate the step of the water around it") {
    Simulation own = Dam().start(), together = Dam(TimeStepMethod::global).start();
    for (int frame = 1; frame <= 8; ++frame) {
        REQUIRE(own.advance_frame(0.05 * frame, never));
        REQUIRE(together.advance_frame(0.05 * frame, never));
    }
    CHECK(own.evaluations() < 0.33 * static_cast<double>(together.evaluations()));
    // What becomes of it is the same: 3 % of the width of the box, and of the mass times the speed of the
    // fall.
    const Statistics a = gather_statistics(own), b = gather_statistics(together);
    CHECK(a.mass == b.mass);
    CHECK(norm(a.momentum - b.momentum) < 0.03 * a.mass * std::sqrt(2 * 9.81));
    const auto center = [](const ParticleTable& p) {
        Vec3d sum{};
        double mass = 0;
        for (Index i = 0; i < p.size(); ++i) {
            sum += double{p.mass[i]} * to_double(p.position[i]);
            mass += p.mass[i];
        }
        return sum / mass;
    };
    CHECK(norm(center(own.particles()) - center(together.particles())) < 0.03 * 2);
}

TEST_CASE("where all may take the same step, they take it") {
    for (const TimeStepMethod method : {TimeStepMethod::global, TimeStepMethod::individual}) {
        Dam dam(method);
        dam.objects = {{.name = "drop", .material = "water", .shape = Sphere{{1, 1, 0}, 0.3}}};
        dam.objects[0].velocity = {0.2, 0, 0};
        dam.model.objects.clear();
        dam.model.gravity = {};
        Simulation sim = dam.start();
        REQUIRE(sim.advance_frame(0.05, never));
        CHECK(sim.evaluations() == sim.clock().step * sim.particles().size());
        const double limit = sim.time_step_limit().seconds;
        CHECK(sim.clock().frame_step_max == near(0.05 / std::ceil(0.05 / limit)));
    }
}

TEST_CASE("a tap fills a box that is empty at first, as fast as with one step for all") {
    Index emitted[2];
    for (const TimeStepMethod method : {TimeStepMethod::global, TimeStepMethod::individual}) {
        Dam dam(method);
        dam.objects.clear();
        dam.model.objects.clear();
        Emitter tap{.name = "tap", .material = "water"};
        tap.opening = Rectangle{.width = 0.2};
        tap.position = {1, 1.5, 0};
        tap.direction = {0, -1, 0};
        tap.speed = 2;
        dam.model.emitters = {tap};
        Simulation sim = dam.start();
        for (int frame = 1; frame <= 8; ++frame) REQUIRE(sim.advance_frame(0.05 * frame, never));
        emitted[method == TimeStepMethod::individual] = sim.particles().size();
        for (const Vec3f& v : sim.particles().velocity) CHECK(norm(v) < 6);
    }
    CHECK(emitted[0] > 100);
    CHECK(emitted[1] == emitted[0]);
}
