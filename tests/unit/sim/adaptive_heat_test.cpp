#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/populate.h"
#include "sim/statistics.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.025;

/// Wax that conducts fast, and freezes at 50 °C.
Model adaptive(TimeStepMethod steps) {
    Model model;
    model.dimensions = 2;
    model.particles.spacing = spacing;
    model.solver.pressure = PressureMethod::tait;
    model.solver.density = DensityMethod::continuity;
    model.solver.viscosity = ViscosityMethod::artificial;
    model.solver.time_step = steps;
    model.adaptivity.coarsest = 4;
    Material wax{.name = "wax", .liquid = {.sound_speed = 40}, .heat = {}};
    wax.solid = {.young_modulus = 1e5, .damping = 1e-3};
    wax.heat.specific_heat = 1000;
    wax.heat.diffusivity = 1e-3;
    wax.heat.melting_point = 50;
    wax.heat.latent_heat = 2e4;
    model.materials = {wax};
    model.obstacles = {{.name = "box", .shape = Box{{0, 0, 0}, {2, 2, 1}}, .inside = true}};
    return model;
}

Object block(const Vec3d& min, const Vec3d& max, double temperature, Phase phase = Phase::liquid) {
    return {.name = "block",
            .material = "wax",
            .phase = phase,
            .temperature = temperature,
            .shape = Box{min, max}};
}

/// Hot and warm liquid, thrown against a wall.
std::vector<Object> splash() {
    std::vector<Object> out{block({0, 0, 0}, {0.7, 0.5, 1}, 90), block({0, 0.5, 0}, {0.7, 1, 1}, 60)};
    for (Object& object : out) object.velocity = {-3, 0, 0};
    return out;
}

/// How far temperatures are from one: Σ m T², K² kg, which conduction makes less.
double unevenness(const ParticleTable& p) {
    double sum = 0;
    for (Index i = 0; i < p.size(); ++i) sum += double{p.mass[i]} * p.temperature[i] * p.temperature[i];
    return sum;
}

std::uint64_t hash_of(const Simulation& sim) { return state_hash(Device{1}, sim.particles()); }

}  // namespace

TEST_CASE(
    "an adaptive liquid keeps its heat while it flows, with individual steps; the same bits for any number "
    "of "
    "threads") {
    for (const TimeStepMethod steps : {TimeStepMethod::global, TimeStepMethod::individual}) {
        Model model = adaptive(steps);
        model.materials[0].heat.diffusivity = 1e-2;
        std::uint64_t first = 0;
        for (const int threads : {1, 2}) {
            Simulation sim(model, populate(model, splash()), Device{threads});
            const Statistics before = gather_statistics(sim);
            const double uneven = unevenness(sim.particles());
            const std::uint64_t id = sim.clock().next_id;
            const Index start = sim.particles().size();
            while (sim.clock().time < 0.3) sim.step(0.3);
            CHECK(sim.clock().next_id > id);                                   // some were split
            CHECK(sim.clock().next_id - id + start > sim.particles().size());  // some merged
            const Statistics after = gather_statistics(sim);
            CHECK(after.mass == before.mass);
            CHECK(after.heat == near(before.heat, 1e-6));
            CHECK(after.t_min >= before.t_min);
            CHECK(after.t_max <= before.t_max);
            // Of the 225 K² about the mean of 75 °C a tenth is gone at least.
            CHECK(unevenness(sim.particles()) < uneven - 0.1 * 225 * before.mass);
            if (first == 0) first = hash_of(sim);
            CHECK(hash_of(sim) == first);
        }
    }
}

TEST_CASE("coarse liquid is divided before it freezes, to a cold block or to a cold wall") {
    for (const bool wall : {false, true}) {
        Model model = adaptive(TimeStepMethod::global);
        model.materials[0].heat.diffusivity = 2e-2;
        model.materials[0].heat.latent_heat = wall ? 2e4 : 0;
        model.obstacles = {{.name = "box", .shape = Box{{0, 0, 0}, {0.5, 1, 1}}, .inside = true}};
        std::vector<Object> objects;
        if (wall)
            model.obstacles[0].temperature = -20;
        else
            objects.push_back(block({0, 0, 0}, {0.5, 0.3, 1}, -100, Phase::elastic));
        objects.push_back(block({0, wall ? 0 : 0.3, 0}, {0.5, 0.75, 1}, 55));
        objects.back().name = "liquid";
        Simulation sim(model, populate(model, objects), Device{1});
        const double heat = gather_statistics(sim).heat;
        const auto largest = [&](bool liquid) {
            float size = 0;
            for (Index i = 0; i < sim.particles().size(); ++i)
                if ((sim.particles().phase[i] == Phase::liquid) == liquid)
                    size = std::max(size, sim.particles().radius[i] / static_cast<float>(0.5 * spacing));
            return size;
        };
        CHECK(largest(true) > 1.8f);
        const auto solids = gather_statistics(sim).elastic;
        constexpr double end = 0.5;
        while (sim.clock().time < end && largest(true) > 0) {
            sim.step(end);
            REQUIRE(largest(false) < 1.42f);  // less than two of the finest, which cannot be divided
        }
        const Statistics after = gather_statistics(sim);
        INFO("wall ", wall, ": ", solids, " to ", after.elastic, " of ", sim.particles().size(), " at ",
             sim.clock().time);
        CHECK(after.elastic > solids + 150);
        if (!wall) CHECK(after.heat == near(heat, 1e-6));
    }
}
