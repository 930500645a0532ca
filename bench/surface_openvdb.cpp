// Thixo's surfaces beside those of OpenVDB, in one sitting:
//
//     bench_surface_openvdb [--threads N] [PARTICLES…]
//
// The block of water of bench_surface, cells of 1.5 radii. OpenVDB makes the union of balls a spacing in radius: smaller ones leave holes between them. No
// filters; Thixo's time is that of the whole way to a checked mesh of the right volume. Printed are seconds (best of three), how many times Thixo is
// faster, and the distance between the two surfaces: from OpenVDB's vertices to Thixo's mesh, in spacings.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <fmt/core.h>

#include "surface/reconstruct.h"
#include "threads.h"
#include "vdb_surface.h"
#include "water_block.h"

using namespace thixo;

namespace {

/// Mean and largest distance from points to the nearest of some vertices, found by cells of `reach`.
struct Distances {
    double mean = 0, largest = 0;
};

Distances distances(const std::vector<Vec3f>& points, const SurfaceMesh& mesh, double reach) {
    std::vector<Vec3f> vertices = mesh.vertices;
    std::sort(vertices.begin(), vertices.end(), [](const Vec3f& a, const Vec3f& b) { return a.x < b.x; });
    Distances out;
    for (const Vec3f& p : points) {
        const auto low = std::lower_bound(vertices.begin(), vertices.end(), p.x - static_cast<float>(reach),
                                          [](const Vec3f& v, float x) { return v.x < x; });
        double least = reach * reach;
        for (auto v = low; v != vertices.end() && v->x < p.x + static_cast<float>(reach); ++v)
            least = std::min(least, double{norm2(*v - p)});
        out.mean += std::sqrt(least) / static_cast<double>(points.size());
        out.largest = std::max(out.largest, std::sqrt(least));
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const Device device = take_device(argc, argv);
    std::vector<std::size_t> sizes;
    for (int k = 1; k < argc; ++k) sizes.push_back(std::strtoul(argv[k], nullptr, 10));
    if (sizes.empty()) sizes = {40000, 500000};
    fmt::print(
        "{} threads, OpenVDB: level set of balls and mesh\n{:>10} {:<12} {:>9} {:>9} {:>7} {:>16} {:>16}\n",
        device.threads, "particles", "method", "Thixo, s", "VDB, s", "faster", "mean distance", "largest");
    for (const std::size_t size : sizes) {
        const WaterBlock block = water_block(size);
        const float radius = block.radius[0];
        VdbSurface vdb;
        double vdb_seconds = 1e9;
        for (int round = 0; round < 3; ++round) {
            vdb = vdb_surface(block.position, 2 * radius, 1.5 * radius, device.threads);
            vdb_seconds = std::min(vdb_seconds, vdb.rasterising + vdb.meshing);
        }
        for (const auto& [name, method] : {std::pair{"density", SurfaceMethod::density},
                                           std::pair{"anisotropic", SurfaceMethod::anisotropic}}) {
            double seconds = 1e9;
            Surface ours;
            for (int round = 0; round < 3; ++round) {
                const auto start = std::chrono::steady_clock::now();
                ours = reconstruct(device, {block.position, block.radius, {}}, {},
                                   {.method = method, .resolution = 1.5}, radius, 1e12);
                seconds = std::min(
                    seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
            }
            std::vector<Vec3f> some;
            for (std::size_t k = 0; k < vdb.vertices.size(); k += 1 + vdb.vertices.size() / 2000)
                some.push_back(vdb.vertices[k]);
            const Distances away = distances(some, ours.mesh, 8 * radius);
            fmt::print("{:>10} {:<12} {:>9.3f} {:>9.3f} {:>7.1f} {:>16.3f} {:>16.3f}\n",
                       block.position.size(), name, seconds, vdb_seconds, vdb_seconds / seconds,
                       away.mean / (2 * radius), away.largest / (2 * radius));
        }
    }
}
