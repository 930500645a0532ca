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
    double edges;  ///< m, length of its sharp edges
};

constexpr Form forms[] = {
    {"sphere", [](const Vec3d& x) { return norm(x) < 1; }, 4 * pi / 3, 4 * pi, 0},
    {"torus", [](const Vec3d& x) { return std::hypot(std::hypot(x.x, x.z) - 1, x.y) < 0.4; },
     2 * pi* pi * 0.16, 4 * pi* pi * 0.4},
    {"box", [](const Vec3d& x) { return std::abs(x.x) < 0.8 && std::abs(x.y) < 0.4 && std::abs(x.z) < 0.8; },
     1.6 * 0.8 * 1.6, 2 * (1.6 * 1.6 + 2 * 1.6 * 0.8), 8 * 1.6 + 4 * 0.8},
};

constexpr int steps = 10;  // of smoothing

double mean_square_edge_of(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const SurfaceMesh::Corners& t : mesh.triangles)
        for (std::size_t c = 0; c < 3; ++c)
            sum += double{norm2(mesh.vertices[t[c]] - mesh.vertices[t[(c + 1) % 3]])};
    return sum / (3 * static_cast<double>(mesh.triangles.size()));
}

/// The most area that a right-angled edge loses, m² for each metre of it. A surface at the middle of a wedge that is smoothed by a Gaussian of
/// width σ is shorter than the wedge by 0.842 σ (the curve Φ(x/σ) Φ(y/σ) = ½); one that diffuses along itself loses less, 0.628 σ. The field is
/// smoothed by kernels (1 − q²)³ of at most 2.5 spacings, whose variance along an axis is H²/11. A step of smoothing moves a vertex to
/// the mean of its neighbours: half of their mean square distance is added to the variance along each of the two directions of the surface.
double edge_loss(double mean_square_edge, double spacing) {
    const double kernel = 2.5 * spacing;
    return 0.842 * std::sqrt(kernel * kernel / 11 + steps * mean_square_edge / 2);
}

}  // namespace

TEST_CASE("volume and area of sphere, torus and box converge to those of the bodies") {
    for (const SurfaceMethod method : every_method)
        for (const Form& form : forms) {
            CAPTURE(static_cast<int>(method));
            CAPTURE(std::string(form.name));
            double volume_error[2] = {}, area_error[2] = {}, mean_square_edge = 0;
            for (const int level : {0, 1}) {
                const double spacing = level == 0 ? 0.2 : 0.1;
                const Surface s = reconstruct({2}, lattice(spacing, 1.6, form.inside).view(), {},
                                              {.method = method, .smooth = steps}, spacing / 2, plenty);
                mean_square_edge = mean_square_edge_of(s.mesh);
                CHECK(s.report.components == 1);
                // What the lattice cuts off of the body is no fault of the surface; it is compared with the particles' volume.
                volume_error[level] = std::abs(s.report.volume / s.volume - 1);
                area_error[level] =
                    std::abs(s.report.area / form.area * std::pow(form.volume / s.volume, 2.0 / 3) - 1);
            }
            MESSAGE(std::string(form.name), ": volume ", volume_error[0], " ", volume_error[1], ", area ",
                    area_error[0], " ", area_error[1]);
            CHECK(volume_error[0] < 0.01);
            CHECK(volume_error[1] < 0.01);
            // Bumps and rounded edges are of the size of the spacing: to first order.
            CHECK(area_error[1] < 0.75 * area_error[0] + 0.005);
            CHECK(area_error[1] < 0.01 + edge_loss(mean_square_edge, 0.1) * form.edges / form.area);
        }
}
