// Writes a cloud of particles with values known in closed form in every format, as a run would:
// DIR/particles/0000.ply .vtu .bgeo ... and DIR/particles.pvd. check_formats.py --analytic has the
// formulas.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <random>
#include <vector>

#include "io/particle_files.h"

using namespace thixo;

namespace {

/// Particle k of the cloud is a point of a 16 x 16 x ... lattice. All values are exact in 32-bit floats.
void set_particle(ParticleTable& p, Index row, Index k, int frame) {
    const auto step = [](Index i) { return static_cast<float>(i) / 64; };
    p.id[row] = 2 * k + 3;
    p.position[row] = {step(k % 16), step(k / 16 % 16) + step(static_cast<Index>(frame)), step(k / 256)};
    p.velocity[row] = {static_cast<float>(k % 3), static_cast<float>(-frame), 0.5f * static_cast<float>(k)};
    p.radius[row] = k % 2 == 0 ? 1.0f / 128 : 1.0f / 256;
    p.density[row] = 1000 + static_cast<float>(k % 11);
    p.temperature[row] = step(k) - 10;
    p.phase[row] = static_cast<Phase>(k % 3);
    p.material[row] = static_cast<std::uint16_t>(k % 4 * 300);
    p.object[row] = static_cast<std::uint16_t>(65535 - k % 5);
    p.body[row] = k % 3 == 2 ? 70000 + k : 0;
    p.rim[row] = static_cast<std::uint16_t>(k % 13);
    p.mass[row] = 0.25f * static_cast<float>(k % 7 + 1);
    p.pressure[row] = 16 * static_cast<float>(k % 11);
}

ParticleTable cloud(Index count, int frame) {
    ParticleTable particles;
    particles.resize(count);
    std::vector<Index> row(count);
    std::iota(row.begin(), row.end(), 0u);
    std::shuffle(row.begin(), row.end(), std::mt19937(static_cast<unsigned>(frame)));
    for (Index k = 0; k < count; ++k) set_particle(particles, row[k], k, frame);
    return particles;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: {} DIR [PARTICLES [FRAMES]]\n", argv[0]);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    const auto count = static_cast<Index>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 4096);
    const int frames = argc > 3 ? std::atoi(argv[3]) : 4;
    std::filesystem::create_directories(folder / "particles");
    std::vector<SeriesEntry> series;
    for (int frame = 0; frame < frames; ++frame) {
        const ParticleTable particles = cloud(count, frame);
        const FrameInfo info{.frame = frame, .time = frame / 24.0};
        const std::string name = fmt::format("particles/{:04}", frame);
        write_ply(folder / (name + ".ply"), particles, info);
        write_vtu(folder / (name + ".vtu"), particles, info);
        write_bgeo(folder / (name + ".bgeo"), particles, info);
        series.push_back({info.time, name + ".vtu"});
        write_pvd(folder / "particles.pvd", series);
    }
    return 0;
}
