#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "physics/scene_file.h"

using namespace thixo;

namespace {

/// Distances of an object's particles from their mean, by id: what no rigid motion changes.
std::vector<double> radii(const ParticleTable& p, int object) {
    Vec3d center;
    std::vector<std::pair<std::uint32_t, Vec3d>> rows;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] != object) continue;
        rows.emplace_back(p.id[i], to_double(p.position[i]));
        center += rows.back().second;
    }
    center = center / static_cast<double>(rows.size());
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<double> out;
    for (const auto& [id, x] : rows) out.push_back(norm(x - center));
    return out;
}

/// Root mean square of the changes, as a fraction of the largest distance.
double deformation(const std::vector<double>& before, const std::vector<double>& after) {
    double sum = 0;
    for (std::size_t k = 0; k < before.size(); ++k) sum += std::pow(after[k] - before[k], 2);
    return std::sqrt(sum / static_cast<double>(before.size())) /
           *std::max_element(before.begin(), before.end());
}

/// Smallest distance between particles of different objects, in spacings.
double nearest_strangers(const Simulation& sim) {
    const ParticleTable& p = sim.particles();
    const Neighbours lists = sim.neighbour_search().view();
    float nearest2 = std::numeric_limits<float>::max();
    for (Index i = 0; i < p.size(); ++i) {
        for (const Index j : lists.of(i)) {
            if (p.object[i] != p.object[j])
                nearest2 = std::min(nearest2, norm2(p.position[i] - p.position[j]));
        }
    }
    return std::sqrt(nearest2) / sim.model().particles.spacing;
}

double lowest(const ParticleTable& p, int object) {
    double out = std::numeric_limits<double>::max();
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] == object) out = std::min(out, double{p.position[i].y});
    }
    return out;
}

Vec3d mean_place(const ParticleTable& p) {
    Vec3d sum;
    for (const Vec3f& x : p.position) sum += to_double(x);
    return sum / static_cast<double>(p.size());
}

void run(Simulation& sim, const Scene& scene, double seconds) {
    const int frames = static_cast<int>(std::lround(seconds * scene.frame_rate));
    for (int frame = 1; frame <= frames; ++frame) {
        REQUIRE(sim.advance_frame(frame / scene.frame_rate, never));
        CHECK(nearest_strangers(sim) > 1 / std::sqrt(2));  // the hole of a square lattice
    }
}

}  // namespace

TEST_CASE("a sombrero falls over a ball, drapes itself and stays whole") {
    const Scene scene = scene_file("becker2009/sombrero", {setting("particles.spacing", pick(0.04, 0.0265))});
    Simulation sim = start(scene);
    run(sim, scene, pick(1.5, 3.0));
    const ParticleTable& p = sim.particles();
    double highest = 0;
    for (Index i = 0; i < p.size(); ++i) highest = std::max(highest, double{p.position[i].y});
    INFO("from ", lowest(p, 0), " to ", highest, " m");
    CHECK(lowest(p, 0) > 0);
    CHECK(lowest(p, 0) < 0.25);  // the brim hangs below the middle of the ball
    CHECK(highest > 0.5);        // the crown stands on top of it
    CHECK(highest < 1.2);
}

TEST_CASE("ducks fall on a membrane, do not pass it and keep their shapes") {
    const Scene scene = scene_file("becker2009/ducks_on_membrane");
    Simulation sim = start(scene);
    std::vector<std::vector<double>> before;
    for (int duck = 1; duck <= 3; ++duck) before.push_back(radii(sim.particles(), duck));
    run(sim, scene, pick(1.5, 4.0));
    for (int duck = 1; duck <= 3; ++duck) {
        const double change = deformation(before[duck - 1], radii(sim.particles(), duck));
        INFO("duck ", duck, " deformed by ", change, ", lowest at ", lowest(sim.particles(), duck),
             " m, the membrane at ", lowest(sim.particles(), 0));
        CHECK(change < 0.05);
        CHECK(lowest(sim.particles(), duck) > lowest(sim.particles(), 0));
    }
}

TEST_CASE("rods of any stiffness fall on two rods that are held, and none passes another") {
    const Scene scene = scene_file("becker2009/rods");
    Simulation sim = start(scene);
    std::vector<std::vector<double>> before;
    for (int rod = 0; rod < 12; ++rod) before.push_back(radii(sim.particles(), rod));
    run(sim, scene, pick(1.0, 3.0));
    for (int rod = 0; rod < 12; ++rod) {
        const std::vector<double> now = radii(sim.particles(), rod);
        INFO("rod ", rod);
        CHECK(lowest(sim.particles(), rod) > 0);
        CHECK(*std::max_element(now.begin(), now.end()) <
              1.2 * *std::max_element(before[rod].begin(), before[rod].end()));
    }
}

TEST_CASE("ducks slide down a slope without passing each other, and stay ducks") {
    const Scene scene =
        scene_file("becker2009/ducks_on_slope", {setting("particles.spacing", pick(0.03, 0.0175))});
    Simulation sim = start(scene);
    std::vector<std::vector<double>> before;
    for (int duck = 0; duck < 45; ++duck) before.push_back(radii(sim.particles(), duck));
    const Vec3d from = mean_place(sim.particles());
    run(sim, scene, pick(0.8, 4.0));
    const Vec3d way = mean_place(sim.particles()) - from;
    double largest = 0;
    for (int duck = 0; duck < 45; ++duck)
        largest = std::max(largest, deformation(before[duck], radii(sim.particles(), duck)));
    INFO("moved by ", way.x, " m along and ", way.y, " m up; deformed by up to ", largest);
    CHECK(way.x > 0.1);
    CHECK(way.y < -0.1);
    CHECK(largest < 0.1);
}
