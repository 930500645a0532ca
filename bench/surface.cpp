// What surfaces cost:
//
//     bench_surface [--threads N] [--method NAME] [PARTICLES…]
//
// A block of water, twice as long as wide and high, with particles moved at random by a tenth of a spacing;
// 40,000, 500,000 and 4 million by default. Each figure is the best of three, of the largest of one.
//
// The first table has seconds by stage, with cells of 1.5 radii: where the surface can be (band), particles
// (sorting, neighbours), the field, polygons with normals, checks.
//
// The second has the whole way to a checked mesh of the right volume with the attributes that runs have,
// seconds of wall-clock and of CPU (all threads): in situ, from the table of a simulation to the mesh; files,
// from a file of particles to a file of the mesh. `B/cell`: the most memory that was in use beyond what was
// there before, for each cell that the surface passes.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include "io/mesh_files.h"
#include "io/particle_frame.h"
#include "surface/mesh_report.h"
#include "surface/polygonise.h"
#include "surface/reconstruct.h"
#include "threads.h"
#include "timing.h"
#include "water_block.h"

using namespace thixo;

namespace {

int rounds_for(std::size_t particles) { return particles > 1'000'000 ? 1 : 3; }

/// A number of /proc/self/status, in bytes.
double status_bytes(const std::string& name) {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(name + ":")) return 1024 * std::atof(line.c_str() + name.size() + 1);
    return 0;
}

/// The most memory that some work has in use, beyond what there was before it.
template <class Work>
double peak_bytes(const Work& work) {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // begins the peak anew
    const double before = status_bytes("VmRSS");
    work();
    return status_bytes("VmHWM") - before;
}

void measure_stages(const Device& device, const WaterBlock& block, const char* name, SurfaceMethod method) {
    const SurfaceParticles particles{block.position, block.radius, {}};
    const double cell = 1.5 * block.radius[0];
    const int rounds = rounds_for(block.position.size());
    std::optional<BandBlocks> blocks;
    BandParticles band;
    const double finding =
        best_of(rounds, [&] {
            const Occupancy occupancy =
                find_occupancy(device, particles, method, cell, Occupancy::Extent::band, 1e12);
            blocks = band_blocks(device, occupancy, cell, {}, 1e12);
            band = band_particles(device, occupancy, *blocks, particles.position, reach_bins);
        }).wall;
    FieldParticles prepared;
    const double preparing =
        best_of(rounds, [&] { prepared = prepare_particles(device, particles, method, band); }).wall;
    SurfaceField field = make_field(device, prepared, method, *blocks);
    const double summing =
        best_of(rounds, [&] { field = make_field(device, prepared, method, *blocks); }).wall;
    Polygonisation surface;
    const double cutting = best_of(rounds, [&] { surface = polygonise(device, field, 0, true); }).wall;
    MeshReport report;
    const double checking = best_of(rounds, [&] { report = examine(device, surface.mesh); }).wall;
    fmt::print("{:>10} {:<12} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>10} {}\n",
               block.position.size(), name, finding, preparing, summing, cutting, checking, report.triangles,
               report.manifold() ? "closed" : "OPEN");
}

/// The attributes that the surfaces of a run carry.
std::vector<ParticleAttribute> attributes_of(const ParticleFrame& frame) {
    std::vector<ParticleAttribute> out;
    for (const char* name : {"vx", "vy", "vz", "temperature", "phase", "material", "object", "body"})
        if (const auto found = frame.attributes.find(name); found != frame.attributes.end())
            out.push_back({name, "", found->second, out.size() < 4});
    return out;
}

Surface surface_of(const Device& device, const ParticleFrame& frame, const SurfaceSettings& settings) {
    return reconstruct(device, {frame.position, frame.radius, {}}, attributes_of(frame), settings,
                       frame.radius[0], 1e12);
}

ParticleTable table_of(const WaterBlock& block) {
    ParticleTable table;
    table.resize(static_cast<Index>(block.position.size()));
    table.position = block.position;
    table.radius = block.radius;
    for (Index i = 0; i < table.size(); ++i) table.id[i] = i;
    return table;
}

void print_whole(std::size_t particles, const char* name, const SurfaceSettings& settings, const char* from,
                 const Seconds& seconds, double bytes_per_cell) {
    fmt::print("{:>10} {:<12} {:>6} {:>7} {:<8} {:>8.3f} {:>8.3f} {:>10.2f}", particles, name,
               settings.resolution, settings.smooth, from, seconds.wall, seconds.cpu,
               static_cast<double>(particles) / seconds.wall / 1e6);
    if (bytes_per_cell > 0) fmt::print(" {:>8.0f}", bytes_per_cell);
    fmt::print("\n");
    std::fflush(stdout);
}

void measure_whole(const Device& device, const ParticleTable& table, const std::filesystem::path& folder,
                   const char* name, const SurfaceSettings& settings) {
    const int rounds = rounds_for(table.size());
    std::size_t triangles = 0;
    const Seconds in_situ = best_of(
        rounds, [&] { triangles = surface_of(device, frame_of(table, 0), settings).mesh.triangles.size(); });
    // A cell that the surface passes has two triangles on average.
    const double cells = static_cast<double>(triangles) / 2;
    const ParticleFrame frame = frame_of(table, 0);
    const double bytes = peak_bytes([&] { surface_of(device, frame, settings); });
    print_whole(table.size(), name, settings, "in situ", in_situ, bytes / cells);
    if (settings.smooth > 0) return;
    const Seconds files = best_of(rounds, [&] {
        const Surface s = surface_of(device, read_particles(folder / "particles.ply"), settings);
        write_mesh(folder / "mesh.ply", s.mesh, MeshFormat::ply);
    });
    print_whole(table.size(), name, settings, "files", files, 0);
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
    std::string only;
    if (argc > 2 && std::strcmp(argv[1], "--method") == 0) {
        only = argv[2];
        argc -= 2;
        argv += 2;
    }
    std::vector<std::size_t> sizes;
    for (int k = 1; k < argc; ++k) sizes.push_back(std::strtoul(argv[k], nullptr, 10));
    if (sizes.empty()) sizes = {40'000, 500'000, 4'000'000};
    std::vector<Method> chosen;
    for (const Method& m : methods)
        if (only.empty() || only == m.name) chosen.push_back(m);

    fmt::print("{} threads\n{:>10} {:<12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>10}\n", device.threads,
               "particles", "method", "band", "prepare", "field", "polygons", "checks", "triangles");
    for (const std::size_t size : sizes) {
        const WaterBlock block = water_block(size);
        for (const Method& m : chosen) measure_stages(device, block, m.name, m.method);
    }
    fmt::print("\n{:>10} {:<12} {:>6} {:>7} {:<8} {:>8} {:>8} {:>10} {:>8}\n", "particles", "method", "cell",
               "smooth", "from", "seconds", "CPU", "million/s", "B/cell");
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("bench_surface_{}", ::getpid());
    std::filesystem::create_directory(folder);
    for (const std::size_t size : sizes) {
        const ParticleTable table = table_of(water_block(size));
        write_ply(folder / "particles.ply", table);
        for (const Method& m : chosen)
            measure_whole(device, table, folder, m.name, {.method = m.method, .resolution = 1.5});
        for (const Method& m : chosen)
            measure_whole(device, table, folder, m.name,
                          {.method = m.method, .resolution = 0.75, .smooth = 25});
    }
    std::filesystem::remove_all(folder);
}
