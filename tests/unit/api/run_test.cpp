#include "api/run.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "scene/scene_file.h"
#include "unit/core/temporary_folder.h"

using namespace thixo;

namespace {

/// Two objects without names, one of them held for a while, and a tap without a rate: all that is derived is
/// missing.
Scene tank() {
    Scene scene{.name = "tank", .duration = 0.04, .frame_rate = 100};
    scene.model.dimensions = 2;
    scene.model.particles.spacing = 0.05;
    scene.model.materials = {{.name = "water", .liquid = {.sound_speed = 20}}};
    scene.model.objects = {{.material = "water", .shape = Box{{0, 0, 0}, {0.5, 0.5, 0}}},
                           {.material = "water",
                            .shape = Sphere{{0.7, 0.8, 0}, 0.15},
                            .held = {{.region = Box{{0.5, 0.8, -1}, {1, 1, 1}}, .until = 0.02}}}};
    scene.model.obstacles = {{.shape = Box{{0, 0, 0}, {1, 2, 0}}, .inside = true}};
    scene.model.emitters = {{.material = "water",
                             .opening = Disc{0.1},
                             .position = {0.3, 1.5, 0},
                             .speed = 5,
                             .temperature = 60}};
    return scene;
}

std::string refusal(const Scene& scene) {
    try {
        Run run(scene);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a scene from code runs to the same bits as the file it makes") {
    Run run(tank(), {.threads = 1});
    CHECK(run.scene().model.objects[1].name == "object 2");
    CHECK(run.scene().model.emitters[0].rate == doctest::Approx(0.2 * 5));
    Run file(parse_scene(to_json(check_scene(tank())), "tank.json"), {.threads = 2});
    CHECK(run.hash() == file.hash());
    for (; !run.done(); run.advance_frame()) file.advance_frame();
    CHECK(run.frame() == 4);
    CHECK(run.time() == doctest::Approx(0.04));
    CHECK(run.hash() == file.hash());
    // What comes out of the tap has the number behind the objects'.
    const Columns columns = run.columns();
    bool emitted = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        CHECK((columns.object[i] == 2) == (columns.temperature[i] == 60));
        emitted |= columns.object[i] == 2;
    }
    CHECK(emitted);
}

TEST_CASE("a scene from code is refused as a file would be, with the path of the key") {
    Scene scene = tank();
    scene.model.objects[0].material = "watr";
    CHECK(refusal(scene).starts_with("objects.0.material: "));
    scene = tank();
    scene.model.materials[0].density = -1;
    CHECK(refusal(scene).starts_with("materials.water.density: -1 kg/m³ is out of range"));
    scene = tank();
    scene.model.objects[1].held[0].region = Box{{5, 5, 5}, {6, 6, 6}};
    CHECK(refusal(scene) ==
          "objects.1.held.0.region: no particle of `object 2` starts inside; move or enlarge it");
    scene = tank();
    scene.model.objects[0].shape = Box{{0.01, 0.01, 0}, {0.02, 0.02, 0}};
    CHECK(refusal(scene).starts_with("objects.0.shape: "));
    CHECK(refusal({}) != "");
    CHECK_THROWS_AS(Run(tank(), {.threads = -1}), InputError);
}

TEST_CASE("a push gives the momentum of its acceleration, for steps of all kinds") {
    for (const TimeStepMethod method : {TimeStepMethod::global, TimeStepMethod::individual}) {
        for (const Phase phase : {Phase::liquid, Phase::elastic, Phase::rigid}) {
            Scene scene{.name = "drop"};
            scene.model.gravity = {};
            scene.model.particles.spacing = 0.1;
            scene.model.solver.time_step = method;
            scene.model.solver.density = DensityMethod::continuity;
            scene.model.materials = {{.name = "water"}};
            scene.model.objects = {{.material = "water", .phase = phase, .shape = Sphere{{0, 0, 0}, 0.3}}};
            Run run(scene, {.threads = 1});
            run.set_push([](const Columns& columns, double time, std::span<Vec3f> acceleration) {
                REQUIRE(acceleration.size() == columns.size());
                if (time >= 0.05) return;
                for (Vec3f& a : acceleration) a.x += 2;
            });
            // Short steps: velocities are half a step behind, and a rigid body alone would take a single long
            // one.
            while (run.time() < 0.06) run.step(run.time() + 0.001);
            const Statistics after = run.statistics();
            INFO(static_cast<int>(method), " ", static_cast<int>(phase));
            CHECK(after.momentum.x == doctest::Approx(after.mass * 2 * 0.05).epsilon(0.04));
        }
    }
}

TEST_CASE("a run that was saved goes on to the same bits") {
    const TemporaryFolder folder;
    Run whole(tank(), {.threads = 1});
    whole.advance_frame();
    whole.save_checkpoint(folder / "checkpoint");
    Run resumed = Run::resume(folder / "checkpoint", {.threads = 2});
    for (; !whole.done(); whole.advance_frame()) resumed.advance_frame();
    CHECK(resumed.done());
    CHECK(resumed.hash() == whole.hash());
    CHECK_THROWS_AS(whole.write_particles(folder / "x.txt"), InputError);
    CHECK_THROWS_AS(whole.step(0.01), InputError);
}

TEST_CASE("liquids that are compressed too much are reported, and end the run") {
    // Under its weight a liquid of a depth d is compressed by g d/c² at its ground and half of that in the
    // mean: 0.025, 0.1 and 0.6.
    const auto squeeze = [](double gravity, bool by_frames, const RunSettings& settings) {
        Scene scene{.name = "press", .duration = 1, .frame_rate = 50};
        scene.model.dimensions = 2;
        scene.model.gravity = {0, -gravity, 0};
        scene.model.particles.spacing = 0.1;
        scene.model.materials = {{.name = "water", .liquid = {.sound_speed = 10, .viscosity = 200}}};
        scene.model.objects = {{.material = "water", .shape = Box{{0, 0, 0}, {0.5, 1, 0}}}};
        scene.model.obstacles = {{.shape = Box{{0, 0, 0}, {0.5, 2, 0}}, .inside = true}};
        Run run(scene, settings);
        while (by_frames && !run.done()) run.advance_frame();
        while (run.time() < 1) run.step(1);
    };
    std::vector<std::string> warnings;
    const RunSettings settings{.threads = 1,
                               .warn = [&](const std::string& text) { warnings.push_back(text); }};
    for (const bool by_frames : {true, false}) {
        warnings.clear();
        squeeze(5, by_frames, settings);
        CHECK(warnings.empty());
        squeeze(20, by_frames, settings);
        REQUIRE(warnings.size() == 1);
        CHECK(warnings[0].starts_with("warning: liquids are compressed by "));
        CHECK(warnings[0].find("materials.water.liquid.sound_speed") != std::string::npos);
        CHECK_THROWS_AS(squeeze(120, by_frames, {.threads = 1}), RunError);
    }
}
