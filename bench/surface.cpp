// What surfaces cost:
//
//     bench_surface [--threads N] [PARTICLES…]
//
// A block of water, twice as long as wide and high, with particles moved at random by a tenth of a spacing. For each method: seconds for the
// particles (sorting, neighbours), the field, the polygons with normals, and the checks, with cells of 1.5 radii; particles a
// second; bytes of field and grid for each cell that the surface passes. Each figure is the best of three.
//
// Then the whole way from particles to a checked mesh of the right volume, as in a run: with cells of 1.5 radii, and with cells of 0.75
// radii and 25 steps of smoothing; wall-clock and CPU seconds (of all threads).

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "surface/mesh_report.h"
#include "surface/polygonise.h"
#include "surface/reconstruct.h"
#include "threads.h"
#include "water_block.h"

using namespace thixo;

namespace {

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

void measure(const Device& device, const WaterBlock& block, const char* name, SurfaceMethod method) {
    const SurfaceParticles particles{block.position, block.radius, {}};
    const double cell = 1.5 * block.radius[0];
    std::optional<BandBlocks> blocks;
    BandParticles band;
    const double finding = best_seconds([&] {
        const Occupancy occupancy =
            find_occupancy(device, particles, method, cell, Occupancy::Extent::band, 1e12);
        blocks = band_blocks(device, occupancy, cell, {}, 1e12);
        band = band_particles(device, occupancy, *blocks, particles.position, reach_bins);
    });
    FieldParticles prepared;
    const double preparing =
        best_seconds([&] { prepared = prepare_particles(device, particles, method, band); });
    SurfaceField field = make_field(device, prepared, method, *blocks);
    const double summing = best_seconds([&] { field = make_field(device, prepared, method, *blocks); });
    Polygonisation surface;
    const double cutting = best_seconds([&] { surface = polygonise(device, field, 0, true); });
    MeshReport report;
    const double checking = best_seconds([&] { report = examine(device, surface.mesh); });
    const auto n = static_cast<double>(block.position.size());
    const double seconds = finding + preparing + summing + cutting + checking;
    const double bytes = static_cast<double>(field.values.size() * sizeof(float) + field.grid.bytes());
    fmt::print("{:>10} {:<12} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>10.2f} {:>10} {:>8.0f} {}\n",
               block.position.size(), name, finding, preparing, summing, cutting, checking, n / seconds / 1e6,
               report.triangles, 2 * bytes / static_cast<double>(std::max<std::size_t>(1, report.triangles)),
               report.manifold() ? "closed" : "OPEN");
}

void measure_whole(const Device& device, const WaterBlock& block, const char* name,
                   const SurfaceSettings& settings) {
    const SurfaceParticles particles{block.position, block.radius, {}};
    double busy = 1e9;
    const double seconds = best_seconds([&] {
        const std::clock_t start = std::clock();
        reconstruct(device, particles, {}, settings, block.radius[0], 1e12);
        busy = std::min(busy, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    });
    const auto n = static_cast<double>(block.position.size());
    fmt::print("{:>10} {:<12} {:>8} {:>8} {:>8.3f} {:>8.3f} {:>10.2f}\n", block.position.size(), name,
               settings.resolution, settings.smooth, seconds, busy, n / seconds / 1e6);
}

struct Method {
    const char* name;
    SurfaceMethod method;
};
constexpr Method methods[] = {{"density", SurfaceMethod::density},
                              {"zhu_bridson", SurfaceMethod::zhu_bridson},
                              {"solenthaler", SurfaceMethod::solenthaler},
                              {"anisotropic", SurfaceMethod::anisotropic}};

}  // namespace

int main(int argc, char** argv) {
    const Device device = take_device(argc, argv);
    std::vector<std::size_t> sizes;
    for (int k = 1; k < argc; ++k) sizes.push_back(std::strtoul(argv[k], nullptr, 10));
    if (sizes.empty()) sizes = {40000, 500000};
    fmt::print("{} threads\n{:>10} {:<12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>10} {:>10} {:>8}\n",
               device.threads, "particles", "method", "band", "prepare", "field", "polygons", "checks",
               "million/s", "triangles", "B/cell");
    for (const std::size_t size : sizes) {
        const WaterBlock block = water_block(size);
        for (const Method& m : methods) measure(device, block, m.name, m.method);
    }
    fmt::print("\n{:>10} {:<12} {:>8} {:>8} {:>8} {:>8} {:>10}\n", "particles", "method", "cell", "smooth",
               "seconds", "CPU", "million/s");
    for (const std::size_t size : sizes) {
        const WaterBlock block = water_block(size);
        for (const Method& m : methods)
            measure_whole(device, block, m.name, {.method = m.method, .resolution = 1.5});
        for (const Method& m : methods)
            measure_whole(device, block, m.name, {.method = m.method, .resolution = 0.75, .smooth = 25});
    }
}
