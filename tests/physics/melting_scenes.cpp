#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "physics/scene_file.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

/// A scene in which matter melts or freezes, coarse enough to be quick.
struct MeltingScene {
    const char* file;
    double spacing;     ///< m
    double seconds;     ///< to run it
    double solid[2];    ///< fraction of the particles that is solid at the end, from and to
    int least_changes;  ///< bodies that froze, merged, came off or melted
    int most_changes = 1 << 30;
    double fastest = 6;  ///< m/s that anything may ever move at: more is an explosion
    std::vector<std::string> overrides = {};
};

const MeltingScene scenes[] = {
    {.file = "becker2009/melting_ducks",
     .spacing = 0.05,
     .seconds = 1.4,
     .solid = {0, 0.5},
     .least_changes = 20,
     .fastest = 12,  // they fall from 2 m, and whip each other
     .overrides = {"heaters.0.start=0.2", "heaters.0.response=0.7"}},
    {.file = "becker2009/melting_cube",
     .spacing = 0.046,
     .seconds = 2,
     .solid = {0, 0.5},
     .least_changes = 0},
    // Melt wets what it came from: it runs down the side, and nothing comes off.
    {.file = "gallery/candle",
     .spacing = 0.025,
     .seconds = 2.4,
     .solid = {0.8, 0.99},
     .least_changes = 0,
     .most_changes = 0},
    {.file = "gallery/lava",
     .spacing = 0.05,
     .seconds = 5,
     .solid = {0.04, 0.9},
     .least_changes = 2,
     .overrides = {"ambient.heat_transfer=25000"}},
    // A tenth of it is ice.
    {.file = "gallery/ice_cubes",
     .spacing = 0.025,
     .seconds = 1.6,
     .solid = {0.002, 0.098},
     .least_changes = 0,
     .overrides = {"materials.ice.heat.latent_heat=100000"}},
};

/// How far the worst particle is on the wrong side of an obstacle, m.
double deepest_leak(const Simulation& sim) {
    double deepest = 0;
    for (const Vec3f& x : sim.particles().position) {
        for (const Obstacle& obstacle : sim.model().obstacles) {
            const double d = signed_distance(obstacle.shape, to_double(x), sim.model().dimensions).distance;
            deepest = std::max(deepest, obstacle.inside ? d : -d);
        }
    }
    return deepest;
}

double mass_of(const ParticleTable& p) {
    double sum = 0;
    for (const float m : p.mass) sum += m;
    return sum;
}

}  // namespace

TEST_CASE("scenes that melt and freeze do so, without leaks, losses and explosions") {
    for (const MeltingScene& melting : scenes) {
        CAPTURE(std::string(melting.file));
        std::vector<std::string> overrides = melting.overrides;
        overrides.push_back(setting("particles.spacing", melting.spacing * pick(1.0, 0.7)));
        const Scene scene = scene_file(melting.file, overrides);
        Simulation sim = start(scene);
        const double before = mass_of(sim.particles());
        const int frames = static_cast<int>(std::lround(melting.seconds * scene.frame_rate));
        double fastest = 0;
        for (int frame = 1; frame <= frames; ++frame) {
            REQUIRE(sim.advance_frame(frame / scene.frame_rate, never));
            for (const Vec3f& v : sim.particles().velocity) fastest = std::max(fastest, double{norm(v)});
        }
        const ParticleTable& p = sim.particles();
        const Statistics statistics = gather_statistics(sim);
        const double solid = static_cast<double>(statistics.elastic + statistics.rigid) / p.size();
        INFO(p.size(), " particles, solid ", solid, ", bodies ", statistics.bodies, ", changes ",
             sim.lineage().size(), ", fastest ", fastest, " m/s, leak ", deepest_leak(sim));
        CHECK(solid > melting.solid[0] - 1e-9);
        CHECK(solid < melting.solid[1]);
        CHECK(fastest < melting.fastest);
        // Contacts keep particles at least a fifth of a spacing from walls.
        CHECK(deepest_leak(sim) < 0.1 * scene.model.particles.spacing);
        if (scene.model.emitters.empty()) CHECK(mass_of(p) == doctest::Approx(before).epsilon(1e-12));
        const auto changes = std::count_if(sim.lineage().begin(), sim.lineage().end(),
                                           [](const BodyChange& c) { return c.event != BodyEvent::started; });
        CHECK(changes >= melting.least_changes);
        CHECK(changes <= melting.most_changes);
    }
}
