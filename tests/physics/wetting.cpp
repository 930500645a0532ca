#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "physics/methods.h"
#include "physics/rigid.h"
#include "sim/statistics.h"

using namespace thixo;

namespace {

constexpr double sigma = 1, rho = 1000, area = 0.016;  // a half disc of 0.1 m

Material wetting_liquid() {
    Material water = liquid(6, 8);
    water.liquid.surface_tension = sigma;
    water.liquid.artificial_viscosity = 0.5;
    return water;
}

/// Height of the centroid of a circular segment with the contact angle t (rad) and that area.
double centroid(double t) {
    const double s = t - std::sin(t) * std::cos(t), r = std::sqrt(area / s);
    return r * (2 * std::pow(std::sin(t), 3) / (3 * s) - std::cos(t));
}

/// Contact angle (degrees) of the segment whose centroid is that high.
double angle_of(double height) {
    double low = 0.02, high = std::numbers::pi;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (centroid(middle) < height ? low : high) = middle;
    }
    return low * 180 / std::numbers::pi;
}

double mean_height(const ParticleTable& p) {
    double sum = 0, mass = 0;
    for (Index i = 0; i < p.size(); ++i) {
        if (p.phase[i] != Phase::liquid) continue;
        sum += p.mass[i] * p.position[i].y;
        mass += p.mass[i];
    }
    return sum / mass;
}

/// What a drop lies on.
enum class Ground { wall, rigid, elastic };

struct Drop {
    double angle = 0;  ///< degrees, in the end
    double momentum =
        0;  ///< the largest of drop and ground together, in the mass of the drop times √(σ/(ρ r))
};

/// A block of liquid without weight on a wall, or on a plate of particles that nothing holds, becomes a drop.
Drop drop_on(Ground ground, double angle, double spacing, const Method& method) {
    Model model = weightless(2, spacing, wetting_liquid());
    method.choose(model.solver);
    model.objects = {filled(Box{{-0.1, 0, 0}, {0.1, area / 0.2, 0}})};
    if (ground == Ground::wall) {
        model.obstacles = {{.name = "ground", .shape = Plane{{0, 0, 0}, {0, 1, 0}}}};
    } else {
        const Shape plate = Box{{-0.2, -0.06, 0}, {0.2, 0, 0}};
        model.materials.push_back(ground == Ground::rigid ? wood(1000) : rubber(2e4, 1000));
        model.materials[1].name = "ground";
        model.materials[1].liquid = {.sound_speed = 6, .viscosity = 8};
        model.objects.push_back(ground == Ground::rigid ? rigid("plate", plate) : body("plate", plate));
        model.objects[1].material = "ground";
    }
    model.contact_angles = {{.liquid = "water", .solid = "ground", .angle = angle}};
    Simulation sim{model, populate(model, model.objects)};
    const auto height_above_ground = [&] {
        double low = 0;
        if (ground != Ground::wall) low = census(sim.particles(), 1).high.y + 0.5 * spacing;
        return mean_height(sim.particles()) - low;
    };
    Drop out;
    double height = 0;
    for (int frame = 1; frame <= 60; ++frame) {
        REQUIRE(sim.advance_frame(0.1 * frame, never));
        const Statistics now = gather_statistics(sim);
        out.momentum =
            std::max(out.momentum, norm(now.momentum) / (rho * area * std::sqrt(sigma / (rho * 0.1))));
        if (frame > 50) height += 0.1 * height_above_ground();
    }
    out.angle = angle_of(height);
    return out;
}

}  // namespace

TEST_CASE("a drop on a wall has its contact angle") {
    for (const double angle : pick<std::vector<double>>({60., 90.}, {45., 60., 75., 90.})) {
        const double found = drop_on(Ground::wall, angle, pick(0.01, 0.08 / 12), methods[1]).angle;
        INFO(angle, " degrees: ", found);
        // One layer of particles more or less on a drop of ten changes the angle by 9 degrees.
        CHECK(std::abs(found - angle) < 9);
    }
}

TEST_CASE("a drop on a body that nothing holds has its contact angle, and both keep their momentum") {
    for (const Ground ground : {Ground::rigid, Ground::elastic}) {
        for (const double angle : pick<std::vector<double>>({60.}, {45., 60., 90.})) {
            const Drop found = drop_on(ground, angle, pick(0.01, 0.08 / 12), methods[1]);
            INFO(std::string(ground == Ground::rigid ? "rigid, " : "elastic, "), angle,
                 " degrees: ", found.angle, ", momentum ", found.momentum);
            CHECK(std::abs(found.angle - angle) < 9);
            CHECK(found.momentum < 1e-3);
        }
    }
}
