#include "surface/field.h"

#include <doctest/doctest.h>

#include <cmath>

#include "clouds.h"
#include "surface/stretch_eigenvalue.h"

using namespace thixo;

namespace {

/// G = ∂x̄/∂x at the origin for kernels (1 − q²)³ of support 1, as the field computes it.
Mat3f stretch(const std::vector<Vec3f>& points) {
    float s = 0;
    Vec3f mean{}, g{};
    Mat3f m{};
    for (const Vec3f& d : points) {
        const float u = 1 - norm2(d);
        if (u <= 0) continue;
        s += u * u * u;
        mean += (u * u * u) * d;
        g += (6 * u * u) * d;
        m += outer((6 * u * u) * d, d);
    }
    return (m - outer(mean / s, g)) * (1 / s);
}

/// φ of the grid at a point that is a node, and of the outside where none is stored.
float at_node(const SurfaceField& field, int x, int y, int z) {
    for (Index b = 0; b < field.grid.size(); ++b) {
        const BlockPlace& p = field.grid.place(b);
        const int i = x - 8 * p.x, j = y - 8 * p.y, k = z - 8 * p.z;
        if (i >= 0 && j >= 0 && k >= 0 && i < 8 && j < 8 && k < 8) return field.block(b)[(k * 8 + j) * 8 + i];
    }
    return field.outside;
}

}  // namespace

TEST_CASE("the largest eigenvalue between two particles [notes 2.8]") {
    CHECK(largest_real_eigenvalue(stretch({{0.01f, 0, 0}})) == doctest::Approx(0).epsilon(1e-3));
    for (const auto& [distance, expected] :
         {std::pair{0.4f, 0.25f}, std::pair{0.8f, 1.143f}, std::pair{1.0f, 2.0f}, std::pair{1.5f, 7.714f}}) {
        const Mat3f g = stretch({{distance / 2, 0, 0}, {-distance / 2, 0, 0}});
        CHECK(largest_real_eigenvalue(g) == doctest::Approx(expected).epsilon(2e-3));
    }
}

TEST_CASE("the largest eigenvalue of matrices with known ones, real and complex") {
    CHECK(largest_real_eigenvalue(diagonal(3.f, -5.f, 1.f)) == doctest::Approx(3));
    CHECK(largest_real_eigenvalue(identity<float>()) == doctest::Approx(1));
    CHECK(largest_real_eigenvalue(Mat3f{}) == doctest::Approx(0));
    // A rotation by 90° about z, twice as strong: 2i, −2i, and 0.5.
    CHECK(largest_real_eigenvalue({{0, -2, 0}, {2, 0, 0}, {0, 0, 0.5f}}) == doctest::Approx(0.5));
    CHECK(largest_real_eigenvalue({{1, -2, 0}, {2, 1, 0}, {0, 0, 0.5f}}) == doctest::Approx(1));
}

TEST_CASE("f is 1 where means move little, 0 where they jump, and never below") {
    CHECK(solenthaler_factor(0.3f) == 1);
    CHECK(solenthaler_factor(0.8f) == doctest::Approx(0.984).epsilon(1e-3));
    CHECK(solenthaler_factor(2) == 0);
    CHECK(solenthaler_factor(7) == 0);
}

TEST_CASE("fields are the sums they claim to be, at every node") {
    Cloud cloud;
    for (std::uint64_t i = 0; i < 40; ++i)
        cloud.add({6 * uniform(4 * i) - 3, 6 * uniform(4 * i + 1) - 3, 6 * uniform(4 * i + 2) - 3},
                  0.3 + 0.5 * uniform(4 * i + 3));
    constexpr double cell = 0.37;
    const FieldParticles p = prepare_particles({1}, cloud.view(), SurfaceMethod::density);
    const SurfaceField density = make_field({1}, p, SurfaceMethod::density, cell, plenty);
    const SurfaceField mean = make_field({1}, p, SurfaceMethod::zhu_bridson, cell, plenty);
    const float scale = density.outside / iso_filling;
    for (int z = -20; z < 20; z += 3)
        for (int y = -20; y < 20; y += 3)
            for (int x = -20; x < 20; ++x) {
                const Vec3d node = cell * Vec3d{double(x), double(y), double(z)};
                double sum = 0, weights = 0, sizes = 0;
                Vec3d center{};
                for (std::size_t i = 0; i < p.position.size(); ++i) {
                    const Vec3d d = to_double(p.position[i]) - node;
                    const double r = p.radius[i], u = std::max(0.0, 1 - norm2(d) / (16 * r * r));
                    sum +=
                        315 / (64 * 3.14159265) * p.volume[i] / p.filling[i] / std::pow(4 * r, 3) * u * u * u;
                    const double w = std::pow(std::max(0.0, 1 - norm2(d) / (25 * r * r)), 3);
                    weights += w;
                    center += w * d;
                    sizes += w * 1.24 * r;
                }
                CHECK(at_node(density, x, y, z) / scale == doctest::Approx(0.5 - sum).epsilon(1e-3));
                if (weights > 1e-6)
                    CHECK(at_node(mean, x, y, z) ==
                          doctest::Approx((norm(center) - sizes) / weights).epsilon(2e-3));
            }
}

TEST_CASE("a node that is reached has all cells around it in stored blocks") {
    Cloud cloud;
    for (std::uint64_t i = 0; i < 30; ++i)
        cloud.add({20 * uniform(4 * i), 20 * uniform(4 * i + 1), 20 * uniform(4 * i + 2)},
                  0.1 + uniform(4 * i + 3));
    const FieldParticles p = prepare_particles({1}, cloud.view(), SurfaceMethod::density);
    const SurfaceField field = make_field({1}, p, SurfaceMethod::density, 0.3, plenty);
    for (Index b = 0; b < field.grid.size(); ++b)
        for (int k = 0; k < 8; ++k)
            for (int j = 0; j < 8; ++j)
                for (int i = 0; i < 8; ++i)
                    if (field.block(b)[(k * 8 + j) * 8 + i] != field.outside)
                        CHECK(field.grid.neighbour(b, i == 0 ? -1 : 0, j == 0 ? -1 : 0, k == 0 ? -1 : 0) !=
                              no_block);
}

TEST_CASE("anisotropic kernels are flat along a sheet and round inside") {
    Cloud sheet;
    for (int j = -8; j <= 8; ++j)
        for (int i = -8; i <= 8; ++i) sheet.add({0.1 * i, 0.1 * j, 0}, 0.05);
    const FieldParticles p = prepare_particles({1}, sheet.view(), SurfaceMethod::anisotropic);
    for (std::size_t i = 0; i < p.position.size(); ++i) {
        if (norm(p.position[i]) > 0.2f) continue;
        CHECK(p.metric[i].zz / p.metric[i].xx == doctest::Approx(9).epsilon(0.1));
        CHECK(std::abs(p.metric[i].xz) < 0.1f * p.metric[i].xx);
    }
    const Cloud cube = lattice(0.1, 0.6, [](const Vec3d&) { return true; });
    const FieldParticles q = prepare_particles({1}, cube.view(), SurfaceMethod::anisotropic);
    for (std::size_t i = 0; i < q.position.size(); ++i) {
        if (norm(q.position[i]) > 0.2f) continue;
        CHECK(q.metric[i].zz / q.metric[i].xx == doctest::Approx(1).epsilon(0.02));
        CHECK(q.metric[i].xx * 0.0625 == doctest::Approx(1).epsilon(0.2));
    }
}
