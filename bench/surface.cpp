// What surfaces cost:
//
//     bench_surface [--threads N] [PARTICLES…]
//
// A block of water, twice as long as wide and high, with particles moved at random by a tenth of a spacing. For each method: seconds for the
// particles (sorting, neighbours), the field, the polygons with normals, and the checks, with cells of 1.5 radii; particles a
// second; bytes of field and grid for each cell that the surface passes. Each figure is the best of three.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <fmt/core.h>

#include "core/hash.h"
#include "surface/mesh_report.h"
#include "surface/polygonise.h"
#include "threads.h"

using namespace thixo;

namespace {

struct Block {
    std::vector<Vec3f> position;
    std::vector<float> radius;
};

Block block_of(std::size_t particles) {
    constexpr double spacing = 0.01;
    const auto side = static_cast<std::uint64_t>(std::lround(std::cbrt(static_cast<double>(particles) / 2)));
    Block block;
    for (std::uint64_t i = 0; i < 2 * side * side * side; ++i) {
        const auto jitter = [&](std::uint64_t k) {
            return 0.2 * (static_cast<double>(mix(3 * i + k) >> 11) * 0x1p-53 - 0.5);
        };
        block.position.push_back(
            to_float(spacing * Vec3d{static_cast<double>(i % (2 * side)) + jitter(0),
                                     static_cast<double>(i / (2 * side) % side) + jitter(1),
                                     static_cast<double>(i / (2 * side * side)) + jitter(2)}));
        block.radius.push_back(static_cast<float>(spacing / 2));
    }
    return block;
}

template <class Work>
double best_seconds(const Work& work) {
    double best = 1e9;
    for (int round = 0; round < 3; ++round) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best =
            std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void measure(const Device& device, const Block& block, const char* name, SurfaceMethod method) {
    const SurfaceParticles particles{block.position, block.radius, {}};
    const double cell = 1.5 * block.radius[0];
    FieldParticles prepared;
    const double preparing = best_seconds([&] { prepared = prepare_particles(device, particles, method); });
    SurfaceField field = make_field(device, prepared, method, cell, 1e12);
    const double summing = best_seconds([&] { field = make_field(device, prepared, method, cell, 1e12); });
    Polygonisation surface;
    const double cutting = best_seconds([&] { surface = polygonise(device, field, 0, true); });
    MeshReport report;
    const double checking = best_seconds([&] { report = examine(device, surface.mesh); });
    const auto n = static_cast<double>(block.position.size());
    const double seconds = preparing + summing + cutting + checking;
    const double bytes = static_cast<double>(field.values.size() * sizeof(float) + field.grid.bytes());
    fmt::print("{:>10} {:<12} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>10.2f} {:>10} {:>8.0f} {}\n",
               block.position.size(), name, preparing, summing, cutting, checking, n / seconds / 1e6,
               report.triangles, 2 * bytes / static_cast<double>(std::max<std::size_t>(1, report.triangles)),
               report.manifold() ? "closed" : "OPEN");
}

}  // namespace

int main(int argc, char** argv) {
    const Device device = take_device(argc, argv);
    std::vector<std::size_t> sizes;
    for (int k = 1; k < argc; ++k) sizes.push_back(std::strtoul(argv[k], nullptr, 10));
    if (sizes.empty()) sizes = {40000, 500000};
    fmt::print("{} threads\n{:>10} {:<12} {:>8} {:>8} {:>8} {:>8} {:>10} {:>10} {:>8}\n", device.threads,
               "particles", "method", "prepare", "field", "polygons", "checks", "million/s", "triangles",
               "B/cell");
    for (const std::size_t size : sizes) {
        const Block block = block_of(size);
        measure(device, block, "density", SurfaceMethod::density);
        measure(device, block, "zhu_bridson", SurfaceMethod::zhu_bridson);
        measure(device, block, "solenthaler", SurfaceMethod::solenthaler);
        measure(device, block, "anisotropic", SurfaceMethod::anisotropic);
    }
}
