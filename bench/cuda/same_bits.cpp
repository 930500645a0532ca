// Whether a GPU computes the same bits as the CPU, from the same pair loops:
//
//     bench_cuda_same_bits [PARTICLES]
//
// A random block of liquid, 1 million particles by default, of two materials with walls around it. Density,
// pressure by `tait` and forces with `laplacian` are computed by SIMD lanes, by an emulation of the eight
// threads that share a row on a GPU, and, where there is one, on a GPU. Prints the time of each pass and the
// number of rows that differ; fails if any does. Products and sums are rounded one by one here
// (-ffp-contract=off, --fmad=false), roots and quotients correctly: then nothing is left that compilers could
// do differently.

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fmt/core.h>

#include "core/random.h"
#include "cuda/passes.h"
#include "sph/calibration.h"
#include "sph/neighbours.h"
#include "sph/pair_records.h"

using namespace thixo;

namespace {

/// Records what each of eight threads brings to each sum, or replays the sums as a warp makes them.
struct ReplayedSums {
    float (*brought)[lane_count];
    int* next;
    Index lane;
    bool recording;

    float operator()(float a) const {
        float* of = brought[(*next)++];
        if (recording) {
            of[lane] = a;
            return 0;
        }
        float sum[lane_count];
        std::memcpy(sum, of, sizeof sum);
        for (const Index across : {4u, 2u, 1u}) {
            float before[lane_count];
            std::memcpy(before, sum, sizeof sum);
            for (Index l = 0; l < lane_count; ++l) sum[l] = before[l] + before[l ^ across];
        }
        return sum[lane];
    }
    bool write(Index thread) const { return !recording && thread == 0; }
};

/// The threads of a row one after the other, each up to its sums; then the first of them with the sums.
template <class Body>
void emulate(const Device& device, Index n, const Body& body) {
    launch(device, n, [body](Index i) {
        float brought[16][lane_count];
        for (Index lane = 0; lane <= lane_count; ++lane) {
            int next = 0;
            const bool recording = lane < lane_count;
            const Index thread = recording ? lane : 0;
            body(OneOfEight<ReplayedSums>(thread, {brought, &next, thread, recording}), i);
        }
    });
}

struct Block {
    static constexpr double spacing = 0.1, support = 0.2;
    ParticleTable particles;
    std::vector<FluidConstants> constants{{1000, 1600, 2}, {600, 900, 2}};
    std::vector<WallTerm> walls;
    std::vector<Index> lists, block_begin, begin, count;
    std::vector<Packed4> velocity;
    NeighbourSearch search;
    PairRecords records{{{.name = "water", .density = 1000}, {.name = "oil", .density = 600}},
                        {KernelName::cubic_spline, support, 3, spacing}};

    explicit Block(double size) {
        const int side = static_cast<int>(std::lround(std::cbrt(size)));
        const auto n = static_cast<Index>(side) * side * side;
        const double volume = rest_volume(records.discretisation());
        particles.resize(n);
        for (Index i = 0; i < n; ++i) {
            const auto unit = [&](std::uint64_t what) {
                const auto words = random_words(1, i, what, Purpose::phase_change);
                return Vec3d{to_unit(words[0]) - 0.5, to_unit(words[1]) - 0.5, to_unit(words[2]) - 0.5};
            };
            const Vec3d cell{double(i % side), double(i / side % side), double(i / side / side)};
            particles.id[i] = i;
            particles.position[i] = to_float(spacing * (cell + 0.6 * unit(0)));
            particles.velocity[i] = to_float(unit(1));
            particles.material[i] = static_cast<std::uint16_t>(i % 7 == 0);
            particles.mass[i] = constants[particles.material[i]].rest_density * static_cast<float>(volume);
        }
        const Device device;
        const std::vector<float> reach(n, static_cast<float>(support));
        particles.permute(device, search.sort(device, particles.position, reach));
        search.build(device, particles.position, reach);
        records.pack(device, particles);
        walls.resize(n);
        velocity.resize(n + 1);
        for (Index i = 0; i < n; ++i) {
            const Vec3f v = particles.velocity[i];
            velocity[i] = {v.x, v.y, v.z, 0};
            const float gamma = particles.position[i].y < 0.1f ? 0.2f : 0.f;
            walls[i].gradient = {0, -10 * gamma, 0};
            walls[i].gamma = gamma;
        }
        flatten();
    }

    /// The lists in one array, which a GPU can have.
    void flatten() {
        const Neighbours neighbours = search.view();
        const Index n = particles.size();
        for (Index i = 0; i < n; ++i) {
            if (i % rows_per_block == 0) block_begin.push_back(static_cast<Index>(lists.size()));
            begin.push_back(static_cast<Index>(lists.size()) - block_begin.back());
            count.push_back(neighbours.count(i));
            for (const Index j : neighbours.of(i)) lists.push_back(j);
            while (lists.size() % lane_count != 0) lists.push_back(n);
        }
    }

    Case view() const {
        const Kernel<CubicSpline> kernel(support, 3);
        const Index n = particles.size();
        return {n,
                EqualSizes<CubicSpline>(kernel, ViscosityKernel<>(support, 3)),
                lists,
                block_begin,
                begin,
                count,
                {records.position_volume(), n + 1},
                velocity,
                constants,
                particles.material,
                walls};
    }
};

struct Computed {
    std::vector<float> rho;
    std::vector<Vec3f> acceleration;
    PassTimes ms;

    explicit Computed(Index n) : rho(n), acceleration(n) {}
    Result result() { return {rho, acceleration}; }
};

template <class Work>
double milliseconds(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// The passes on the CPU; run(body) runs a pair loop for all rows.
template <class Run>
Computed on_cpu(const Case& in, const Neighbours& neighbours, const Run& run) {
    Computed out(in.n);
    std::vector<float> wall_push(in.n);
    std::vector<Packed4> velocity_pressure(in.velocity.begin(), in.velocity.end());
    const Pairs pairs{in.sizes, neighbours, in.position_volume.data()};
    const DensityPass density{pairs, in.constants, in.material, in.walls, out.rho};
    const PressurePass pressure{in.constants, in.material, out.rho, velocity_pressure};
    const ForcePass forces{pairs,       Laplacian{}, velocity_pressure.data(), nullptr,  in.constants,
                           in.material, in.walls,    out.acceleration,         wall_push};
    out.ms.density = milliseconds([&] { run(density); });
    out.ms.pressure = milliseconds([&] { launch(Device{}, in.n, pressure); });
    out.ms.forces = milliseconds([&] { run(forces); });
    return out;
}

/// Prints the times of a way to compute and how many rows differ from the reference, by their bits.
bool report(const char* name, const Computed& reference, const Computed& other) {
    std::size_t densities = 0, accelerations = 0;
    for (std::size_t i = 0; i < reference.rho.size(); ++i) {
        densities += std::memcmp(&reference.rho[i], &other.rho[i], sizeof(float)) != 0;
        accelerations += std::memcmp(&reference.acceleration[i], &other.acceleration[i], sizeof(Vec3f)) != 0;
    }
    fmt::print("{:<22} {:>9.3f} {:>9.3f} {:>9.3f} {:>10} {:>13}\n", name, other.ms.density, other.ms.pressure,
               other.ms.forces, densities, accelerations);
    return densities + accelerations == 0;
}

}  // namespace

int main(int argc, char** argv) {
    const double size = argc > 1 ? std::atof(argv[1]) : 1e6;
    if (!(size >= 8)) {
        fmt::print(stderr, "usage: bench_cuda_same_bits [NUMBER OF PARTICLES]\n");
        return 2;
    }
    const Block block(size);
    const Case in = block.view();
    const Neighbours neighbours = block.search.view();
    double pairs = 0;
    for (const Index k : block.count) pairs += k;
    fmt::print("{} particles, lists of {:.1f} neighbours\n", in.n, pairs / in.n);
    fmt::print("{:<22} {:>9} {:>9} {:>9} {:>10} {:>13}\n", "ms, rows that differ", "density", "pressure",
               "forces", "density", "acceleration");
    const Computed lanes =
        on_cpu(in, neighbours, [&](const auto& body) { launch_pairs(Device{}, in.n, body); });
    const Computed threads = on_cpu(in, neighbours, [&](const auto& body) { emulate(Device{}, in.n, body); });
    bool same = report("SIMD lanes", lanes, lanes);
    same &= report("eight threads, emulated", lanes, threads);
#if defined(THIXO_CUDA)
    if (device_present()) {
        Computed gpu(in.n);
        gpu.ms = run_on_device(in, gpu.result());
        same &= report("GPU", lanes, gpu);
    } else {
        fmt::print("no GPU on this machine\n");
    }
#endif
    return same ? 0 : 1;
}
