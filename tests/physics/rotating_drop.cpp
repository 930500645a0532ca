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

/// Positions and velocities as they are. Also where velocities are half a step behind, x × v changes in a
/// step by the moment of the kick alone: the drift adds a multiple of v × v.
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

/// A drop that spins and drifts. Spin alone would let the particles of a liquid without tension fly apart on
/// straight lines, with no force to conserve anything: so it is drawn long as well, faster than it spins,
/// which takes pressure.
Simulation spinning(int dimensions, const Method& method, double viscosity, bool tension) {
    constexpr double radius = 0.1;
    constexpr float strain = 2;  // 1/s
    const double spacing = radius / (dimensions == 2 ? pick(12, 30) : pick(6, 12));
    Model model = weightless(dimensions, spacing, liquid(3, viscosity));
    method.choose(model.solver);
    model.solver.tension = tension;
    model.solver.viscosity_error =
        1e-6;  // pairs are equal and opposite in the solution, not on the way to it
    const Vec3f centre{0.02f, -0.01f, 0};
    Object body = filled(Sphere{to_double(centre), radius});
    body.velocity = {0.05, 0.02, 0};
    body.angular_velocity = dimensions == 2 ? Vec3d{0, 0, 1.2} : Vec3d{0.5, 0.3, 1.2};
    ParticleTable particles = populate(model, {body});
    for (Index i = 0; i < particles.size(); ++i) {
        const Vec3f x = particles.position[i] - centre;
        particles.velocity[i] += strain * Vec3f{x.x, -x.y, 0};
    }
    return {model, std::move(particles)};
}

void check_conservation(const Method& method, double viscosity, bool tension) {
    for (const int dimensions : {2, 3}) {
        Simulation sim = spinning(dimensions, method, viscosity, tension);
        const Ledger first = ledger(sim.particles());
        double pressed = 0;
        for (int k = 0; k < 1000; ++k) {
            sim.step(sim.clock().time + 0.001);
            for (const float p : sim.particles().pressure) pressed += p > 0;
        }
        const Ledger last = ledger(sim.particles());
        const double lost = norm(last.momentum - first.momentum) / first.motion,
                     slowed = norm(last.spin - first.spin) / norm(first.spin);
        INFO(std::string(method.name), ", ", dimensions, "D, ", sim.clock().time, " s: momentum off by ",
             lost, ", spin by ", slowed, "; under pressure: ", pressed / 1000 / sim.particles().size());
        CHECK(pressed > 0.02 * 1000 * sim.particles().size());
        CHECK(lost < 1e-6);
        CHECK(slowed < 1e-3);
    }
}

}  // namespace

// `laplacian` viscosity brakes a rotation (it drags along the whole difference of velocities), and surface
// tension by curvature has no pairs: these keep neither.
TEST_CASE("a spinning drop keeps its momentum and its spin") {
    for (const Method& method : methods) {
        const bool pairs_on_their_line = method.viscosity != ViscosityMethod::laplacian;
        check_conservation(method, pairs_on_their_line ? 0.1 : 0,
                           method.density == DensityMethod::continuity);
    }
}
