#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "physics/scene_file.h"

using namespace thixo;

namespace {

// The inside of scenes/fluid/bowl.obj is part of a sphere (script/make_bowl).
constexpr double centre = 0.2, inner = 0.18, rim = 0.16;

double mean_speed(const ParticleTable& p) {
    double sum = 0;
    for (const Vec3f& v : p.velocity) sum += norm(v);
    return sum / p.size();
}

void fill(const std::string& pressure) {
    const double spacing = pick(0.012, 0.006);
    const Scene scene = scene_file("fluid/fill_a_bowl",
                                   {"solver.pressure=" + pressure, setting("particles.spacing", spacing)});
    Simulation sim = start(scene);
    REQUIRE(sim.advance_frame(scene.duration, never));
    const ParticleTable& p = sim.particles();
    CHECK(p.size() == sim.emitters().expected(0, scene.duration));
    double farthest = 0, highest = 0;
    for (const Vec3f& x : p.position) {
        farthest = std::max(farthest, norm(to_double(x) - Vec3d{0, centre, 0}));
        highest = std::max(highest, double{x.y});
    }
    INFO(pressure, ", ", p.size(), " particles: up to ", highest, " m high, ", farthest,
         " m from the centre, mean speed ", mean_speed(p));
    // Whoever is below the rim and within the sphere is in the bowl; the mesh is a little narrower than the sphere, and
    // contacts keep some distance.
    CHECK(farthest < inner);
    CHECK(highest < rim);
    CHECK(highest > 0.5 * rim);
    CHECK(mean_speed(p) < 0.05);
}

}  // namespace

TEST_CASE("water that is poured into a bowl stays there, to the last particle") {
    for (const char* pressure : {"tait", "dfsph"}) fill(pressure);
}
