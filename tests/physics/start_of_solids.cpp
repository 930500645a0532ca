#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "geometry/extent.h"
#include "physics/methods.h"
#include "physics/tank.h"
#include "sim/settle.h"
#include "sim/statistics.h"
#include "unit/core/generators.h"

using namespace thixo;

// Solids of random sizes at random spacings, released at rest: nothing may jump.

namespace {

constexpr double g = 9.81;

double any(Stream& random, double low, double high) {
    return random.real(static_cast<float>(low), static_cast<float>(high));
}

}  // namespace

namespace {

/// The start at rest of a run.
Simulation released(const Model& model, const std::vector<Object>& objects) {
    ParticleTable particles = populate(model, objects, nullptr, {}, Start::rest);
    const Settling settling = settle(model, objects, particles);
    Simulation sim(model, std::move(particles));
    sim.take(settling.balance);
    return sim;
}

}  // namespace

TEST_CASE("solids start in contact with the floor and with each other, with the mass of their shapes") {
    Stream random(7);
    for (const int d : {2, 3}) {
        for (int k = 0; k < pick(20, 200); ++k) {
            const double spacing = any(random, 0.02, 0.05);
            const double w = any(random, 0.15, 0.4), h = any(random, 0.15, 0.4), top = any(random, 0.1, 0.3);
            Model model = weightless(d, spacing, liquid(20, 1));
            model.obstacles = {{.name = "floor", .shape = Plane{}}};
            if (k % 3 == 1) model.materials[0].solid.model = SolidModel::lattice;
            const bool round = k % 4 == 3;
            Object below =
                filled(round ? Shape(Sphere{{0, 0.5 * h, 0}, 0.5 * h}) : Shape(Box{{0, 0, 0}, {w, h, w}}));
            Object above = filled(Box{{0, h, 0}, {w, h + top, w}});
            below.phase = above.phase = k % 3 == 2 ? Phase::rigid : Phase::elastic;
            if (k % 3 == 1) below.lattice = above.lattice = Lattice::closest;
            const ParticleTable p = populate(model, {below, above}, nullptr, {}, Start::rest);
            double mass = 0, lowest = std::numeric_limits<double>::infinity(), next = lowest,
                   top_layer = -lowest;
            for (Index i = 0; i < p.size(); ++i) {
                double& low = p.object[i] == 0 ? lowest : next;
                low = std::min(low, double{p.position[i].y});
                if (p.object[i] == 0) mass += p.mass[i];
                if (p.object[i] == 0) top_layer = std::max(top_layer, double{p.position[i].y});
            }
            CAPTURE(k);
            CHECK(std::abs(lowest / spacing - 0.5) < 1e-3);
            CHECK(std::abs(mass / (1000 * extent(below.shape, d).volume) - 1) < 0.005);
            if (!round) CHECK(std::abs((next - top_layer) / spacing - 1) < 1e-3);
        }
    }
}

namespace {

/// A heavy solid on the floor of a tank of random size at a random spacing, with or without water around it.
struct Standing {
    Model model;
    std::vector<Object> objects;
    double height, depth;  ///< of the solid, and of the water; 0: none

    /// `sag`: ρgh/E.
    Standing(Stream& random, int dimensions, Phase phase, bool lattice_solid, const Method& method, bool wet,
             double sag) {
        height = any(random, 0.15, 0.25);
        depth = wet ? any(random, 0.5, 1.4) * height : 0;
        const double half = any(random, 0.08, 0.14), side = half + any(random, 0.08, 0.15);
        const double spacing = height / any(random, dimensions == 2 ? 8 : 5, dimensions == 2 ? 14 : 7);
        const double c = 20 * std::sqrt(g * std::max(depth, height));
        model = weightless(dimensions, spacing, liquid(c, 5e-3 * 1000 * c * 2 * spacing));
        model.gravity = {0, -g, 0};
        method.choose(model.solver);
        Material stone{.name = "stone", .density = 1500, .liquid = model.materials[0].liquid, .heat = {}};
        stone.solid.young_modulus = 1500 * g * height / sag;
        if (lattice_solid) stone.solid.model = SolidModel::lattice;
        model.materials.push_back(stone);
        const Vec3d low{-side, 0, -side};
        model.obstacles = {{.name = "tank", .shape = Box{low, {side, 2, side}}, .inside = true}};
        const bool round = dimensions == 3 && random.below(2) == 0;
        Object solid = filled(round ? Shape(Cylinder{{0, 0, 0}, {0, height, 0}, half})
                                    : Shape(Box{{-half, 0, -half}, {half, height, half}}));
        solid.material = "stone";
        solid.phase = phase;
        if (lattice_solid) solid.lattice = Lattice::closest;
        objects = {solid};
        if (wet) objects.push_back(filled(Box{low, {side, depth, side}}));
    }
};

}  // namespace

TEST_CASE(
    "solids on the floor stay there, in air and under water, at any size and spacing, and gain no energy") {
    struct Kind {
        const char* name;
        Phase phase;
        bool lattice;
    };
    const Kind kinds[] = {{"rigid", Phase::rigid, false},
                          {"elastic", Phase::elastic, false},
                          {"lattice", Phase::elastic, true}};
    for (const int d : {2, 3}) {
        for (const Kind& kind : kinds) {
            for (const Method& method : {methods[1], methods[4]}) {  // tait, dfsph
                for (int k = 0; k < pick(d == 2 ? 2 : 1, 8); ++k) {
                    if (d == 3 && kind.phase != Phase::rigid && !full_size()) continue;
                    Stream random(static_cast<std::uint64_t>(100 * d + k));
                    const bool wet = k % 2 == 0;
                    // Stone, rubber, jelly: the stiffer ones are also tried beside walls, below.
                    const double sag = k < 2 ? 0.03 : std::array{4e-4, 2.5e-3, 0.03}[k % 3];
                    const Standing scene(random, d, kind.phase, kind.lattice, method, wet, sag);
                    Simulation sim = released(scene.model, scene.objects);
                    const Statistics start = gather_statistics(sim);
                    const double high = std::max(scene.height, scene.depth);
                    double speed = 0, gain = 0;
                    for (int frame = 1; frame <= pick(8, 30); ++frame) {
                        sim.advance_frame(frame / 30., never);
                        const Statistics now = gather_statistics(sim);
                        for (const Vec3f& v : sim.particles().velocity)
                            speed = std::max(speed, norm(v) / std::sqrt(g * high));
                        gain = std::max(gain, now.kinetic + now.potential + now.elastic_energy -
                                                  start.kinetic - start.potential - start.elastic_energy);
                    }
                    INFO(d, "D ", std::string(kind.name), std::string(wet ? " in water, " : ", "),
                         std::string(method.name), ", case ", k, ", spacing ", scene.model.particles.spacing,
                         ", height ", scene.height, ", depth ", scene.depth, ": speed ", speed, ", gain ",
                         gain / (0.5 * start.mass * g * high));
                    CHECK(speed < 0.05);
                    CHECK(gain < 0.01 * 0.5 * start.mass * g * high);
                }
            }
        }
    }
}

TEST_CASE("solids start at rest beside walls, in stacks, round and under water") {
    struct Kind {
        const char* name;
        Phase phase;
        SolidModel model;
    };
    struct Setting {
        std::string name;
        std::vector<Shape> solids;
        bool wet;
    };
    const Setting settings[] = {{"a stack",
                                 {Box{{0, 0, 0}, {0.3, 0.11, 0}}, Box{{0.03, 0.11, 0}, {0.27, 0.19, 0}},
                                  Box{{0.07, 0.19, 0}, {0.21, 0.3, 0}}},
                                 false},
                                {"beside a wall", {Box{{0, 0, 0}, {0.21, 0.2, 0}}}, true},
                                {"in the middle", {Box{{0.1, 0, 0}, {0.31, 0.2, 0}}}, true},
                                {"a disc", {Sphere{{0.25, 0.1, 0}, 0.1}}, true}};
    for (const Kind& kind : {Kind{"rigid", Phase::rigid, {}}, Kind{"elastic", Phase::elastic, {}},
                             Kind{"lattice", Phase::elastic, SolidModel::lattice}}) {
        for (const Setting& setting : settings) {
            for (const Method& method : {methods[1], methods[4]}) {  // tait, dfsph
                for (const double spacing : pick<std::vector<double>>({0.0317}, {0.0317, 0.0261, 0.021})) {
                    Model model = weightless(2, spacing, liquid(30, 1));
                    model.gravity = {0, -g, 0};
                    method.choose(model.solver);
                    Material stone{.name = "stone", .density = 1500, .liquid = model.materials[0].liquid};
                    stone.solid.young_modulus = 2e7;
                    const bool lattice = kind.model == SolidModel::lattice;
                    if (lattice) stone.solid.model = SolidModel::lattice;
                    model.materials.push_back(stone);
                    model.obstacles = {{.name = "tank",
                                        .shape = Box{{0, 0, 0}, {0.5, 1, 0}},
                                        .inside = true,
                                        .friction = 0.5}};
                    std::vector<Object> objects;
                    for (const Shape& shape : setting.solids) {
                        objects.push_back(filled(shape));
                        objects.back().material = "stone";
                        objects.back().phase = kind.phase;
                        if (lattice) objects.back().lattice = Lattice::closest;
                    }
                    if (setting.wet) objects.push_back(filled(Box{{0, 0, 0}, {0.5, 0.3, 0}}));
                    Simulation sim = released(model, objects);
                    double speed = 0;
                    for (int frame = 1; frame <= 8; ++frame) {
                        sim.advance_frame(frame / 30., never);
                        for (const Vec3f& v : sim.particles().velocity)
                            speed = std::max(speed, norm(v) / std::sqrt(g * 0.3));
                    }
                    INFO(std::string(kind.name), ", ", setting.name, ", ", std::string(method.name),
                         ", spacing ", spacing, ": speed ", speed);
                    CHECK(speed < 0.05);
                }
            }
        }
    }
}

namespace {

/// A stiff block that a floor and a thin peg cut: no layer of it ends half a spacing from them.
struct Embedded {
    Model model;
    std::vector<Object> objects;
    double height;

    Embedded(Stream& random, bool lattice_solid, const Method& method) {
        height = any(random, 0.15, 0.25);
        const double half = any(random, 0.1, 0.14), spacing = height / any(random, 8, 12);
        const double c = 20 * std::sqrt(g * height);
        model = weightless(2, spacing, liquid(c, 0));
        model.gravity = {0, -g, 0};
        method.choose(model.solver);
        model.materials[0].name = "stone";
        model.materials[0].solid.young_modulus = 1000 * g * height / 4e-4;
        if (lattice_solid) model.materials[0].solid.model = SolidModel::lattice;
        const Vec3d peg{any(random, -0.5, 0.5) * half, 0.5 * height, 0};
        model.obstacles = {{.name = "floor", .shape = Plane{{0, 0, 0}, {0, 1, 0}}},
                           {.name = "peg", .shape = Sphere{peg, 0.3 * spacing}}};
        Object solid = filled(Box{{-half, any(random, -3, -1) * spacing, 0}, {half, height, 0}});
        solid.material = "stone";
        solid.phase = Phase::elastic;
        if (lattice_solid) solid.lattice = Lattice::closest;
        objects = {solid};
    }
};

}  // namespace

TEST_CASE("solids that obstacles cut start without pressure, and gain no energy") {
    for (const bool lattice : {false, true}) {
        for (const Method& method : {methods[1], methods[4]}) {  // tait, dfsph
            for (int k = 0; k < pick(4, 20); ++k) {
                Stream random(static_cast<std::uint64_t>(300 + k));
                const Embedded scene(random, lattice, method);
                Simulation sim = released(scene.model, scene.objects);
                const Statistics start = gather_statistics(sim);
                double gain = 0;
                for (int frame = 1; frame <= 6; ++frame) {
                    sim.advance_frame(frame / 30., never);
                    const Statistics now = gather_statistics(sim);
                    gain = std::max(gain, now.kinetic + now.potential + now.elastic_energy - start.kinetic -
                                              start.potential - start.elastic_energy);
                }
                const double weight = 0.5 * start.mass * g * scene.height;
                INFO(std::string(lattice ? "lattice, " : "elastic, "), std::string(method.name), ", case ", k,
                     ", spacing ", scene.model.particles.spacing, ": gain ", gain / weight);
                CHECK(gain < 0.01 * weight);
            }
        }
    }
}
