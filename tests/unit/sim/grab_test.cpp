#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/checkpoint.h"
#include "sim/state_hash.h"
#include "sim/statistics.h"
#include "unit/core/temporary_folder.h"
#include "unit/sim/splash.h"

using namespace thixo;

namespace {

/// Kinds of matter that a pause or a grab must be able to hold.
enum class Kind { liquid, elastic, lattice, rigid };

constexpr Kind solids[] = {Kind::elastic, Kind::lattice, Kind::rigid};

/// Blocks of one kind in empty space, without gravity.
struct Theatre {
    Model model;
    std::vector<Object> objects;
    Kind kind;

    explicit Theatre(Kind of, int dimensions = 3) : kind(of) {
        model.dimensions = dimensions;
        model.particles.spacing = 0.1;
        model.gravity = {0, 0, 0};
        model.materials = {water()};
        model.materials[0].solid.young_modulus = 1e5;
        model.materials[0].solid.damping = 1e-3;
        if (kind == Kind::lattice) {
            model.materials[0].solid.model = SolidModel::lattice;
            model.materials[0].solid.poisson_ratio = 0;
            model.materials[0].solid.reach = dimensions == 2 ? 1.5 : 1.3;
        }
    }
    void add(const char* name, const Vec3d& min, const Vec3d& max, const Vec3d& velocity = {}) {
        const Phase phase = kind == Kind::liquid  ? Phase::liquid
                            : kind == Kind::rigid ? Phase::rigid
                                                  : Phase::elastic;
        objects.push_back({.name = name,
                           .material = "water",
                           .phase = phase,
                           .velocity = velocity,
                           .lattice = kind == Kind::lattice ? Lattice::closest : Lattice::cubic,
                           .shape = Box{min, max}});
    }
    Simulation simulation(Device device = {2}) {
        model.objects = objects;
        return {model, populate(model, objects), device};
    }
};

void run_until(Simulation& sim, double end) {
    while (sim.clock().time < end) sim.step(end);
}

std::vector<Vec3d> places(const Simulation& sim) {
    std::vector<Vec3d> out(sim.particles().size());
    for (Index i = 0; i < out.size(); ++i)
        out[sim.particles().id[i]] = to_double(sim.particles().position[i]);
    return out;
}

std::uint64_t hash_of(const Simulation& sim) { return state_hash(sim); }

/// Lifts and turns what was at the origin's right, once it has begun.
Motion swing(double start) {
    Motion motion;
    motion.pivot = {0.2, 0.2, 0};
    motion.keyframes = {{.time = start, .translate = {0.1, 0, 0}},
                        {.time = start + 0.2, .translate = {0.1, 0.2, 0}, .rotate = {0, 0, 40}}};
    return motion;
}

constexpr auto everywhere = Plane{{0, 10, 0}, {0, 1, 0}};

/// A bar that swings by its end while what it meets is paused.
Theatre busy_theatre(Kind kind) {
    Theatre theatre(kind);
    theatre.model.gravity = {0, -9.81, 0};
    theatre.model.obstacles = {{.name = "floor", .shape = Plane{{0, -0.1, 0}, {0, 1, 0}}, .friction = 0.4}};
    theatre.add("bar", {0, 0, 0}, {0.8, 0.3, 0.3});
    theatre.add("other", {1, 0, 0}, {1.4, 0.4, 0.4}, {-1, 0, 0.5});
    theatre.model.grabs = {{.name = "hand",
                            .region = Box{{-1, -1, -1}, {0.25, 1, 1}},
                            .objects = {"bar"},
                            .start = 0.03,
                            .stop = 0.12,
                            .motion = swing(0.03)}};
    theatre.model.pauses = {{.objects = {"other"}, .start = 0.04, .stop = 0.09}};
    return theatre;
}

}  // namespace

TEST_CASE("what is paused stands still, and then goes on as it was going") {
    for (const Kind kind : {Kind::liquid, Kind::elastic, Kind::lattice, Kind::rigid}) {
        CAPTURE(static_cast<int>(kind));
        Theatre theatre(kind);
        theatre.add("flying", {0, 0, 0}, {0.4, 0.4, 0.4}, {2, 1, 0});
        theatre.add("free", {3, 0, 0}, {3.4, 0.4, 0.4}, {2, 1, 0});
        theatre.model.pauses = {{.objects = {"flying"}, .start = 0.05, .stop = 0.1}};
        Simulation sim = theatre.simulation();
        const std::vector<Vec3d> start = places(sim);
        run_until(sim, 0.05);
        const std::vector<Vec3d> stopped = places(sim);
        run_until(sim, 0.09);
        const ParticleTable& p = sim.particles();
        for (Index i = 0; i < p.size(); ++i) {
            if (p.object[i] == 1) {
                CHECK(p.kinematic_id[i] == 0);
                continue;
            }
            CHECK(p.kinematic_id[i] == 1);
            CHECK(p.velocity[i] == Vec3f{});
            CHECK(norm(to_double(p.position[i]) - stopped[p.id[i]]) < 1e-7);
        }
        run_until(sim, 0.2);
        const Vec3d v{2, 1, 0};
        for (Index i = 0; i < p.size(); ++i) {
            CHECK(p.kinematic_id[i] == 0);
            CHECK(norm(to_double(p.velocity[i]) - v) < 1e-4);
            // It may have been released a step late.
            const double seconds = p.object[i] == 1 ? 0.2 : 0.15;
            CHECK(norm(to_double(p.position[i]) - start[p.id[i]] - seconds * v) <
                  norm(v) * 2 * sim.clock().last_step);
        }
    }
}

TEST_CASE("pauses that overlap end with the last of them") {
    Theatre theatre(Kind::liquid);
    theatre.add("flying", {0, 0, 0}, {0.4, 0.4, 0.4}, {2, 1, 0});
    theatre.model.pauses = {{.start = 0.02, .stop = 0.05},
                            {.materials = {"water"}, .start = 0.04, .stop = 0.08}};
    Simulation sim = theatre.simulation();
    run_until(sim, 0.075);
    for (const std::uint16_t hold : sim.particles().kinematic_id) CHECK(hold == 2);
    run_until(sim, 0.1);
    for (const Vec3f& v : sim.particles().velocity) CHECK(norm(v - Vec3f{2, 1, 0}) < 1e-4f);
}

TEST_CASE("paused particles do not yield to others") {
    for (const PressureMethod pressure : {PressureMethod::tait, PressureMethod::dfsph}) {
        Theatre theatre(Kind::liquid);
        theatre.model.solver.pressure = pressure;
        theatre.add("waiting", {0, 0, 0}, {0.5, 0.5, 0.5});
        theatre.add("coming", {0.6, 0, 0}, {0.9, 0.5, 0.5}, {-2, 0, 0});
        theatre.model.pauses = {{.objects = {"waiting"}}};
        Simulation sim = theatre.simulation();
        const std::vector<Vec3d> start = places(sim);
        run_until(sim, 0.3);
        double deepest = 1;
        for (Index i = 0; i < sim.particles().size(); ++i) {
            const Vec3d x = to_double(sim.particles().position[i]);
            if (sim.particles().object[i] == 0)
                CHECK(x == start[sim.particles().id[i]]);
            else if (std::max(std::abs(x.y - 0.25), std::abs(x.z - 0.25)) < 0.2)
                deepest = std::min(deepest, x.x);
        }
        // No particle passes its outermost particles.
        CHECK(deepest > 0.45);
    }
}

TEST_CASE("a grab leads the solids in its region, and lets them go with the velocity of its motion") {
    for (const int dimensions : {2, 3}) {
        for (const Kind kind : solids) {
            for (const bool whole : {false, true}) {
                CAPTURE(dimensions);
                CAPTURE(static_cast<int>(kind));
                CAPTURE(whole);
                Theatre theatre(kind, dimensions);
                theatre.add("bar", {0, 0, 0}, {0.8, 0.3, 0.3}, {0.5, 0, 0});
                theatre.model.grabs = {{.name = "hand",
                                        .region = Box{{-1, -1, -1}, {0.33, 1, 1}},
                                        .whole_bodies = whole,
                                        .start = 0.05,
                                        .stop = 0.15,
                                        .motion = swing(0.05)}};
                Simulation sim = theatre.simulation();
                run_until(sim, 0.05);
                const std::vector<Vec3d> taken = places(sim);
                const ParticleTable& p = sim.particles();
                Index held = 0;
                for (Index i = 0; i < p.size(); ++i) {
                    const bool inside = p.position[i].x < 0.33f;
                    CHECK((p.kinematic_id[i] == 1) == (inside || whole || kind == Kind::rigid));
                    held += p.kinematic_id[i] > 0;
                }
                CHECK(held > 5);
                run_until(sim, 0.14);
                // From where the motion was, 0.1 m to the right, to where it is.
                const Motion motion = swing(0.05);
                const Pose from = motion.at(0.05), to = motion.at(0.14);
                for (Index i = 0; i < p.size(); ++i) {
                    if (p.kinematic_id[i] == 0) continue;
                    const Vec3d x = to.to_world(from.from_world(taken[p.id[i]]));
                    CHECK(norm(to_double(p.position[i]) - x) < 1e-6);
                }
                std::vector<bool> was_held(p.size());
                for (Index i = 0; i < p.size(); ++i) was_held[p.id[i]] = p.kinematic_id[i] > 0;
                while (sim.clock().time < 0.15) sim.step(1);
                const Pose end = motion.at(sim.clock().time);
                const double fastest =
                    norm(end.angular_velocity) * 1 + norm(end.velocity);  // 1 m from the pivot
                for (Index i = 0; i < p.size(); ++i) {
                    CHECK(p.kinematic_id[i] == 0);
                    // It is the mean of the last step, whose velocity turned by ω Δt.
                    const Vec3d v = end.velocity_at(to_double(p.position[i]));
                    const double turn = norm(end.angular_velocity) * sim.clock().last_step;
                    if (was_held[p.id[i]]) CHECK(norm(to_double(p.velocity[i]) - v) < turn * fastest);
                }
            }
        }
    }
}

TEST_CASE("a grab takes what is solid and free, of the objects and materials that it names") {
    Theatre theatre(Kind::elastic);
    Material wax = theatre.model.materials[0];
    wax.name = "wax";
    theatre.model.materials.push_back(wax);
    theatre.add("fixed", {0, 0, 0}, {0.3, 0.3, 0.3});
    theatre.objects[0].held = {{.region = everywhere}};
    theatre.add("chosen", {1, 0, 0}, {1.3, 0.3, 0.3});
    theatre.add("other", {2, 0, 0}, {2.3, 0.3, 0.3});
    theatre.add("of wax", {3, 0, 0}, {3.3, 0.3, 0.3});
    theatre.objects[3].material = "wax";
    theatre.add("liquid", {4, 0, 0}, {4.3, 0.3, 0.3});
    theatre.objects[4].phase = Phase::liquid;
    const auto held = [&](Grab grab) {
        grab.name = "hand";
        grab.region = everywhere;
        theatre.model.grabs = {grab};
        Simulation sim = theatre.simulation();
        std::vector<int> by_object(theatre.objects.size(), -1);
        for (Index i = 0; i < sim.particles().size(); ++i)
            by_object[sim.particles().object[i]] = sim.particles().kinematic_id[i];
        return by_object;
    };
    CHECK(held({}) == std::vector<int>{1, 2, 2, 2, 0});
    CHECK(held({.objects = {"chosen", "fixed", "liquid"}}) == std::vector<int>{1, 2, 0, 0, 0});
    CHECK(held({.materials = {"wax"}}) == std::vector<int>{1, 0, 0, 2, 0});
    CHECK(held({.objects = {"chosen"}, .materials = {"wax"}}) == std::vector<int>{1, 0, 0, 0, 0});
    CHECK(held({.start = 1}) == std::vector<int>{1, 0, 0, 0, 0});
}

TEST_CASE("newly frozen particles can be grabbed, and melting ones are released at once") {
    Theatre theatre(Kind::elastic);
    theatre.model.materials[0].heat.melting_point = 40;
    theatre.model.materials[0].heat.freezing_point = 40;
    theatre.add("cold", {0, 0, 0}, {0.3, 0.3, 0.3});
    theatre.objects[0].phase = Phase::liquid;  // and below the freezing point: solid after the first step
    theatre.add("warm", {0.5, 0, 0}, {0.8, 0.3, 0.3});
    theatre.objects[1].temperature = 39;
    theatre.model.heaters = {{.name = "fire",
                              .region = Box{{0.4, -1, -1}, {1, 2, 2}},
                              .temperature = 60,
                              .response = 0.01,
                              .start = 0.06}};
    theatre.model.grabs = {{.name = "hand", .region = everywhere, .start = 0.02}};
    Simulation sim = theatre.simulation();
    run_until(sim, 0.05);
    for (const std::uint16_t hold : sim.particles().kinematic_id) CHECK(hold == 1);
    run_until(sim, 0.1);
    for (Index i = 0; i < sim.particles().size(); ++i) {
        const bool cold = sim.particles().object[i] == 0;
        CHECK((sim.particles().phase[i] == Phase::elastic) == cold);
        CHECK(sim.particles().kinematic_id[i] == (cold ? 1 : 0));
    }
}

TEST_CASE("pauses and grabs end in the same bits for any number of threads, and across checkpoints") {
    const TemporaryFolder folder;
    for (const Kind kind : solids) {
        CAPTURE(static_cast<int>(kind));
        Theatre theatre = busy_theatre(kind);
        Simulation undisturbed = theatre.simulation(Device{1});
        REQUIRE(undisturbed.advance_frame(0.15, never));
        for (const double stop : {0.02, 0.045, 0.1}) {
            Simulation stopped = theatre.simulation(Device{3});
            REQUIRE(!stopped.advance_frame(0.15, [&] { return stopped.clock().time > stop; }));
            save_checkpoint(folder / "checkpoint", stopped, "");
            Simulation resumed(theatre.model, load_checkpoint(folder / "checkpoint").snapshot, Device{2});
            REQUIRE(resumed.advance_frame(0.15, never));
            CHECK(hash_of(resumed) == hash_of(undisturbed));
        }
    }
}
