#include <doctest/doctest.h>

#include <cmath>

#include "foam/diffuse.h"
#include "foam/potentials.h"

using namespace thixo;

namespace {

constexpr float radius = 0.05f, support = 4 * radius;

LiquidFrame liquid_of(std::vector<Vec3f> position, std::vector<Vec3f> velocity) {
    LiquidFrame frame{{}, std::move(position), std::move(velocity), {}};
    for (std::size_t i = 0; i < frame.position.size(); ++i) frame.id.push_back(static_cast<std::uint32_t>(i));
    frame.radius.assign(frame.position.size(), radius);
    return frame;
}

/// Particles of a cubic lattice for which inside(x) holds, all with one velocity.
template <class Inside>
LiquidFrame lattice(int n, const Vec3f& velocity, const Inside& inside) {
    std::vector<Vec3f> position;
    for (int k = -n; k <= n; ++k)
        for (int j = -n; j <= n; ++j)
            for (int i = -n; i <= n; ++i) {
                const Vec3f x =
                    2 * radius * Vec3f{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)};
                if (inside(x)) position.push_back(x);
            }
    std::vector<Vec3f> velocities(position.size(), velocity);
    return liquid_of(std::move(position), std::move(velocities));
}

bool everywhere(const Vec3f&) { return true; }

/// Without sources: what is there moves.
FoamSettings none_made() {
    FoamSettings settings;
    settings.trapped_air = settings.wave_crests = 0;
    return settings;
}

DiffuseParticles one_at(const Vec3f& x, const Vec3f& v, float life = 1) {
    return {{x}, {v}, {0}, {0.01f}, {life}, {DiffuseKind::foam}};
}

FoamSources sources_of(LiquidFrame frame) { return foam_sources({}, Liquid({}, std::move(frame), 3)); }

}  // namespace

TEST_CASE("trapped air is the closing speed of a pair, weighted: twice head-on, once sidewards, none apart") {
    const float d = 0.12f, w = 1 - d / support, u = 3;
    const auto air = [&](const Vec3f& va, const Vec3f& vb) {
        return sources_of(liquid_of({{0, 0, 0}, {d, 0, 0}}, {va, vb})).trapped_air[0];
    };
    CHECK(air({u / 2, 0, 0}, {-u / 2, 0, 0}) == doctest::Approx(2 * u * w).epsilon(1e-5));
    CHECK(air({0, u / 2, 0}, {0, -u / 2, 0}) == doctest::Approx(u * w).epsilon(1e-5));
    CHECK(air({-u / 2, 0, 0}, {u / 2, 0, 0}) == doctest::Approx(0).epsilon(1e-5));
    CHECK(air({u, u, u}, {u, u, u}) == 0);
    CHECK(air({u, 0, 0}, {u, 0, 0}) == 0);
}

TEST_CASE("normals are those of the surface, and inside there are none") {
    const Liquid half({}, lattice(6, {}, [](const Vec3f& x) { return x.y < 0.01f; }), 3);
    const std::vector<Vec3f> normals = surface_normals({}, half);
    int top = 0, inner = 0;
    for (Index i = 0; i < half.size(); ++i) {
        const Vec3f& x = half.rows().position[i];
        if (std::max(std::abs(x.x), std::abs(x.z)) > 0.35f || x.y < -0.35f) continue;
        if (x.y > -0.01f) {
            ++top;
            CHECK(norm(normals[i] - Vec3f{0, 1, 0}) < 1e-4f);
        } else {
            ++inner;
            CHECK(norm(normals[i]) == 0);
        }
    }
    CHECK(top > 20);
    CHECK(inner > 60);
}

TEST_CASE(
    "a flat surface that moves outward has no crest, a ridge has one, and none where it moves along itself") {
    const auto largest = [](const LiquidFrame& frame) {
        const Liquid liquid({}, frame, 3);
        const FoamSources sources = foam_sources({}, liquid);
        float most = 0;
        for (Index i = 0; i < liquid.size(); ++i) {
            const Vec3f& x = liquid.rows().position[i];
            if (std::max({std::abs(x.x), std::abs(x.z)}) < 0.3f && x.y > -0.3f)
                most = std::max(most, sources.crest[i]);
        }
        return most;
    };
    const auto flat = [](const Vec3f& x) { return x.y < 0.01f; };
    const auto ridge = [](const Vec3f& x) { return x.y < 0.01f - std::abs(x.x); };
    CHECK(largest(lattice(7, {0, 1, 0}, flat)) < 1e-3f);
    // Neighbours down both slopes, at (±1, −1, 0) and (±1, −1, ±1) spacings, with the normals of the slopes.
    const double slopes = (1 - std::sqrt(0.5)) * (2 * (1 - std::sqrt(2.) / 2) + 4 * (1 - std::sqrt(3.) / 2));
    CHECK(largest(lattice(7, {0, 1, 0}, ridge)) == doctest::Approx(slopes).epsilon(1e-4));
    CHECK(largest(lattice(7, {0, 0, 1}, ridge)) == 0);
    CHECK(largest(lattice(7, {0, -1, 0}, ridge)) == 0);
}

TEST_CASE(
    "potentials are 0 below their range, 1 above, linear in between; the strength is their product with the "
    "energy") {
    CHECK(FoamRange{2, 6}.potential(1) == 0);
    CHECK(FoamRange{2, 6}.potential(3) == doctest::Approx(0.25));
    CHECK(FoamRange{2, 6}.potential(7) == 1);
    CHECK(FoamRange{2, 6}.potential(std::nan("")) == 0);
    FoamSettings s;
    s.trapped_air = 30;
    s.wave_crests = 10;
    s.air_range = {0, 4};
    s.crest_range = {0, 2};
    s.energy_range = {0, 1};
    s.speed = 2;
    const FoamSources sources{{4.f}, {0.5f}, {1.f}};  // I_ta = 2/4, I_wc = 1/4, I_k = 1/2
    CHECK(source_strength(sources, 0, s) == doctest::Approx(0.5 * (30 * 0.5 + 10 * 0.25) / 40));
}

TEST_CASE("as many are made as the rate says, on the way of their particle and within its radius") {
    FoamSettings s;
    s.trapped_air = 25;
    s.wave_crests = 0;
    s.air_range = {-1, -0.5};  // everywhere
    s.energy_range = {-1, -0.5};
    const Vec3f v{0, 0, 2};
    const Liquid liquid({}, lattice(9, v, everywhere), 3);  // 6,859 particles
    Foam foam(s, {});
    const double dt = 0.01;  // 0.25 of each
    foam.emit({}, liquid, 1, dt);
    // Binomial: 6,859 × 0.25 = 1,715 with a standard deviation of 36.
    CHECK(std::abs(static_cast<double>(foam.particles().size()) - 1714.75) < 5 * 36);
    CHECK(foam.made() == foam.particles().size());
    for (std::size_t i = 0; i < foam.particles().size(); ++i) {
        const Vec3f x = foam.particles().position[i];
        float nearest = 1;
        for (const Vec3f& y : liquid.rows().position) {
            const Vec3f d = x - y;
            if (d.z > -1e-5f && d.z < dt * 2 + 1e-5) nearest = std::min(nearest, norm(Vec3f{d.x, d.y, 0}));
        }
        REQUIRE(nearest < radius * 1.0001f);
    }
    Foam other(s, {});
    other.emit({.threads = 2}, liquid, 1, dt);
    CHECK(other.particles().position == foam.particles().position);
    CHECK(other.particles().id == foam.particles().id);
}

TEST_CASE("spray is in free fall, whatever the step") {
    for (const int steps : {1, 7, 40}) {
        Foam foam(none_made(), {});
        foam.resume(one_at({0, 5, 0}, {1, 2, 3}), 1);
        const Liquid far({}, lattice(2, {}, everywhere), 3);
        const double t = 0.6;
        for (int k = 0; k < steps; ++k) foam.move({}, far, t / steps);
        const Vec3f x = foam.particles().position[0], v = foam.particles().velocity[0];
        CHECK(foam.particles().kind[0] == DiffuseKind::spray);
        CHECK(x.x == doctest::Approx(0.6));
        CHECK(x.y == doctest::Approx(5 + 2 * t - 0.5 * 9.81 * t * t).epsilon(1e-5));
        CHECK(x.z == doctest::Approx(1.8));
        CHECK(v.y == doctest::Approx(2 - 9.81 * t).epsilon(1e-5));
        CHECK(foam.particles().life[0] == 1);
    }
}

TEST_CASE(
    "a bubble begins to rise at 2 g and ends at its rise speed, relative to the liquid, whatever the step") {
    FoamSettings s = none_made();
    s.rise_speed = 0.2;
    const Vec3f stream{0.3f, 0, 0};
    const Liquid liquid({}, lattice(8, stream, everywhere), 3);
    const double rate = 2 * 9.81 / 0.2;
    for (const int steps : {1, 5, 30}) {
        Foam foam(s, {});
        foam.resume(one_at({0.01f, 0.02f, 0}, stream), 1);
        const double t = 0.02;
        for (int k = 0; k < steps; ++k) foam.move({}, liquid, t / steps);
        CHECK(foam.particles().kind[0] == DiffuseKind::bubble);
        const double v = 0.2 * (1 - std::exp(-rate * t)), y = 0.2 * (t - (1 - std::exp(-rate * t)) / rate);
        CHECK(foam.particles().velocity[0].y == doctest::Approx(v).epsilon(1e-4));
        CHECK(foam.particles().position[0].y - 0.02 == doctest::Approx(y).epsilon(1e-3));
        CHECK(foam.particles().velocity[0].x == doctest::Approx(0.3).epsilon(1e-4));
        CHECK(foam.particles().life[0] == 1);
    }
}

TEST_CASE("foam goes with the liquid until its life ends") {
    const Vec3f stream{0.1f, 0, 0.2f};
    const LiquidFrame half = lattice(6, stream, [](const Vec3f& x) { return x.y < 0.01f; });
    LiquidFrame later = half;
    for (Vec3f& x : later.position) x += 0.5f * stream;
    const float above = 1.2f * radius;  // of the layer: half of the support is in the liquid
    Foam foam(none_made(), {});
    foam.resume(one_at({0, above, 0}, {5, 5, 5}, 0.6f), 1);
    foam.advance({}, half, later, 0, 0, 0.5);
    REQUIRE(foam.particles().size() == 1);
    CHECK(foam.particles().kind[0] == DiffuseKind::foam);
    CHECK(norm(foam.particles().position[0] - Vec3f{0.05f, above, 0.1f}) < 1e-4f);
    CHECK(foam.particles().life[0] == doctest::Approx(0.1).epsilon(1e-3));
    LiquidFrame last = later;
    for (Vec3f& x : last.position) x += 0.5f * stream;
    foam.advance({}, later, last, 1, 0.5, 0.5);
    CHECK(foam.particles().size() == 0);
}

TEST_CASE("liquids between frames follow the cubic of both places and velocities") {
    // x = t³ over two seconds
    const LiquidFrame a = liquid_of({{1, 0, 0}}, {{3, 0, 0}}), b = liquid_of({{27, 0, 0}}, {{27, 0, 0}});
    for (const double u : {0., 0.25, 0.5, 0.9, 1.}) {
        const double t = 1 + 2 * u;
        const LiquidFrame at = between({}, a, b, 2, u);
        CHECK(at.position[0].x == doctest::Approx(t * t * t).epsilon(1e-5));
        CHECK(at.velocity[0].x == doctest::Approx(3 * t * t).epsilon(1e-5));
    }
    LiquidFrame gone = b;
    gone.id[0] = 7;
    CHECK(between({}, a, gone, 2, 0.5).position[0].x == doctest::Approx(4));
}

TEST_CASE("nothing gets through a wall, and what is far away leaves") {
    FoamScene scene;
    scene.obstacles = [](double) {
        return std::vector<FoamObstacle>{{Shape(Plane{{0, -0.6, 0}, {0, 1, 0}}), false, {}}};
    };
    Foam foam(none_made(), scene);
    foam.resume(one_at({0.6f, 0.8f, 0}, {0, -4, 0}), 1);
    const LiquidFrame liquid = lattice(2, {}, everywhere);
    for (int frame = 0; frame < 20; ++frame) foam.advance({}, liquid, liquid, frame, 0.1 * frame, 0.1);
    REQUIRE(foam.particles().size() == 1);
    CHECK(foam.particles().position[0].y >= -0.6f);
    Foam open(none_made(), {});
    open.resume(one_at({0.6f, 0.8f, 0}, {0, -4, 0}), 1);
    for (int frame = 0; frame < 20; ++frame) open.advance({}, liquid, liquid, frame, 0.1 * frame, 0.1);
    CHECK(open.particles().size() == 0);
}
