#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "physics/scene_file.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

/// Smallest distance between particles of body 1 and of any other.
double gap(const ParticleTable& p) {
    float nearest2 = 1e30f;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.body[i] != 1) continue;
        for (Index j = 0; j < p.size(); ++j) {
            if (p.body[j] != 1) nearest2 = std::min(nearest2, norm2(p.position[i] - p.position[j]));
        }
    }
    return std::sqrt(nearest2);
}

}  // namespace

TEST_CASE("a bar pulled apart snaps into two bodies that bounce off each other and do not glue") {
    const double spacing = pick(0.03, 0.02);
    const Scene scene = scene_file("gallery/snap", {setting("particles.spacing", spacing)});
    Simulation sim = start(scene);
    CHECK(gather_statistics(sim).bodies == 1);
    double nearest = 1;
    for (int frame = 1; frame <= scene.duration * scene.frame_rate; ++frame) {
        REQUIRE(sim.advance_frame(frame / scene.frame_rate, never));
        if (sim.clock().time > 0.35) nearest = std::min(nearest, gap(sim.particles()));
    }
    // Two halves, and hardly any crumbs.
    const Lineage& lineage = sim.lineage();
    REQUIRE(lineage.size() >= 2);
    CHECK(lineage.size() <= 4);
    const auto all = static_cast<double>(sim.particles().size());
    CHECK(lineage[1].parent == 1);
    CHECK(lineage[1].time < 0.35);
    CHECK(static_cast<double>(lineage[1].particles) > 0.4 * all);
    // They met, did not sink into each other, and parted again.
    const double last = gap(sim.particles());
    INFO("nearest ", nearest / spacing, " spacings, at the end ", last / spacing, "; ", lineage.size(),
         " bodies");
    CHECK(nearest < 1.3 * spacing);
    CHECK(nearest > 0.7 * spacing);
    CHECK(last > 2 * spacing);
    CHECK(norm(gather_statistics(sim).momentum) < 1e-3);
}
