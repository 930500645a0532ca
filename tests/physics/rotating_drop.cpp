#include <doctest/doctest.h>

#include <string>

#include "physics/methods.h"
#include "physics/tank.h"

using namespace thixo;

namespace {

struct Ledger {
    Vec3d momentum, spin;
    double motion = 0;  ///< Σ m |v|
};

/// Positions and velocities as they are. Also where velocities are half a step behind, x × v changes in a step by the
/// kick's moment alone: the drift adds a multiple of v × v.
Ledger ledger(const ParticleTable& p) {
    Ledger sum;
    for (Index i = 0; i < p.size(); ++i) {
        const Vec3d x = to_double(p.position[i]), v = to_double(p.velocity[i]);
        const double m = p.mass[i];
        sum.momentum += m * v;
        sum.spin += m * cross(x, v);
        sum.motion += m * norm(v);
    }
    return sum;
}

/// A drop that spins, drifts, flattens and swings under surface tension.
Simulation spinning(int dimensions, const Method& method) {
    constexpr double radius = 0.1;
    Material water = liquid(3, 0.1);
    water.liquid.surface_tension = 1;
    const double spacing = radius / (dimensions == 2 ? pick(12, 30) : pick(6, 12));
    Model model = weightless(dimensions, spacing, water);
    method.choose(model.solver);
    Object body = filled(Sphere{{0.02, -0.01, 0}, radius});
    body.velocity = {0.05, 0.02, 0};
    body.angular_velocity = dimensions == 2 ? Vec3d{0, 0, 1.5} : Vec3d{0.5, 0.3, 1.5};
    return {model, populate(model, {body})};
}

}  // namespace

TEST_CASE("a spinning drop keeps its momentum and its spin") {
    for (const int dimensions : {2, 3}) {
        for (const Method& method : methods) {
            if (method.density == DensityMethod::continuity) continue;  // surface tension needs a density to smooth
            Simulation sim = spinning(dimensions, method);
            const Ledger first = ledger(sim.particles());
            for (int k = 0; k < 1000; ++k) sim.step(1e9);
            const Ledger last = ledger(sim.particles());
            const double lost = norm(last.momentum - first.momentum) / first.motion,
                         slowed = norm(last.spin - first.spin) / norm(first.spin);
            INFO(std::string(method.name), ", ", dimensions, "D, ", sim.clock().time, " s: momentum off by ", lost,
                 ", spin by ", slowed);
            CHECK(lost < 1e-6);
            CHECK(slowed < 1e-3);
        }
    }
}
