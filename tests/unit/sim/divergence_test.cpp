#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "unit/sim/splash.h"

using namespace thixo;

namespace {

/// Runs until it fails; the message, or nothing if it did not within `steps`.
std::string failure(Simulation& sim, int steps) {
    try {
        for (int k = 0; k < steps; ++k) sim.step(1e9);
    } catch (const RunError& error) {
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("steps ten times too long end in a message that names place, particle and cause") {
    Splash splash(0.05, 2);
    splash.model.solver.time_step_scale = 10;
    Simulation sim = splash.simulation(Device{1});
    const std::string message = failure(sim, 1000);
    CAPTURE(message);
    CHECK(has(message, "diverged in frame 1 at t = "));
    CHECK(has(message, "particle "));
    CHECK((has(message, " of `water`") || has(message, " of `oil`")));
    CHECK(has(message, "the term that grew is "));
    CHECK((has(message, "is pressure") || has(message, "is wall pressure") || has(message, "is viscosity")));
    CHECK(has(message, "solver.time_step_scale is 10"));
    CHECK(has(message, "(step " + std::to_string(sim.clock().step)));
    // Nothing bad has been integrated: the state is the one before.
    for (const Vec3f& x : sim.particles().position) CHECK(is_finite(x));
    for (const Vec3f& v : sim.particles().velocity) CHECK(is_finite(v));
}

TEST_CASE("the same failure is reported for any number of threads") {
    Splash splash(0.05, 2);
    splash.model.solver.time_step_scale = 10;
    Simulation one = splash.simulation(Device{1}), three = splash.simulation(Device{3});
    const std::string message = failure(one, 1000);
    CHECK(message != "");
    CHECK(failure(three, 1000) == message);
}

TEST_CASE("the recommended steps do not fail") {
    Simulation sim = Splash(0.05, 2).simulation(Device{1});
    CHECK(failure(sim, 500) == "");
}

TEST_CASE("a number that is none is found, and its particle named") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                    inf = std::numeric_limits<float>::infinity();
    for (const float bad : {nan, inf, -inf}) {
        const Splash splash(0.1, 2);
        ParticleTable particles = populate(splash.model, splash.objects);
        particles.velocity[17].y = bad;
        Simulation sim(splash.model, std::move(particles), Device{2});
        const std::string message = failure(sim, 1);
        CAPTURE(message);
        CHECK(has(message, "diverged in frame 1"));
        CHECK(has(message, "no longer a finite number"));
    }
}

TEST_CASE("a particle that outruns its neighbourhood is named") {
    const Splash splash(0.1, 2);
    ParticleTable particles = populate(splash.model, splash.objects);
    particles.position[5] = {0.6f, 0.9f, 0};
    Model model = splash.model;
    model.solver.time_step_scale = 6;  // the flow limit is a tenth of the support
    particles.velocity[5] = {0, 200, 0};
    Simulation sim(model, std::move(particles), Device{1});
    const std::string message = failure(sim, 1);
    CAPTURE(message);
    CHECK(has(message, "particle 5 of `water`"));
    CHECK(has(message, "it would move 0.6 support radii in one step"));
}
