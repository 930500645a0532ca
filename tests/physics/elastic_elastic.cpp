#include <doctest/doctest.h>

#include <cmath>

#include "physics/bodies.h"
#include "physics/scene_file.h"

using namespace thixo;

TEST_CASE("elastic objects fall on each other and stay apart [SSP07, fig. 8]") {
    const double spacing = pick(0.06, 0.04), end = pick(0.8, 2.0);
    const std::vector<std::string> size{setting("particles.spacing", spacing)};
    const Scene scene = load_scene(test::repository() / "scenes/solenthaler2007/elastic_elastic.json", size);
    Simulation sim = start(scene);
    const auto objects = static_cast<int>(scene.model.objects.size());
    double nearest = 1e30;
    while (sim.clock().time < end) {
        sim.step(end);
        for (int a = 0; a < objects && sim.clock().step % 10 == 0; ++a) {
            for (int b = 0; b < a; ++b)
                nearest = std::min(nearest, distance_between(sim.particles(), a, b) / spacing);
        }
    }
    INFO("nearest ", nearest, " spacings");
    CHECK(nearest > 1 / std::sqrt(2));
    CHECK(nearest < 1.1);
    for (int a = 0; a < objects; ++a) CHECK(census(sim.particles(), a).low.y > 0);
}
