// The scenes of [SSP07] at a reduced size.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "geometry/extent.h"
#include "physics/bodies.h"
#include "physics/scene_file.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

struct Show {
    Scene scene;
    Simulation sim;

    explicit Show(const std::string& name, double coarser = 2)
        : scene(scene_file("solenthaler2007/" + name)), sim([&] {
              const double full = scene.model.particles.spacing;
              scene = scene_file("solenthaler2007/" + name,
                                 {setting("particles.spacing", full * pick(coarser, 1.0))});
              return start(scene);
          }()) {}

    void run(double seconds) {
        const auto until = static_cast<int>(std::lround(seconds * scene.frame_rate));
        for (int frame = static_cast<int>(sim.clock().frame) + 1; frame <= until; ++frame)
            REQUIRE(sim.advance_frame(frame / scene.frame_rate, never));
    }
    void run() { run(scene.duration); }

    const ParticleTable& particles() const { return sim.particles(); }
    /// Of all particles in a phase (m).
    double lowest(Phase phase) const {
        double y = 100;
        for (Index i = 0; i < particles().size(); ++i)
            if (particles().phase[i] == phase) y = std::min<double>(y, particles().position[i].y);
        return y;
    }
    double spacing() const { return scene.model.particles.spacing; }

    /// Those for which `fits(row)` holds.
    template <class Fits>
    double count(const Fits& fits) const {
        Index out = 0;
        for (Index i = 0; i < particles().size(); ++i) out += fits(i) ? 1 : 0;
        return out;
    }
    double count(Phase phase) const {
        return count([&](Index i) { return particles().phase[i] == phase; });
    }
    double count(int object, Phase phase) const {
        return count(
            [&](Index i) { return particles().object[i] == object && particles().phase[i] == phase; });
    }
    double size() const { return particles().size(); }

    /// The body that most solid particles of an object belong to.
    std::uint32_t body_of(int object) const {
        std::map<std::uint32_t, int> sizes;
        for (Index i = 0; i < particles().size(); ++i) {
            if (particles().object[i] == object && particles().body[i] > 0) ++sizes[particles().body[i]];
        }
        const auto most = std::max_element(sizes.begin(), sizes.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        return most == sizes.end() ? 0 : most->first;
    }
    double size_of(std::uint32_t body) const {
        return count([&](Index i) { return particles().body[i] == body; });
    }
};

/// No particle has left the pot, whose walls are 2.4 m apart, or its model at a quarter of that.
void check_inside(const Show& show, double half) {
    const auto edge = static_cast<float>(half);
    for (const Vec3f& x : show.particles().position)
        REQUIRE((std::abs(x.x) < edge && std::abs(x.z) < edge && x.y > 0));
}

/// Surface over volume of a shape (1/m), and that of its part below a height.
struct SurfaceShare {
    double whole, below;

    SurfaceShare(const Shape& shape, double height) {
        const double margin = 0.02;
        const Bounds box = bounds(shape).grown(margin);
        const double step = 0.006, shell = 0.009;
        double inside = 0, near = 0, low = 0;
        for (double x = box.min.x; x < box.max.x; x += step)
            for (double y = box.min.y; y < box.max.y; y += step)
                for (double z = box.min.z; z < box.max.z; z += step) {
                    const double d = signed_distance(shape, {x, y, z}, 3).distance;
                    inside += d < 0;
                    near += std::abs(d) < shell;
                    low += std::abs(d) < shell && y < box.min.y + margin + height;
                }
        whole = near / (2 * shell * inside);
        below = low / (2 * shell * inside);
    }
};

/// How much what an object consists of has warmed in the mean (K).
double warmed(const Show& show, std::uint16_t object) {
    const ParticleTable& p = show.particles();
    double sum = 0, mass = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] != object) continue;
        sum += p.mass[i] * (p.temperature[i] - show.scene.model.objects[object].temperature);
        mass += p.mass[i];
    }
    return sum / mass;
}

}  // namespace

TEST_CASE("merge: two blocks become one, and one lifts the other") {
    Show show("merge");
    const double before = census(show.particles(), 1).center.y;
    show.run();
    CHECK(show.body_of(0) == show.body_of(1));
    CHECK(show.size_of(show.body_of(0)) > 0.9 * show.size());
    CHECK(show.count(Phase::rigid) > 0.3 * show.size());
    CHECK(show.count(Phase::elastic) > 0.3 * show.size());
    CHECK(census(show.particles(), 1).center.y > before + 0.3);
}

TEST_CASE("split: a bar whose middle melts is two") {
    Show show("split");
    show.run(2);
    CHECK(gather_statistics(show.sim).bodies == 2);
    CHECK(show.count(Phase::liquid) > 0.02 * show.size());
    show.run();
    // Cold air has frozen the melt; the halves remain two solids.
    CHECK(show.count(Phase::liquid) < 0.01 * show.size());
    CHECK(show.size_of(1) > 0.3 * show.size());
    CHECK(show.size_of(2) > 0.3 * show.size());
    for (const Vec3f& x : show.particles().position) REQUIRE(x.y > 0);
}

TEST_CASE("rigid_elastic: neither enters the other") {
    Show show("rigid_elastic", 1.25);
    double nearest = 1;
    for (int frame = 10; frame <= 100; frame += 10) {
        show.run(frame / show.scene.frame_rate);
        for (const int rigid : {1, 2, 3})
            nearest = std::min(nearest, distance_between(show.particles(), 0, rigid));
    }
    CHECK(gather_statistics(show.sim).bodies == 4);
    CHECK(nearest > 0.5 * show.spacing());
    CHECK(nearest < 1.5 * show.spacing());
}

TEST_CASE("melt_and_merge: blocks melt, and are one body of rigid and elastic parts") {
    Show show("melt_and_merge", 2.5);
    show.run(2.4);
    CHECK(show.count(Phase::liquid) > 0.4 * show.size());
    show.run();
    CHECK(show.count(Phase::liquid) < 0.05 * show.size());
    CHECK(show.count(Phase::rigid) > 0.4 * show.size());
    CHECK(show.count(Phase::elastic) > 0.3 * show.size());
    for (int object = 1; object < 5; ++object) CHECK(show.body_of(object) == show.body_of(0));
    CHECK(show.size_of(show.body_of(0)) > 0.9 * show.size());
}

TEST_CASE("greedy_block: those that were heated come along, the others stay") {
    Show show("greedy_block");
    show.run();
    CHECK(show.body_of(0) == show.body_of(1));
    CHECK(show.body_of(0) == show.body_of(2));
    CHECK(show.body_of(3) != show.body_of(0));
    CHECK(show.body_of(4) != show.body_of(0));
    CHECK(show.body_of(3) != show.body_of(4));
    CHECK(census(show.particles(), 1).center.x > 3);
    CHECK(census(show.particles(), 2).center.x > 3);
    CHECK(census(show.particles(), 3).center.x < 2.5);
    CHECK(census(show.particles(), 4).center.x < 3.5);
}

TEST_CASE("bunny_in_hot_liquid: it melts, and floats or sinks by its density") {
    std::map<std::string, double> height, lowest;
    for (const std::string which : {"_light", "", "_heavy"}) {
        if (which.empty() && !full_size()) continue;
        Show show("bunny_in_hot_liquid" + which);
        const double whole = show.count(0, Phase::rigid);
        show.run(0.4);
        const double early = show.count(0, Phase::rigid);
        lowest[which] = 100;
        // What has just lost its feet has to sink by a part of a spacing first.
        for (const double moment : {1.84, 1.88, 1.92, 1.96, 2.}) {
            show.run(moment);
            lowest[which] = std::min(lowest[which], show.lowest(Phase::rigid) / show.spacing());
        }
        CAPTURE(which);
        check_inside(show, 0.3);
        CHECK(early > 0.5 * whole);
        CHECK(show.count(0, Phase::rigid) < early);
        if (which == "_heavy") {
            // Of all shapes of one volume a ball exchanges the least heat with what is around it (by Riesz'
            // rearrangement), about that of half spaces in contact through its surface. So much enters at
            // least, by the fraction of the bunny's surface that is below the level, from when it lies on the
            // ground. At most it is what a surface takes that has the temperature of the broth everywhere and
            // from the start. How many particles are above the melting point by then depends on their size:
            // the front is 7 to 20 mm deep, less than one of them.
            const HeatSettings &own = show.scene.model.materials[0].heat,
                               &broth = show.scene.model.materials[1].heat;
            const double alpha = own.diffusivity,
                         ours = show.scene.model.materials[0].density * own.specific_heat,
                         theirs = show.scene.model.materials[1].density * broth.specific_heat;
            REQUIRE(broth.diffusivity == alpha);
            const double hot = 90 - 5, contact = hot * theirs / (ours + theirs);
            const SurfaceShare surface(show.scene.model.objects[0].shape, 0.2);
            const double gain = warmed(show, 0);
            INFO("warmed by ", gain, " K; surface over volume ", surface.whole, ", below the level ",
                 surface.below);
            const double radius =
                std::cbrt(extent(show.scene.model.objects[0].shape, 3).volume * 0.75 / std::numbers::pi);
            CHECK(gain > 2 * contact * std::sqrt(alpha * (2 - 0.4) / std::numbers::pi) * 3 / radius *
                             surface.below / surface.whole);
            CHECK(gain < 2 * hot * std::sqrt(alpha * 2 / std::numbers::pi) * surface.whole);
        }
        height[which] = census(show.particles(), 0).center.y;
    }
    CHECK(height["_light"] > height["_heavy"]);
    if (full_size()) CHECK(height["_light"] > height[""]);
    CHECK(lowest["_light"] > 1.5);
    CHECK(lowest["_heavy"] < 0.6);  // it stands on the ground
}

TEST_CASE("shell: what is poured into the cold freezes from outside") {
    Show show("shell");
    show.run(2);
    check_inside(show, 1.2);
    const double frozen = show.count(1, Phase::elastic);
    CHECK(frozen > 0.1 * census(show.particles(), 1).mass / show.particles().mass.back());
    // What is still liquid is, in the mean, closer to the middle than what is frozen.
    const Vec3d middle = census(show.particles(), 1).center;
    double inner = 0, outer = 0;
    for (Index i = 0; i < show.particles().size(); ++i) {
        if (show.particles().object[i] != 1) continue;
        const double r = norm(to_double(show.particles().position[i]) - middle);
        (show.particles().phase[i] == Phase::liquid ? inner : outer) += r;
    }
    const double liquid = show.count(1, Phase::liquid);
    if (liquid > 0) CHECK(inner / liquid < outer / frozen);
    show.run();
    CHECK(show.count(1, Phase::elastic) > frozen);
}

TEST_CASE(
    "shell_lifted: the shell is lifted out of the cream, which waits, and turned over; its core flows out") {
    Show show("shell_lifted");
    const auto count = [&](Phase phase, auto&& of) {
        return show.count([&](Index i) {
            return show.particles().material[i] == 0 && show.particles().phase[i] == phase && of(i);
        });
    };
    const auto any = [](Index) { return true; };
    const auto high = [&](Index i) { return show.particles().position[i].y > 1; };
    show.run(1.6);
    const double frozen = count(Phase::rigid, any);
    CHECK(frozen > 10);
    show.run(2.2);
    CHECK(count(Phase::rigid, high) > 0.5 * frozen);
    const double core = count(Phase::liquid, high);
    CHECK(core > 10);
    show.run(2.5);
    double most = 0;
    for (Index i = 0; i < show.particles().size(); ++i) {
        if (show.particles().material[i] == 1)
            most = std::max(most, double{norm(show.particles().velocity[i])});
    }
    CHECK(most == 0);
    show.run();
    check_inside(show, 1.2);
    // What was liquid when the shell was turned has left it, and is solid.
    const double below = count(Phase::rigid, [&](Index i) { return !high(i); });
    INFO(frozen, " frozen before it is lifted, ", core, " in the core, ", below, " below in the end");
    CHECK(below > 0.5 * core);
    CHECK(count(Phase::liquid, any) < 0.05 * core);
}

TEST_CASE("dipped_bunny: a short dip coats it, a long one melts its head") {
    double melted[2], coat[2];
    for (const int longer : {0, 1}) {
        Show show(longer ? "dipped_bunny_long" : "dipped_bunny_short");
        show.run();
        check_inside(show, 1.2);
        const std::uint32_t body = show.body_of(0);
        coat[longer] = show.count(
            [&](Index i) { return show.particles().object[i] == 1 && show.particles().body[i] == body; });
        const double whole = show.count([&](Index i) { return show.particles().object[i] == 0; });
        melted[longer] = 1 - show.count([&](Index i) {
            return show.particles().object[i] == 0 && show.particles().body[i] == body;
        }) / whole;
    }
    // Liquid freezes where it touches the bunny: about a thousand particles at a spacing of 0.03 m, a few at
    // this size.
    CHECK(coat[0] > 3);
    CHECK(melted[0] < 0.1);
    CHECK(melted[1] > 0.05);
    CHECK(melted[1] > 1.5 * melted[0]);
}
