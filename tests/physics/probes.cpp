#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/scene_text.h"
#include "physics/tank.h"

using namespace thixo;

namespace {

constexpr double g = 9.81;

/// Relative difference.
double off(double value, double expected) { return std::abs(value / expected - 1); }

}  // namespace

TEST_CASE("probes in still water: level, hydrostatic pressure, weight on the tank") {
    // 0.4 m deep and wide. The law compresses water by gz/c², 1 % at c = 20 m/s, so pressures are known to
    // that; the level to half a spacing; the force is the weight of the particles.
    Simulation sim = simulation_of(R"({
        "dimensions": 2, "duration": 1, "particles": { "spacing": 0.02 },
        "materials": { "water": { "density": 1000, "liquid": { "sound_speed": 20, "viscosity": 2 } } },
        "objects": [ { "material": "water", "shape": { "box": { "min": [0, 0], "max": [0.4, 0.4] } } } ],
        "obstacles": [ { "name": "tank", "shape": { "box": { "min": [0, 0], "max": [0.4, 1] } }, "inside": true } ],
        "probes": [
            { "kind": "level", "at": [0.2, 0] },
            { "kind": "point", "at": [0.2, 0.2] }, { "kind": "point", "at": [0.2, 0.1] },
            { "kind": "force", "of": "tank", "at": [0.2, 0] },
            { "kind": "front", "direction": [1, 0] }, { "kind": "level", "at": [5, 0] } ] })");
    for (int frame = 1; frame <= 5; ++frame) sim.advance_frame(0.1 * frame, never);
    CHECK(std::abs(reading(sim, 0, "level") - 0.4) < 0.01);
    CHECK(off(reading(sim, 1, "pressure"), 1000 * g * 0.2) < 0.03);
    CHECK(off(reading(sim, 2, "pressure"), 1000 * g * 0.3) < 0.03);
    CHECK(std::abs(reading(sim, 1, "vy")) < 0.01);
    double weight = 0;
    for (const float m : sim.particles().mass) weight += g * m;
    CHECK(off(reading(sim, 3, "fy"), -weight) < 0.01);
    CHECK(std::abs(reading(sim, 3, "fx")) < 0.01 * weight);
    CHECK(std::abs(reading(sim, 3, "tz")) < 0.01 * weight * 0.2);
    CHECK(std::abs(reading(sim, 4, "front") - 0.4) < 0.01);
    CHECK(std::isnan(reading(sim, 5, "level")));
}

TEST_CASE("a rigid block on a scale: its weight, and the torque about a point beside it") {
    Simulation sim = simulation_of(R"({
        "duration": 1, "particles": { "spacing": 0.02 },
        "materials": { "wood": { "density": 600, "solid": { "friction": 0.4 } } },
        "objects": [ { "name": "block", "material": "wood", "phase": "rigid",
                       "shape": { "box": { "min": [0.2, 0, -0.05], "max": [0.3, 0.1, 0.05] } } } ],
        "obstacles": [ { "name": "scale", "friction": 0.4, "shape": { "plane": { "normal": [0, 1, 0] } } } ],
        "probes": [ { "kind": "force", "of": "scale" }, { "kind": "body", "of": "block" } ] })");
    for (int frame = 1; frame <= 4; ++frame) sim.advance_frame(0.05 * frame, never);
    const double mass = 600 * 0.1 * 0.1 * 0.1;
    CHECK(off(reading(sim, 1, "mass"), mass) < 0.01);
    CHECK(off(reading(sim, 0, "fy"), -reading(sim, 1, "mass") * g) < 0.01);
    // Force (0, −mg, 0) at (0.25, 0, 0): the torque about the origin is −0.25 mg about z.
    CHECK(off(reading(sim, 0, "tz"), -0.25 * reading(sim, 1, "mass") * g) < 0.01);
    CHECK(std::abs(reading(sim, 0, "tx")) < 0.005 * mass * g);
}

TEST_CASE("an elastic block that hangs: what holds it carries its weight") {
    Simulation sim = simulation_of(R"({
        "duration": 1, "particles": { "spacing": 0.02 },
        "materials": { "rubber": { "density": 1000, "solid": { "model": "corotated", "young_modulus": 1e5, "damping": 0.003 } } },
        "objects": [ { "name": "block", "material": "rubber", "phase": "elastic",
                       "shape": { "box": { "min": [0, 0, 0], "max": [0.08, 0.16, 0.08] } },
                       "held": [ { "region": { "box": { "min": [-1, 0.12, -1], "max": [1, 1, 1] } } } ] } ],
        "probes": [ { "kind": "force", "of": "block", "at": [0.04, 0.16, 0.04] } ] })");
    for (int frame = 1; frame <= 6; ++frame) sim.advance_frame(0.1 * frame, never);
    double weight = 0;
    for (const float m : sim.particles().mass) weight += g * m;
    CHECK(off(reading(sim, 0, "fy"), weight) < 0.01);
    CHECK(std::abs(reading(sim, 0, "fx")) < 0.005 * weight);
    CHECK(std::abs(reading(sim, 0, "tz")) < 0.005 * weight * 0.08);
}

TEST_CASE("a twisted bar: the torques of its two ends, against Saint-Venant") {
    // Side a, free length L between the held ends, turned by θ: T = G J θ/L with J = 0.1406 a⁴, G = E/2(1 +
    // ν). The ends grip particles, so L is known to a spacing of 10, and a layer of particles is softer at
    // the surface.
    Simulation sim = simulation_of(R"({
        "duration": 2, "gravity": [0, 0, 0], "particles": { "spacing": 0.01 },
        "materials": { "rubber": { "density": 1000, "solid": { "model": "corotated", "young_modulus": 1e5, "poisson_ratio": 0.3, "damping": 0.002 } } },
        "objects": [ { "name": "bar", "material": "rubber", "phase": "elastic",
                       "shape": { "box": { "min": [0, -0.03, -0.03], "max": [0.16, 0.03, 0.03] } },
                       "held": [ { "region": { "box": { "min": [-1, -1, -1], "max": [0.03, 1, 1] } } } ] } ],
        "grabs": [ { "name": "hand", "region": { "box": { "min": [0.13, -1, -1], "max": [1, 1, 1] } },
                     "motion": { "keyframes": [ { "time": 0 }, { "time": 0.2, "rotate": [20, 0, 0] } ] } } ],
        "probes": [ { "kind": "force", "of": "bar" }, { "kind": "force", "of": "hand" } ] })");
    for (int frame = 1; frame <= 5; ++frame) sim.advance_frame(0.1 * frame, never);
    const double shear = 1e5 / 2.6,
                 expected = shear * 0.1406 * std::pow(0.06, 4) * (20 * std::numbers::pi / 180) / 0.1;
    MESSAGE("torque ", reading(sim, 1, "tx"), " N m, Saint-Venant ", expected);
    CHECK(off(reading(sim, 1, "tx"), expected) < 0.1);
    CHECK(std::abs(reading(sim, 0, "tx") + reading(sim, 1, "tx")) < 0.01 * expected);
}

TEST_CASE("a jet: its flow is the area of the opening times its speed") {
    Simulation sim = simulation_of(R"({
        "duration": 1, "gravity": [0, 0, 0], "particles": { "spacing": 0.02 },
        "materials": { "water": { "density": 1000, "liquid": { "sound_speed": 20, "viscosity": 1 } } },
        "emitters": [ { "material": "water", "position": [0, 0, 0], "direction": [1, 0, 0], "speed": 1,
                        "opening": { "rectangle": { "width": 0.16, "height": 0.12 } } } ],
        "probes": [ { "kind": "flow", "at": [0.2, 0, 0], "width": 0.4, "height": 0.4 },
                    { "kind": "flow", "at": [0.2, 0, 0], "direction": [-1, 0, 0], "width": 0.4, "height": 0.4 },
                    { "kind": "front" }, { "kind": "point", "at": [0.2, 0, 0] } ] })");
    sim.advance_frame(0.5, never);
    CHECK(off(reading(sim, 0, "volume"), 0.16 * 0.12) < 0.02);
    CHECK(off(reading(sim, 0, "mass"), 1000 * 0.16 * 0.12) < 0.02);
    CHECK(reading(sim, 1, "volume") == doctest::Approx(-reading(sim, 0, "volume")));
    CHECK(std::abs(reading(sim, 2, "front") - 0.5) < 0.02);
    CHECK(off(reading(sim, 3, "vx"), 1) < 0.01);
}

TEST_CASE("a body in free flight keeps its momentum and spin, and its place and pose follow") {
    Simulation sim = simulation_of(R"({
        "duration": 1, "gravity": [0, 0, 0], "particles": { "spacing": 0.02 },
        "materials": { "wood": { "density": 600 } },
        "objects": [ { "name": "die", "material": "wood", "phase": "rigid", "velocity": [1, 0.5, 0], "angular_velocity": [0, 0, 3],
                       "shape": { "box": { "min": [-0.05, -0.05, -0.05], "max": [0.05, 0.05, 0.05] } } } ],
        "probes": [ { "kind": "body", "of": "die" } ] })");
    sim.advance_frame(0.4, never);
    const double mass = reading(sim, 0, "mass");
    CHECK(off(mass, 0.6) < 0.01);
    CHECK(reading(sim, 0, "x") == doctest::Approx(0.4).epsilon(1e-4));
    CHECK(reading(sim, 0, "y") == doctest::Approx(0.2).epsilon(1e-4));
    CHECK(reading(sim, 0, "px") == doctest::Approx(mass).epsilon(1e-4));
    CHECK(reading(sim, 0, "wz") == doctest::Approx(3).epsilon(1e-3));
    CHECK(reading(sim, 0, "rz") == doctest::Approx(0.4 * 3 * 180 / std::numbers::pi).epsilon(1e-3));
    // Of a cube of particles: m a²/6 (1 − 1/n²) with n = 5 of them along an edge a.
    CHECK(off(reading(sim, 0, "lz"), 3 * mass * 0.01 / 6 * (1 - 1 / 25.)) < 0.02);
}
