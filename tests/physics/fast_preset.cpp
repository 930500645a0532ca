// What the preset `fast` promises beside the experiments that run with it and with accurate methods alike.

#include <doctest/doctest.h>

#include <algorithm>

#include "physics/bodies.h"
#include "physics/methods.h"
#include "physics/rigid.h"
#include "physics/scene_file.h"
#include "sim/statistics.h"
#include "unit/core/near.h"

using namespace thixo;

TEST_CASE("with the preset fast densities are within 2 % of what they should be") {
    struct Trial {
        const char* scene;
        double spacing, end;
    };
    const Trial trials[] = {{"fluid/dam_break", pick(0.006, 0.003), 1},
                            {"becker2009/melting_cube", pick(0.04, 0.02), 1.2},
                            {"gallery/melting_bunny", pick(0.03, 0.0125), 1.2}};
    for (const Trial& trial : trials) {
        const Scene scene =
            scene_file(trial.scene, {"solver.preset=fast", setting("particles.spacing", trial.spacing)});
        Simulation sim = start(scene);
        double sum = 0, most = 0;
        int frames = 0;
        while (sim.clock().time < trial.end) {
            REQUIRE(sim.advance_frame((frames + 1) / scene.frame_rate, never));
            const double error = gather_statistics(sim).density_error;
            sum += error;
            most = std::max(most, error);
            ++frames;
        }
        INFO(std::string(trial.scene), ": ", 100 * sum / frames, " % over ", frames, " frames, at most ",
             100 * most, " %, ", sim.clock().step, " steps");
        CHECK(gather_statistics(sim).liquid > 0);
        CHECK(sum / frames < 0.02);
    }
}

TEST_CASE("steps of the preset fast are as long as the velocities at their end allow") {
    constexpr double spacing = 0.05, way = 0.2 * 2 * spacing;
    for (const double speed : {0., 0.1, 1., 10.}) {
        Model model = weightless(3, spacing, liquid(20, 0.5));
        fast_preset.choose(model.solver);
        model.gravity = {0, -10, 0};
        Object block = filled(Box{{0, 0, 0}, {0.2, 0.2, 0.2}});
        block.velocity = {speed, 0, 0};
        const Simulation sim(model, populate(model, {block}));
        // Twice and a half what falls in it has its place in the way, too.
        const double step = sim.time_step_limit().seconds;
        INFO(speed, " m/s: ", step, " s by ", sim.time_step_limit().name);
        CHECK(sim.time_step_limit().name == (speed < 1 ? "acceleration" : "flow"));
        const double alone = std::min(way / speed, 0.25 * std::sqrt(spacing / 10));
        if (speed < 1) {
            CHECK(speed * step + 2.5 * 10 * step * step == near(way, 1e-3));
            CHECK(step > 1.4 * alone);
        } else {
            CHECK(step == near(alone, 1e-3));
        }
    }
}

TEST_CASE("with the preset fast matter of all phases that meets keeps its momentum") {
    constexpr double spacing = 0.05;
    for (const double viscosity : {0.5, 50.}) {
        Model model = weightless(3, spacing, liquid(20, viscosity));
        fast_preset.choose(model.solver);
        model.materials.push_back(rubber(1e5, 700));
        model.materials.push_back(wood(600, 0.4));
        Simulation sim(
            model, populate(model, {filled(Sphere{{0, 0, 0}, 0.29}),
                                    body("block", Box{{-0.15, 0.3, -0.15}, {0.15, 0.5, 0.15}}, {0.2, -3, 0}),
                                    rigid("brick", Box{{-0.1, -0.5, -0.1}, {0.2, -0.3, 0.2}}, {0, 2, 0.5})}));
        const auto momentum = [&] {
            Vec3d sum;
            for (const int object : {0, 1, 2}) sum += census(sim.particles(), object).momentum;
            return sum;
        };
        const auto motion = [&] {
            double sum = 0;
            for (const int object : {0, 1, 2}) sum += census(sim.particles(), object).motion;
            return sum;
        };
        const Vec3d before = momentum();
        const double scale = motion(), block = census(sim.particles(), 1).momentum.y;
        while (sim.clock().time < 0.3) sim.step(0.3);
        INFO("viscosity ", viscosity, " Pa s: off by ", norm(momentum() - before) / scale, " after ",
             sim.clock().step, " steps; block from ", block, " to ", census(sim.particles(), 1).momentum.y,
             " kg m/s");
        CHECK(census(sim.particles(), 1).momentum.y > 0.8 * block);
        CHECK(norm(momentum() - before) < 1e-5 * scale);
    }
}
