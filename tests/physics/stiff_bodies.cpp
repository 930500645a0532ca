#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/conservation.h"
#include "physics/methods.h"

using namespace thixo;

namespace {

constexpr Method explicit_elasticity{"explicit", PressureMethod::tait},
    implicit_elasticity{"implicit", PressureMethod::tait, DensityMethod::summation,
                        ViscosityMethod::laplacian, ElasticIntegrator::implicit};
constexpr Method integrators[] = {explicit_elasticity, implicit_elasticity, fast_preset};

/// A bar that starts to bend under its weight, one end held.
struct Cantilever {
    double deflection = 0;  ///< of the free end, mean over some swings
    double step = 0;        ///< longest, s
};

Cantilever bend(const Method& method, double end) {
    Material material = rubber(1e7);
    material.liquid.sound_speed = 2;  // nothing touches it
    Model model;
    model.particles.spacing = 0.02;
    method.choose(model.solver);
    model.materials = {material};
    Object object = elastic(bar(0.02, 20, 5));
    object.held = {{.region = Box{{-1, -1, -1}, {0.04, 1, 1}}}};
    const std::vector<Object> objects{object};
    model.objects = objects;
    Simulation sim(model, populate(model, objects));
    Cantilever out;
    while (sim.clock().time < end) {
        sim.step(end);
        double tip = 0;
        int count = 0;
        for (const Vec3f& x : sim.particles().position) {
            if (x.x < 0.38f) continue;
            tip += x.y;
            ++count;
        }
        // A window that swings do not pass.
        const double window = 1 - std::cos(2 * std::numbers::pi * sim.clock().time / end);
        out.deflection -= window * tip / count * sim.clock().last_step / end;
        out.step = std::max(out.step, sim.clock().last_step);
    }
    return out;
}

}  // namespace

TEST_CASE("implicit steps are twenty times as long, and a cantilever bends as far") {
    const Cantilever exact = bend(explicit_elasticity, 0.4);
    for (const Method& method : {implicit_elasticity, fast_preset}) {
        const Cantilever quick = bend(method, 0.4);
        INFO(std::string(method.name), ": deflection ", exact.deflection, " m by steps of ", exact.step,
             " s, ", quick.deflection, " m by ", quick.step, " s");
        CHECK(quick.step > 20 * exact.step);
        CHECK(quick.deflection == doctest::Approx(exact.deflection).epsilon(0.02));
    }
}

TEST_CASE("bodies of any stiffness fall, bounce and stay whole") {
    for (const Method& method : integrators) {
        for (const double e : {1e3, 1e4, 1e5, 1e6, 1e7, 1e8}) {
            Model model;
            model.particles.spacing = 0.05;
            method.choose(model.solver);
            model.materials = {rubber(e)};
            model.obstacles = {{.name = "floor", .shape = Plane{{0, 0, 0}, {0, 1, 0}}}};
            const int across = pick(4, 8);
            Object object = elastic(bar(0.05, across + 2, across));
            object.shape.placement.translate = {0, 0.05 * across, 0};
            object.angular_velocity = {0, 0, 2};
            const std::vector<Object> objects{object};
            Simulation sim(model, populate(model, objects));
            const auto energy = [&] {
                const Statistics now = gather_statistics(sim);
                return now.kinetic + now.potential + now.elastic_energy;
            };
            const double before = energy();
            INFO("E = ", e, ", ", std::string(method.name));
            while (sim.clock().time < 0.6) sim.step(0.6);
            // A body at rest on the floor has the potential energy of its size; it must not gain any.
            CHECK(energy() < 1.02 * before);
            for (const Vec3f& x : sim.particles().position) CHECK(x.y > 0);
        }
    }
}

TEST_CASE("implicit steps keep momentum and spin, and give no energy") {
    for (const int dimensions : {2, 3}) {
        for (const Method& method : {implicit_elasticity, fast_preset}) {
            Material material = rubber(1e7);
            material.liquid.sound_speed = 2;
            Model model = weightless(dimensions, 0.02, material);
            method.choose(model.solver);
            check_conservation(model, pick(1000, 2000), 20, method.leeway());
        }
    }
}
