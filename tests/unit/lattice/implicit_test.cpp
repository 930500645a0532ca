#include <doctest/doctest.h>

#include "lattice/implicit_lattice.h"
#include "unit/lattice/crystal.h"

using namespace thixo;

namespace {

/// A crystal whose steps are implicit, and its stiffness.
struct StiffCrystal : Crystal {
    explicit StiffCrystal(int dims, double damping = 0)
        : Crystal(crystal(dims, damping), block_points(dims, dims == 2 ? 4 : 2), dims, identity<double>(), {},
                  1, true) {}

    /// m/s², with the lattice around the positions as they are; rows keep their order.
    std::vector<Vec3f> settle() {
        solids.dock(device, particles, 0, 0);
        solids.dock(device, particles, 0, 0);
        std::vector<Vec3f> a(size());
        solids.add_forces(device, particles, a);
        return a;
    }

    std::vector<Vec3f> random(std::uint64_t seed) const {
        std::vector<Vec3f> out;
        for (Index i = 0; i < size(); ++i) {
            const auto words = random_words(seed, particles.id[i], 0, Purpose::test);
            const auto number = [&](int k) { return 2 * to_unit(words[k]) - 1; };
            out.push_back({number(0), number(1), dimensions == 2 ? 0 : number(2)});
        }
        return out;
    }

    /// K u, or C u, of displacements by row.
    std::vector<Vec3f> product(double a, double b, const std::vector<Vec3f>& u) {
        std::vector<Packed4> records(size());
        const View<const Index> row = solids.rows();
        for (Index s = 0; s < size(); ++s) records[s] = record_with(u[row[s]]);
        const LatticeResponseForces forces = solids.respond_linearly(device, a, b, records);
        std::vector<Vec3f> out(size());
        for (Index s = 0; s < size(); ++s) out[row[s]] = Vec3f{} - forces.force(s);
        return out;
    }
};

double dot_of(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(to_double(a[i]), to_double(b[i]));
    return sum;
}

}  // namespace

TEST_CASE("the stiffness of a lattice is symmetric, never negative, and does not see rigid motions") {
    for (const int d : {2, 3}) {
        StiffCrystal body(d);
        body.settle();
        const double omega_z = 0.7;
        std::vector<Vec3f> rigid;
        for (const Vec3f& x : body.particles.position)
            rigid.push_back(to_float(Vec3d{1, 2, 0} + cross(Vec3d{0, 0, omega_z}, to_double(x))));
        const double scale = dot_of(rigid, rigid);
        CHECK(largest(body.product(1, 0, rigid)) < 1e-5 * std::sqrt(scale));
        // With neighbours displaced at random, and some of them not docked both ways.
        body.jitter(0.25f);
        body.settle();
        for (std::uint64_t seed = 1; seed < 20; ++seed) {
            const std::vector<Vec3f> u = body.random(seed), w = body.random(seed + 100);
            const std::vector<Vec3f> ku = body.product(1, 0, u), kw = body.product(1, 0, w);
            const double size = std::sqrt(dot_of(ku, ku) * dot_of(w, w));
            CHECK(std::abs(dot_of(w, ku) - dot_of(u, kw)) < 1e-5 * size);
            CHECK(dot_of(u, ku) >= -1e-5 * size);
        }
    }
}

TEST_CASE("the stiffness of a lattice is no less than how its forces change, pressed or not") {
    for (const int d : {2, 3}) {
        for (const double stretch : {1.0, 1.03, 0.97, 0.93}) {
            StiffCrystal body(d);
            body.deform([&](const Vec3d& x) { return x * stretch; });
            body.settle();
            const std::vector<Vec3f> places = body.particles.position;
            double most = 0;
            for (std::uint64_t seed = 1; seed < 12; ++seed) {
                // Random displacements have short waves mostly; averaged over neighbours they have longer
                // ones.
                std::vector<Vec3f> u = body.random(seed);
                for (std::uint64_t k = 0; k < seed % 4; ++k) {
                    const std::vector<Vec3f> ku = body.product(1, 0, u);
                    for (Index i = 0; i < body.size(); ++i) u[i] -= (d == 2 ? 0.1f : 0.05f) * ku[i];
                }
                const std::vector<Vec3f> ku = body.product(1, 0, u);
                constexpr float e = 2e-3f;
                const auto forces_at = [&](float step) {
                    for (Index i = 0; i < body.size(); ++i)
                        body.particles.position[i] = places[i] + step * u[i];
                    return body.settle();
                };
                const std::vector<Vec3f> ahead = forces_at(e), behind = forces_at(-e);
                std::vector<Vec3f> change;
                for (Index i = 0; i < body.size(); ++i) change.push_back((behind[i] - ahead[i]) / (2 * e));
                most = std::max(most, dot_of(u, change) / dot_of(u, ku));
                for (Index i = 0; i < body.size(); ++i) body.particles.position[i] = places[i];
                body.settle();
            }
            INFO(d, "D, stretched to ", stretch, ": at most ", most, " of it");
            CHECK(most < 1.2);  // what is pressed has a stiffness of its pressure as well
            CHECK(most > 0.3);
        }
    }
}

TEST_CASE("implicit accelerations of lattices keep momentum and angular momentum") {
    for (const double error : {1e-5, 0.1}) {
        StiffCrystal body(3, 0.1);
        body.deform([](const Vec3d& x) { return x + Vec3d{0.02 * x.y * x.x, 0.03 * x.x * x.x, 0.01 * x.y}; });
        body.spin({0.1, 0.2, 0.3});
        std::vector<Vec3f> free = body.settle();
        std::vector<Vec3f> outside(body.size());
        for (Index i = 0; i < body.size(); i += 7) {
            free[i].x += 1;
            outside[i].x = 1;
        }
        ImplicitLattice solver(error, 100, {0.44, 0.33});
        solver.begin(body.device, body.solids, body.particles, free, outside);
        std::vector<Vec3f> a = free;
        solver.solve(body.device, body.solids, body.particles, 10, 10, a);
        CHECK(solver.iterations() < 100);
        Vec3d force{}, torque{}, force_before{}, torque_before{};
        for (Index i = 0; i < body.size(); ++i) {
            const Vec3d x = to_double(body.particles.position[i]);
            force += to_double(a[i]);
            torque += cross(x, to_double(a[i]));
            force_before += to_double(free[i]);
            torque_before += cross(x, to_double(free[i]));
        }
        INFO(solver.iterations(), " iterations");
        CHECK(norm(force - force_before) < 1e-5 * norm(force_before));
        CHECK(norm(torque - torque_before) < 1e-4 * norm(torque_before));
        CHECK(dot_of(a, a) < 0.5 * dot_of(free, free));
    }
}

TEST_CASE("lattices answer impulses with their momentum, the same bits on any number of threads") {
    std::vector<Vec3f> first;
    for (const int threads : {1, 2, 5}) {
        StiffCrystal body(3, 0.1);
        body.device.threads = threads;
        body.settle();
        LatticeResponse response(100, {0.44, 0.33});
        response.begin(body.device, body.solids, body.particles, 10);
        response.impulses()[3] += Vec3f{1, 0, 0};
        for (int k = 0; k < 20; ++k) response.answer(body.device, body.solids);
        response.write(body.device, body.solids, body.particles);
        CHECK(body.momentum().x == doctest::Approx(1).epsilon(1e-5));
        CHECK(norm(body.particles.velocity[body.solids.rows()[3]]) < 0.2);
        if (first.empty()) first = body.particles.velocity;
        CHECK(first == body.particles.velocity);
    }
}
