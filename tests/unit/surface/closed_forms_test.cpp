#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "clouds.h"

using namespace thixo;

namespace {

constexpr double pi = std::numbers::pi;

/// A body whose volume (m³) and area (m²) are known.
struct Form {
    const char* name;
    bool (*inside)(const Vec3d& x);
    double volume, area;
    bool has_edges;
};

constexpr Form forms[] = {
    {"sphere", [](const Vec3d& x) { return norm(x) < 1; }, 4 * pi / 3, 4 * pi, false},
    {"torus", [](const Vec3d& x) { return std::hypot(std::hypot(x.x, x.z) - 1, x.y) < 0.4; },
     2 * pi* pi * 0.16, 4 * pi* pi * 0.4, false},
    {"box", [](const Vec3d& x) { return std::abs(x.x) < 0.8 && std::abs(x.y) < 0.4 && std::abs(x.z) < 0.8; },
     1.6 * 0.8 * 1.6, 2 * (1.6 * 1.6 + 2 * 1.6 * 0.8), true},
};

constexpr int steps = 10;  // of smoothing

}  // namespace

TEST_CASE("volume and area of sphere, torus and box converge to those of the bodies") {
    for (const SurfaceMethod method : every_method)
        for (const Form& form : forms) {
            CAPTURE(static_cast<int>(method));
            CAPTURE(std::string(form.name));
            double area_error[3] = {};
            const int levels = form.has_edges ? 3 : 2;
            for (int level = 0; level < levels; ++level) {
                const double spacing = 0.2 / (1 << level);
                const Surface s = reconstruct({2}, lattice(spacing, 1.6, form.inside).view(), {},
                                              {.method = method, .smooth = steps}, spacing / 2, plenty);
                CHECK(s.report.components == 1);
                // What the lattice cuts off of the body is no fault of the surface; it is compared with the
                // particles' volume.
                CHECK(std::abs(s.report.volume / s.volume - 1) < 0.01);
                area_error[level] = 1 - s.report.area / form.area * std::pow(form.volume / s.volume, 2.0 / 3);
            }
            MESSAGE(std::string(form.name), ": area lacks ", area_error[0], " ", area_error[1], " ",
                    area_error[2]);
            if (!form.has_edges) {
                CHECK(std::abs(area_error[1]) < 0.01);
                continue;
            }
            // Kernels and steps of smoothing are of fixed lengths in spacings h: an edge is rounded to a
            // radius ∝ h and loses area ∝ h, a corner ∝ h². So the error is a h + b h² and more, its order
            // rises towards one, and without the first two terms (Richardson) hardly anything of it is left.
            const double order_coarse = std::log2(area_error[0] / area_error[1]),
                         order_fine = std::log2(area_error[1] / area_error[2]);
            const double limit = (area_error[0] - 6 * area_error[1] + 8 * area_error[2]) / 3;
            MESSAGE("orders ", order_coarse, " ", order_fine, ", in the limit ", limit);
            CHECK(order_fine > order_coarse);
            CHECK(order_fine > 0.75);
            CHECK(order_fine < 1.25);
            CHECK(std::abs(limit) < 0.01);
        }
}
