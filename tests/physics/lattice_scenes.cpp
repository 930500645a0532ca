#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "physics/lattice.h"
#include "physics/scene_file.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

const char* const presets[] = {"solver.preset=accurate", "solver.preset=fast"};

void run(Simulation& sim, const Scene& scene, double seconds) {
    const auto until = static_cast<int>(std::lround(seconds * scene.frame_rate));
    for (int frame = static_cast<int>(sim.clock().frame) + 1; frame <= until; ++frame)
        REQUIRE(sim.advance_frame(frame / scene.frame_rate, never));
}

/// Smallest distance between particles of different bodies, m.
double nearest_strangers(const ParticleTable& p) {
    float nearest2 = 1e30f;
    for (Index i = 0; i < p.size(); ++i) {
        for (Index j = 0; j < i; ++j) {
            if (p.body[i] != p.body[j]) nearest2 = std::min(nearest2, norm2(p.position[i] - p.position[j]));
        }
    }
    return std::sqrt(nearest2);
}

double rms_speed(const ParticleTable& p) {
    double sum = 0;
    for (const Vec3f& v : p.velocity) sum += norm2(to_double(v));
    return std::sqrt(sum / p.size());
}

double height(const ParticleTable& p) {
    const auto [low, high] = std::minmax_element(p.position.begin(), p.position.end(),
                                                 [](const Vec3f& a, const Vec3f& b) { return a.y < b.y; });
    return high->y - low->y;
}

/// What discs of 0.6 spacings around the particles cover, m²: on the lattice all of it, since no point is
/// farther from a particle than 0.58.
double area(const ParticleTable& p, double spacing) {
    const double cell = spacing / 12, reach = 0.6 * spacing;
    std::set<std::pair<int, int>> covered;
    const int steps = static_cast<int>(std::ceil(reach / cell));
    for (const Vec3f& x : p.position) {
        const int i0 = static_cast<int>(std::lround(x.x / cell)),
                  j0 = static_cast<int>(std::lround(x.y / cell));
        for (int i = i0 - steps; i <= i0 + steps; ++i) {
            for (int j = j0 - steps; j <= j0 + steps; ++j)
                if (std::hypot(i * cell - x.x, j * cell - x.y) < reach) covered.insert({i, j});
        }
    }
    return cell * cell * static_cast<double>(covered.size());
}

}  // namespace

TEST_CASE("an elastic square bounces and has its shape again") {
    for (const std::string preset : presets) {
        const Scene scene = scene_file("wicke2006/bounce_2d", {preset});
        Simulation sim = start(scene);
        const std::vector<Vec3d> before = places(sim.particles());
        double lowest = 10, rebound = 0;
        while (sim.clock().time < scene.duration) {
            run(sim, scene, sim.clock().time + 1 / scene.frame_rate);
            const double y = middle(places(sim.particles())).y;
            lowest = std::min(lowest, y);
            if (sim.clock().time > 0.45) rebound = std::max(rebound, y);
        }
        const ClosestMotion fit = closest_motion(before, places(sim.particles()), true);
        const double hop =
            std::pow(rms_speed(sim.particles()), 2) / (2 * 9.81) / scene.model.particles.spacing;
        INFO(preset, ": ", "its middle went down to ", lowest, " and up to ", rebound, " m; deformed by ",
             fit.error, " m; the motion left would lift it by ", hop, " spacings");
        CHECK(rebound > lowest + 0.15);
        CHECK(fit.error < 0.02);  // of one metre
        // The floor gives back all it takes, so it trembles for long, but not so that it can be seen.
        CHECK(hop < 0.05);
        CHECK(parts(sim) == 1);
    }
}

TEST_CASE("a soft square stays as flat as its fall left it") {
    for (const std::string preset : presets) {
        const Scene scene = scene_file("wicke2006/plastic_2d", {preset});
        Simulation sim = start(scene);
        const std::vector<Vec3d> before = places(sim.particles());
        const double area_before = area(sim.particles(), scene.model.particles.spacing),
                     packed = gather_statistics(sim).solid_density_error;
        run(sim, scene, scene.duration - 0.5);
        const std::vector<Vec3d> rest = places(sim.particles());
        run(sim, scene, scene.duration);
        const std::vector<Vec3d> after = places(sim.particles());
        const double lasting = closest_motion(before, after, true).error,
                     late = closest_motion(rest, after, true).error;
        INFO(preset, ": ", "deformed by ", lasting, " m, in the last half second by ", late, " m, height ",
             height(sim.particles()), " m, area ", area(sim.particles(), scene.model.particles.spacing),
             " of ", area_before, " m²");
        CHECK(std::abs(area(sim.particles(), scene.model.particles.spacing) / area_before - 1) < 0.03);
        CHECK(gather_statistics(sim).solid_density_error < packed + 0.03);
        CHECK(lasting > 0.06);  // of 0.6 m
        // Long steps damp the impact, which leaves less for plastic flow.
        CHECK(height(sim.particles()) < (preset.ends_with("fast") ? 0.55 : 0.5));
        CHECK(late < 0.1 * lasting);
    }
}

TEST_CASE("a beam breaks under its weight, and does not heal") {
    for (const std::string preset : presets) {
        const Scene scene = scene_file("wicke2006/fracture_2d", {preset});
        Simulation sim = start(scene);
        CHECK(gather_statistics(sim).bodies == 1);
        std::uint64_t rims = 0, bodies = 1;
        while (sim.clock().time < scene.duration) {
            run(sim, scene, sim.clock().time + 1 / scene.frame_rate);
            std::uint64_t now = 0;
            for (const std::uint16_t rim : sim.particles().rim) now += rim;
            CHECK(now >= rims);
            rims = now;
            CHECK(gather_statistics(sim).bodies >= bodies);
            bodies = gather_statistics(sim).bodies;
        }
        const ParticleTable& p = sim.particles();
        // The crack runs across the beam, and its rim is on both sides.
        std::map<std::uint32_t, int> rim, size;
        for (Index i = 0; i < p.size(); ++i) {
            ++size[p.body[i]];
            rim[p.body[i]] += p.rim[i] > 0;
        }
        REQUIRE(sim.lineage().size() >= 2);
        const std::uint32_t fallen = 2;
        INFO(preset, ": ", sim.lineage().size(), " bodies, first break at ", sim.lineage()[1].time, " s, ",
             size[1], " and ", size[fallen], " particles, rims of ", rim[1], " and ", rim[fallen],
             ", nearest ", nearest_strangers(p));
        CHECK(sim.lineage().size() <= 6);  // and crumbs
        CHECK(size[1] + size[fallen] > static_cast<int>(0.8 * p.size()));
        CHECK(rim[1] > 0);
        CHECK(rim[fallen] > 0);
        CHECK(rim[1] + rim[fallen] < static_cast<int>(0.5 * p.size()));
        CHECK(nearest_strangers(p) > 0.6 * scene.model.particles.spacing);
    }
}

TEST_CASE("nine dice collide and stay nine, none inside another") {
    for (const std::string preset : presets) {
        const Scene scene = scene_file("wicke2006/dice", {preset});
        Simulation sim = start(scene);
        const int dice = 9;
        std::vector<std::vector<Vec3d>> before;
        for (int k = 0; k < dice; ++k) before.push_back(places(sim.particles(), k));
        for (const std::vector<Vec3d>& die : before) CHECK(die.size() == 246);
        run(sim, scene, pick(1.0, scene.duration));
        const ParticleTable& p = sim.particles();
        const double spacing = scene.model.particles.spacing, side = 0.298;
        double error = 0;
        int inside = 0;
        for (int k = 0; k < dice; ++k) {
            const ClosestMotion fit =
                closest_motion(before[static_cast<std::size_t>(k)], places(p, k), false);
            error = std::max(error, fit.error);
            const Shape& shape = scene.model.objects[static_cast<std::size_t>(k)].shape;
            for (Index i = 0; i < p.size(); ++i) {
                // Its own outermost particles are up to half a spacing below its faces.
                if (p.object[i] != k &&
                    signed_distance(shape, fit.back(to_double(p.position[i])), 3).distance < -0.25 * spacing)
                    ++inside;
            }
        }
        INFO(preset, ": ", "deformed by at most ", error / side, ", ", inside,
             " particles inside another die, nearest ", nearest_strangers(p) / spacing, " spacings, fastest ",
             fastest(p), " m/s");
        CHECK(inside == 0);
        CHECK(gather_statistics(sim).bodies == dice);
        CHECK(parts(sim) == dice);
        CHECK(error < 0.05 * side);
        CHECK(nearest_strangers(p) > 0.6 * spacing);
        if (full_size()) CHECK(fastest(p) < 0.1);
    }
}
