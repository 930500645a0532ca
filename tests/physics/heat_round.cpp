#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "physics/heat.h"
#include "sim/settle.h"

using namespace thixo;

// Heat through walls that the lattice is not parallel to, against series solutions.

namespace {

constexpr double diffusivity = 1e-4;

/// Mean temperature of a ball (2D: a disc) that starts at 1 with the surface at 0, at the Fourier number
/// αt/R².
double mean_of_ball(int dimensions, double fourier) {
    double sum = 0;
    for (int n = 1; n < 200; ++n) {
        if (dimensions == 3) {
            const double z = n * std::numbers::pi;
            sum += 6 / (z * z) * std::exp(-z * z * fourier);
        } else {
            // Zeros of J₀ by McMahon's expansion.
            double z = (n - 0.25) * std::numbers::pi;
            z += 1 / (8 * z) - 124 / (3 * std::pow(8 * z, 3));
            sum += 4 / (z * z) * std::exp(-z * z * fourier);
        }
    }
    return sum;
}

/// The same of a plate between two such walls, αt/L² with its thickness L.
double mean_of_plate(double fourier) {
    double sum = 0;
    for (int n = 1; n < 200; n += 2) {
        const double z = n * std::numbers::pi;
        sum += 8 / (z * z) * std::exp(-z * z * fourier);
    }
    return sum;
}

struct Case {
    Phase phase;
    Lattice lattice;
    double degrees;  ///< by which the lattice is turned
};

/// Mean temperature over that of the series.
double cooled(const Model& model, const Shape& shape, const Case& with, double seconds, double series) {
    Object object = at_temperature(shape, "wax", 1, with.phase);
    object.lattice = with.lattice;
    object.orientation = Rotation({0, 0, with.degrees});
    Simulation sim(model, populate(model, {object}, nullptr, {}, Start::rest));
    constexpr int frames = 20;
    for (int frame = 1; frame <= frames; ++frame) REQUIRE(sim.advance_frame(seconds * frame / frames, never));
    const ParticleTable& p = sim.particles();
    double heat = 0, mass = 0;
    for (Index i = 0; i < p.size(); ++i) {
        heat += p.mass[i] * p.temperature[i];
        mass += p.mass[i];
    }
    return heat / mass / series;
}

Model of_wax(int dimensions, double spacing) {
    Model model = weightless(dimensions, spacing, conductor("wax", diffusivity * 1e6));
    model.materials[0].liquid.sound_speed = 0.003;  // the liquid shall stay as it is
    return model;
}

double cooled_ball(int dimensions, double layers, const Case& with) {
    const double radius = 0.1, fourier = 0.1;
    Model model = of_wax(dimensions, radius / layers);
    model.obstacles = {
        {.name = "shell", .shape = Sphere{{0, 0, 0}, radius}, .inside = true, .temperature = 0}};
    return cooled(model, Sphere{{0, 0, 0}, radius}, with, fourier * radius * radius / diffusivity,
                  mean_of_ball(dimensions, fourier));
}

/// Free on the other sides.
double cooled_plate(int dimensions, double layers, const Case& with) {
    const double thickness = 0.1, fourier = 0.05, side = dimensions == 2 ? 0.15 : 0.06;
    Model model = of_wax(dimensions, thickness / layers);
    model.obstacles = {{.name = "below", .shape = Plane{{0, 0, 0}, {1, 0, 0}}, .temperature = 0},
                       {.name = "above", .shape = Plane{{thickness, 0, 0}, {-1, 0, 0}}, .temperature = 0}};
    return cooled(model, Box{{0, 0, 0}, {thickness, side, side}}, with,
                  fourier * thickness * thickness / diffusivity, mean_of_plate(fourier));
}

/// Mean temperature of a ball (2D: a disc) of the radius 1 that starts at 0 in an unbounded liquid at 1, at
/// the Fourier number αt/R². Both have the same diffusivity; `ratio` is ρc of the liquid over that of the
/// ball. By finite volumes on shells, implicit in time.
double mean_in_liquid(int dimensions, double fourier, double ratio) {
    constexpr int inner = 200, n = 5 * inner, steps = 2000;
    const double dr = 1.0 / inner, dt = fourier / steps;
    std::vector<double> t(n), lower(n), diagonal(n), upper(n);
    const auto conductivity = [&](int k) { return k < inner ? 1.0 : ratio; };
    const auto flow = [&](int k) {  // between the shells k and k + 1
        const double a = conductivity(k), b = conductivity(k + 1);
        return 2 * a * b / (a + b) * std::pow((k + 1) * dr, dimensions - 1) / dr;
    };
    for (int k = 0; k < n; ++k) t[k] = k < inner ? 0 : 1;
    for (int step = 0; step < steps; ++step) {
        for (int k = 0; k < n; ++k) {
            const double capacity = conductivity(k) * std::pow((k + 0.5) * dr, dimensions - 1) * dr / dt;
            lower[k] = k > 0 ? -flow(k - 1) : 0;
            upper[k] = k + 1 < n ? -flow(k) : 0;
            diagonal[k] = capacity - lower[k] - upper[k];
            t[k] *= capacity;
        }
        for (int k = 1; k < n; ++k) {
            const double w = lower[k] / diagonal[k - 1];
            diagonal[k] -= w * upper[k - 1];
            t[k] -= w * t[k - 1];
        }
        t[n - 1] /= diagonal[n - 1];
        for (int k = n - 2; k >= 0; --k) t[k] = (t[k] - upper[k] * t[k + 1]) / diagonal[k];
    }
    double heat = 0, volume = 0;
    for (int k = 0; k < inner; ++k) {
        const double cell = std::pow((k + 0.5) * dr, dimensions - 1);
        heat += cell * t[k];
        volume += cell;
    }
    return heat / volume;
}

/// A cold rigid ball in hot liquid at rest, whose ρc is 1.5 times as large: how much it has warmed, in that
/// of the equation.
double warmed_ball(int dimensions, double layers, double degrees) {
    const double radius = 0.1, fourier = 0.1, ratio = 1.5, half = dimensions == 2 ? 0.25 : 0.2;
    Model model = of_wax(dimensions, radius / layers);
    model.materials.push_back(conductor("broth", ratio * diffusivity * 1e6, ratio * 1000));
    model.materials[1].liquid.sound_speed = 0.003;
    model.obstacles = {
        {.name = "box", .shape = Box{{-half, -half, -half}, {half, half, half}}, .inside = true}};
    Object ball = at_temperature(Sphere{{0, 0, 0}, radius}, "wax", 0, Phase::rigid);
    ball.orientation = Rotation({0, 0, degrees});
    const std::vector<Object> objects{
        ball, at_temperature(Box{{-half, -half, -half}, {half, half, half}}, "broth", 1)};
    ParticleTable particles = populate(model, objects, nullptr, {}, Start::rest);
    settle(model, objects, particles);
    Simulation sim(model, std::move(particles));
    for (int frame = 1; frame <= 20; ++frame)
        REQUIRE(sim.advance_frame(fourier * radius * radius / diffusivity * frame / 20, never));
    const ParticleTable& p = sim.particles();
    double heat = 0, mass = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.object[i] != 0) continue;
        heat += p.mass[i] * p.temperature[i];
        mass += p.mass[i];
    }
    return heat / mass / mean_in_liquid(dimensions, fourier, ratio);
}

}  // namespace

TEST_CASE("a cold ball in hot liquid takes the heat that the equation says") {
    for (const double degrees : {0., 25.}) {
        const double ratio = warmed_ball(2, 10, degrees);
        INFO("2D, lattice turned by ", degrees, ": ", ratio);
        CHECK(std::abs(ratio - 1) < 0.05);
    }
    const double coarse = warmed_ball(2, 5, 0), fine = warmed_ball(2, 20, 0);
    INFO("R = 5 spacings: ", coarse, ", 20: ", fine);
    CHECK(std::abs(fine - 1) < 0.025);
    CHECK(std::abs(fine - 1) < std::abs(coarse - 1));
    if (full_size()) {
        const double ratio = warmed_ball(3, 10, 0);
        INFO("3D: ", ratio);
        CHECK(std::abs(ratio - 1) < 0.05);
    }
}

TEST_CASE("a ball in a shell cools by the series") {
    for (const int d : {2, 3}) {
        for (const Case with :
             {Case{Phase::rigid, Lattice::cubic, 0}, Case{Phase::rigid, Lattice::cubic, 25},
              Case{Phase::elastic, Lattice::closest, 0}, Case{Phase::liquid, Lattice::cubic, 10}}) {
            if (d == 3 && !full_size() && with.phase != Phase::rigid) continue;
            const double ratio = cooled_ball(d, 10, with);
            INFO(d, "D, phase ", static_cast<int>(with.phase), ", lattice ", static_cast<int>(with.lattice),
                 " turned by ", with.degrees, ": mean temperature ", ratio, " of the series");
            CHECK(std::abs(ratio - 1) < 0.05);
        }
        // It converges.
        const Case rigid{Phase::rigid, Lattice::cubic, 0};
        const double coarse = cooled_ball(d, d == 2 ? 10 : 6, rigid),
                     fine = cooled_ball(d, d == 2 ? 20 : 10, rigid);
        INFO(d, "D: ", coarse, " and ", fine);
        CHECK(std::abs(fine - 1) < std::abs(coarse - 1));
    }
}

TEST_CASE("a plate cools by the series, however its lattice is turned") {
    for (const int d : {2, 3}) {
        for (const Phase phase : {Phase::rigid, Phase::liquid, Phase::elastic}) {
            for (const double degrees : {0., 10., 30., 45.}) {
                if (d == 3 && !full_size() && (phase != Phase::rigid || degrees < 30)) continue;
                const double ratio = cooled_plate(d, 20, {phase, Lattice::cubic, degrees});
                INFO(d, "D, phase ", static_cast<int>(phase), ", lattice turned by ", degrees,
                     ": mean temperature ", ratio, " of the series");
                CHECK(std::abs(ratio - 1) < 0.05);
            }
        }
    }
}
