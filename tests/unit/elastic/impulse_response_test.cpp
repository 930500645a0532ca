#include <doctest/doctest.h>

#include "elastic/implicit.h"
#include "elastic/impulse_response.h"
#include "unit/elastic/body.h"

using namespace thixo;

namespace {

/// A bent bar at rest, and impulses on a few of its particles.
struct Struck : Body {
    ElasticMethods methods;
    ImpulseResponse response{methods, ImplicitElasticity::for_impulses()};
    std::vector<Vec3f> impulse;  ///< N s, by elastic index

    explicit Struck(double steps) : Body(jelly(), block_points(10, 4, 3), 3, implicit()) {
        deform([](const Vec3d& X) { return X + Vec3d{0.1 * X.y * X.x, 0.3 * X.x * X.x, 0.05 * X.x * X.y}; });
        std::vector<Vec3f> a(size());
        elastic.add_forces(device, particles, a);
        impulse.resize(size());
        for (Index s = 0; s < size(); s += 11) impulse[s] = {0.1f * static_cast<float>(s % 3), 1, -0.5f};
        response.begin(device, elastic, particles, steps * stable_step());
    }

    /// Strikes, and lets it answer a number of times.
    void strike(int answers) {
        for (Index s = 0; s < size(); ++s) response.impulses()[s] += impulse[s];
        for (int k = 0; k < answers; ++k) response.answer(device, elastic);
    }
};

}  // namespace

TEST_CASE(
    "a body answers impulses with their momentum and angular momentum, and with less energy than free "
    "particles") {
    for (const double steps : {0.5, 10., 50.}) {
        Struck body(steps);
        body.strike(1);
        Vec3d momentum, spin, given, given_spin;
        double energy = 0, free_energy = 0, work = 0;
        const View<const Index> row = body.elastic.rows();
        for (Index s = 0; s < body.size(); ++s) {
            const Vec3d x = to_double(body.particles.position[row[s]]),
                        v = to_double(body.response.velocity(s)), p = to_double(body.impulse[s]);
            const double m = body.response.mass(s);
            momentum += m * v;
            spin += cross(x, m * v);
            given += p;
            given_spin += cross(x, p);
            energy += 0.5 * m * norm2(v);
            free_energy += 0.5 * norm2(p) / m;
            work += 0.5 * dot(p, v);
        }
        INFO(steps, " explicit steps: energy ", energy, " of ", free_energy);
        CHECK(norm(momentum - given) < 1e-5 * norm(given));
        CHECK(norm(spin - given_spin) < 1e-5 * norm(given_spin));
        CHECK(energy < free_energy);
        // ½ pᵀ(M + αK)⁻¹p is positive, and below what free particles take: both are what makes Jacobi's steps
        // safe.
        CHECK(work > 0);
        CHECK(work < free_energy);
        if (steps >= 10) CHECK(energy < 0.5 * free_energy);
    }
}

TEST_CASE("answers continue from the last one until the equation holds") {
    Struck body(20);
    body.strike(40);
    // (M + αK) Δv = p, but for the rigid motion that keeps momentum.
    const double dt = 20 * body.stable_step(), alpha = ImplicitElasticity::for_impulses().response * dt * dt;
    std::vector<Packed4> u(body.size());
    for (Index s = 0; s < body.size(); ++s) u[s] = packed(body.response.velocity(s));
    std::vector<Vec3f> pull(body.size());
    body.elastic.apply_stiffness(body.device, alpha, 0, u, pull);
    double left = 0, all = 0;
    for (Index s = 0; s < body.size(); ++s) {
        const float m = body.response.mass(s);
        left += norm2(to_double(body.impulse[s] + pull[s] - m * body.response.velocity(s))) / m;
        all += norm2(to_double(body.impulse[s])) / m;
    }
    INFO("left ", std::sqrt(left / all));
    CHECK(std::sqrt(left / all) < 0.02);
}
