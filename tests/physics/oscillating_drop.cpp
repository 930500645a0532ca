#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "physics/methods.h"
#include "physics/tank.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr double radius = 0.1, sigma = 1, rho = 1000;

/// Rayleigh's frequency of the slowest mode (l = 2): ω² = 8 σ/(ρ R³); of a cylinder, 6 σ/(ρ R³).
double rayleigh(int dimensions) {
    return std::sqrt((dimensions == 2 ? 6 : 8) * sigma / (rho * radius * radius * radius));
}

/// A drop set in motion along x, with no gravity.
Simulation stretched(int dimensions, double spacing, const Method& method, double coarsest = 1) {
    // Damping 4ν/R² (2D) or 5ν/R² (3D): some percent of ω, which lowers it by less than a percent.
    Material water = liquid(3, 0.3);
    water.liquid.surface_tension = sigma;
    water.liquid.artificial_viscosity = 0.1;
    Model model = weightless(dimensions, spacing, water);
    method.choose(model.solver);
    model.adaptivity.coarsest = coarsest;
    model.adaptivity.surface = 1;
    ParticleTable particles = populate(model, {filled(Sphere{{0, 0, 0}, radius})});
    // In 3D wide enough a swing that the lattice of the particles gives way: under the pressure of the
    // surface it is about as stiff as the surface itself, and small swings are some percent too fast.
    const double rate = (dimensions == 2 ? 0.1 : 0.25) * rayleigh(dimensions),
                 back = dimensions == 2 ? -rate : -0.5 * rate;
    for (Index i = 0; i < particles.size(); ++i) {
        const Vec3f x = particles.position[i];
        particles.velocity[i] = to_float(Vec3d{rate * x.x, back * x.y, back * x.z});
    }
    return {model, std::move(particles)};
}

/// (⟨x²⟩ − ⟨y²⟩)/(⟨x²⟩ + ⟨y²⟩)
double elongation(const ParticleTable& p) {
    double xx = 0, yy = 0;
    for (Index i = 0; i < p.size(); ++i) {
        const Vec3f x = p.position[i];
        xx += p.mass[i] * x.x * x.x;
        yy += p.mass[i] * x.y * x.y;
    }
    return (xx - yy) / (xx + yy);
}

/// Measured frequency over Rayleigh's, from the times at which the drop is round.
double frequency_ratio(int dimensions, double spacing, const Method& method, double coarsest = 1) {
    Simulation sim = stretched(dimensions, spacing, method, coarsest);
    const double period = 2 * std::numbers::pi / rayleigh(dimensions), frame = period / 40;
    double before = 0, first = 0, last = 0;
    int crossings = 0;
    for (int k = 1; k <= 90; ++k) {
        REQUIRE(sim.advance_frame(k * frame, never));
        const double now = elongation(sim.particles());
        if (before * now < 0) {
            last = (k - 1 + before / (before - now)) * frame;
            if (crossings++ == 0) first = last;
        }
        before = now;
    }
    REQUIRE(crossings >= 3);
    return (crossings - 1) * period / (2 * (last - first));
}

}  // namespace

TEST_CASE("a drop with surface tension swings with Rayleigh's frequency") {
    for (const Method& method : covering_methods()) {
        if (method.density == DensityMethod::continuity)
            continue;  // errors of its density add up over a swing
        const double flat = frequency_ratio(2, radius / 15, method);
        INFO(std::string(method.name), ": ", flat, " of Rayleigh's in 2D");
        CHECK(flat == near(1, 0.1));
    }
    for (const Method& method : {methods[0], methods[4]}) {
        if (!full_size() && !method.incompressible()) continue;
        const double round = frequency_ratio(3, radius / pick(8, 10), method);
        INFO(std::string(method.name), ": ", round, " of Rayleigh's in 3D");
        CHECK(round == near(1, 0.1));
    }
}

TEST_CASE("so does a drop that is coarse inside") {
    // Densities are by continuity, and held to their sums while sizes differ.
    const Method& method = methods[2];
    const Index particles = stretched(2, radius / 15, method, 3).particles().size();
    CHECK(particles < 0.8 * stretched(2, radius / 15, method).particles().size());
    const double ratio = frequency_ratio(2, radius / 15, method, 3);
    INFO(particles, " particles: ", ratio, " of Rayleigh's");
    CHECK(ratio == near(1, 0.1));
}
