// Thixo's surfaces beside those of OpenVDB, in one sitting:
//
//     bench_surface_openvdb [--threads N] [PARTICLES…]
//
// The block of water of bench_surface, cells of 1.5 radii. OpenVDB makes the union of balls a spacing in
// radius, since smaller ones leave holes between them: its surface is half a spacing outside of ours. No
// filters; Thixo's time is that of the whole way to a checked mesh of the right volume. Printed are seconds
// of wall-clock and of CPU (best of three), how many times Thixo is faster, and the distance between the two
// surfaces: from 2000 of OpenVDB's vertices to Thixo's triangles, in spacings.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <fmt/core.h>

#include "geometry/triangle_tree.h"
#include "surface/reconstruct.h"
#include "threads.h"
#include "timing.h"
#include "vdb_surface.h"
#include "water_block.h"

using namespace thixo;

namespace {

/// From points to a mesh: m.
struct Distances {
    double mean = 0, largest = 0;
};

Distances distances(const std::vector<Vec3f>& points, const SurfaceMesh& mesh) {
    TriangleMesh triangles;
    for (const Vec3f& v : mesh.vertices) triangles.vertices.push_back(to_double(v));
    for (const SurfaceMesh::Corners& t : mesh.triangles) triangles.triangles.push_back(t);
    const TriangleTree tree(triangles);  // sorts the triangles
    Distances out;
    for (const Vec3f& p : points) {
        const double away = std::sqrt(tree.nearest(triangles, to_double(p)).distance2);
        out.mean += away / static_cast<double>(points.size());
        out.largest = std::max(out.largest, away);
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const Device device = take_device(argc, argv);
    std::vector<std::size_t> sizes;
    for (int k = 1; k < argc; ++k) sizes.push_back(std::strtoul(argv[k], nullptr, 10));
    if (sizes.empty()) sizes = {40000, 500000};
    fmt::print("{} threads, OpenVDB: level set of balls and mesh\n", device.threads);
    fmt::print("{:>10} {:<12} {:>9} {:>9} {:>9} {:>9} {:>7} {:>14} {:>9}\n", "particles", "method",
               "Thixo, s", "CPU", "VDB, s", "CPU", "faster", "mean distance", "largest");
    for (const std::size_t size : sizes) {
        const WaterBlock block = water_block(size);
        const float radius = block.radius[0];
        VdbSurface vdb;
        const Seconds theirs =
            best_of(3, [&] { vdb = vdb_surface(block.position, 2 * radius, 1.5 * radius, device.threads); });
        std::vector<Vec3f> some;
        for (std::size_t k = 0; k < vdb.vertices.size(); k += 1 + vdb.vertices.size() / 2000)
            some.push_back(vdb.vertices[k]);
        for (const auto& [name, method] : {std::pair{"density", SurfaceMethod::density},
                                           std::pair{"anisotropic", SurfaceMethod::anisotropic}}) {
            Surface made;
            const Seconds ours = best_of(3, [&] {
                made = reconstruct(device, {block.position, block.radius, {}}, {},
                                   {.method = method, .resolution = 1.5}, radius, 1e12);
            });
            const Distances away = distances(some, made.mesh);
            fmt::print("{:>10} {:<12} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>7.1f} {:>14.3f} {:>9.3f}\n",
                       block.position.size(), name, ours.wall, ours.cpu, theirs.wall, theirs.cpu,
                       theirs.wall / ours.wall, away.mean / (2 * radius), away.largest / (2 * radius));
        }
    }
}
