#include <doctest/doctest.h>

#include "elastic/implicit.h"
#include "unit/core/generators.h"
#include "unit/elastic/body.h"

using namespace thixo;

namespace {

/// A bar that was bent, spins and is pushed about.
struct Bent : Body {
    std::vector<Vec3f> free;  ///< accelerations by all forces
    ElasticMethods methods;

    explicit Bent(double error = 1e-5) : Body(jelly(), block_points(10, 4, 3), 3, implicit()) {
        methods.elasticity_error = error;
        deform([](const Vec3d& X) { return X + Vec3d{0.1 * X.y * X.x, 0.3 * X.x * X.x, 0.05 * X.x * X.y}; });
        for (Index i = 0; i < size(); ++i)
            particles.velocity[i] = cross(Vec3f{1, 2, 3}, particles.position[i]);
        free.assign(size(), {0, -9.81f, 0});
        elastic.add_forces(device, particles, free);
        for (Index i = 0; i < size(); i += 7) free[i].x += 50;
    }

    std::vector<Vec3f> solved(double dt) {
        ImplicitElasticity solver(methods);
        solver.begin(device, elastic, particles, free);
        std::vector<Vec3f> a = free;
        solver.solve(device, elastic, particles, dt, dt, a);
        CHECK(solver.iterations() < methods.elasticity_iterations);
        return a;
    }
};

struct Push {
    Vec3d force, torque;
};

Push total(const Bent& body, const std::vector<Vec3f>& a) {
    Push out;
    for (Index i = 0; i < body.size(); ++i) {
        const Vec3d f = body.particles.mass[i] * to_double(a[i]);
        out.force += f;
        out.torque += cross(to_double(body.particles.position[i]), f);
    }
    return out;
}

double length(const std::vector<Vec3f>& a) {
    double sum = 0;
    for (const Vec3f& v : a) sum += norm2(to_double(v));
    return std::sqrt(sum);
}

}  // namespace

TEST_CASE("implicit accelerations solve their equation") {
    Bent body;
    const double dt = 20 * body.stable_step();
    const std::vector<Vec3f> a = body.solved(dt);
    // M a + (α K) a + θ Δt K v − F is what is left; the rigid motion that is added for momentum's sake is in
    // it too.
    const View<const Index> row = body.elastic.rows();
    std::vector<Packed4> u(body.size());
    for (Index s = 0; s < body.size(); ++s) {
        const Vec3f x = static_cast<float>((0.25 + 0.05) * dt * dt) * a[row[s]] +
                        static_cast<float>(0.1 * dt) * body.particles.velocity[row[s]];
        u[s] = {x.x, x.y, x.z, 0};
    }
    std::vector<Vec3f> change(body.size()), left;
    body.elastic.apply_stiffness(body.device, 1, 0, u, change);
    for (Index s = 0; s < body.size(); ++s)
        left.push_back(body.free[row[s]] - a[row[s]] + change[s] / body.particles.mass[row[s]]);
    INFO("left ", length(left), " of ", length(body.free), ", solution ", length(a));
    CHECK(length(a) < 0.3 * length(body.free));
    CHECK(length(left) < 0.02 * length(body.free));
}

TEST_CASE("implicit accelerations keep momentum and angular momentum, however loosely they are solved for") {
    for (const double error : {1e-5, 0.1}) {
        Bent body(error);
        const double dt = 30 * body.stable_step();
        const Push before = total(body, body.free), after = total(body, body.solved(dt));
        CHECK(norm(after.force - before.force) < 1e-5 * norm(before.force));
        CHECK(norm(after.torque - before.torque) < 1e-4 * norm(before.torque));
    }
}

TEST_CASE("short steps are those of all forces") {
    Bent body;
    const std::vector<Vec3f> a = body.solved(1e-3 * body.stable_step());
    for (Index i = 0; i < body.size(); ++i) CHECK(norm(a[i] - body.free[i]) < 1e-3 * length(body.free));
}

TEST_CASE("held particles are left alone, and hold") {
    Bent body;
    for (Index i = 0; i < body.size(); ++i) {
        if (body.rest[i].x > 0.4) body.particles.kinematic_id[i] = 1;
        if (body.rest[i].x > 0.4) body.free[i] = {};
    }
    const std::vector<Vec3f> a = body.solved(20 * body.stable_step());
    for (Index i = 0; i < body.size(); ++i) CHECK((body.particles.kinematic_id[i] > 0) == (a[i] == Vec3f{}));
    CHECK(norm(total(body, a).force - total(body, body.free).force) >
          0.1 * norm(total(body, body.free).force));
}

TEST_CASE("implicit accelerations have the same bits on any number of threads") {
    std::vector<Vec3f> first;
    for (const int threads : {1, 2, 5}) {
        Bent body;
        body.device.threads = threads;
        const std::vector<Vec3f> a = body.solved(20 * body.stable_step());
        if (first.empty()) first = a;
        CHECK(a == first);
    }
}

TEST_CASE("forces of stretched and turned bodies change by no more than the linear operator says") {
    // Implicit steps of for_impulses() are stable up to 1.11 times of it.
    constexpr float h = 1e-3f;
    using enum SolidModel;
    struct Case {
        SolidModel model;
        StrainMeasure strain;
        int dimensions;
    };
    for (const Case c : {Case{green, StrainMeasure::green, 3}, Case{corotated, StrainMeasure::linear, 3},
                         Case{corotated, StrainMeasure::green, 3}, Case{corotated, StrainMeasure::green, 2},
                         Case{mls, StrainMeasure::green, 3}, Case{corrected, StrainMeasure::linear, 3},
                         Case{corrected, StrainMeasure::green, 3}}) {
        CAPTURE(static_cast<int>(c.model));
        Material material = jelly(c.model, c.strain);
        material.solid.damping = 1;
        Body body(material, block_points(5, 5, c.dimensions == 2 ? 1 : 5), c.dimensions, Body::implicit());
        const double turn = c.model == green ? 0 : 0.8;  // turned in implicit runs alone
        body.deform([&](const Vec3d& x) {
            return rotation_about({0, 0, 1}, turn) * Vec3d{1.3 * x.x, 0.9 * x.y, 0.9 * x.z};
        });
        const std::vector<Vec3d> at_rest = body.forces();
        const View<const Index> row = body.elastic.rows();
        Stream random(9);
        for (int k = 0; k < 6; ++k) {
            std::vector<Packed4> u(body.size());
            for (Index s = 0; s < body.size(); ++s) {
                const Vec3d& x = body.rest[row[s]];
                const Vec3f p = random.point(-1, 1);
                u[s] = k < 3 ? Packed4{p.x, p.y, c.dimensions == 2 ? 0 : p.z, 0}
                             : Packed4{float(x.x) * p.x, float(k == 4 ? x.x : x.y), 0, 0};
            }
            const auto against = [&](double by, const auto& force) {
                double sum = 0;
                for (Index s = 0; s < body.size(); ++s)
                    sum -= dot(Vec3d{u[s].x, u[s].y, u[s].z}, force(s)) * by;
                return sum;
            };
            std::vector<Vec3f> stiff(body.size()), damped(body.size());
            body.elastic.apply_stiffness(body.device, 1, 0, u, stiff);
            body.elastic.apply_stiffness(body.device, 0, 1, u, damped);
            const std::vector<Vec3f> before = body.particles.position;
            const auto change = [&](std::vector<Vec3f>& of) {
                for (Index s = 0; s < body.size(); ++s) of[row[s]] += Vec3f{u[s].x, u[s].y, u[s].z} * h;
                std::vector<Vec3d> out = body.forces();
                for (Index i = 0; i < body.size(); ++i) out[i] = out[i] - at_rest[i];
                return out;
            };
            const std::vector<Vec3d> by_motion = change(body.particles.velocity);
            std::fill(body.particles.velocity.begin(), body.particles.velocity.end(), Vec3f{});
            const std::vector<Vec3d> by_way = change(body.particles.position);
            body.particles.position = before;
            body.forces();
            CHECK(against(1 / double{h}, [&](Index s) { return by_way[row[s]]; }) <
                  1.11 * against(1, [&](Index s) { return to_double(stiff[s]); }));
            CHECK(against(1 / double{h}, [&](Index s) { return by_motion[row[s]]; }) <
                  1.11 * against(1, [&](Index s) { return to_double(damped[s]); }));
        }
    }
}
