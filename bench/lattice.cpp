// Time per step of lattice solids: dice of [WHP06, fig. 5] and balls, microseconds per particle and step.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <vector>

#include <fmt/core.h>

#include "lattice/lattice_solids.h"
#include "particles/lattice.h"
#include "sph/calibration.h"
#include "threads.h"

using namespace thixo;

namespace {

constexpr double spacing = 0.05, support = 2 * spacing;

Material stiff(bool docking) {
    Material out{.name = "stiff"};
    out.solid = {.model = SolidModel::lattice, .young_modulus = 9e5, .poisson_ratio = 0, .damping = 1e-5};
    if (docking) out.solid.docking_rate = 2e4;
    return out;
}

/// Of all threads; unlike the time of day it does not pass while others are at work on this machine.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Balls of as many particles each as lie within a radius, in a row.
struct Solids {
    std::vector<Material> materials;
    ParticleTable particles;
    NeighbourSearch search;
    LatticeSolids solids;
    double collecting = 0, processor = 0;  // s
    int builds = 0;

    Solids(int count, double radius, bool docking, const Device& device)
        : materials{stiff(docking)}, solids(materials, KernelName::cubic_spline, support, 3, spacing, 1) {
        const std::vector<Vec3d> points =
            lattice_around_origin(Lattice::closest, spacing, 3, radius * spacing);
        const double volume = rest_volume(KernelName::cubic_spline, support, 3, Lattice::closest, spacing);
        particles.resize(static_cast<Index>(points.size()) * static_cast<Index>(count));
        for (Index i = 0; i < particles.size(); ++i) {
            const Index ball = i / static_cast<Index>(points.size());
            const Vec3d x = points[i % points.size()], spin{1, 2, 3};
            particles.id[i] = i;
            particles.object[i] = static_cast<std::uint16_t>(ball);
            particles.position[i] = to_float(x + Vec3d{(2 * radius + 3) * spacing * ball, 0, 0});
            particles.velocity[i] = to_float(cross(spin, x));
            particles.mass[i] = static_cast<float>(1000 * volume);
            particles.radius[i] = static_cast<float>(spacing / 2);
            particles.phase[i] = Phase::elastic;
        }
        find_neighbours(device, true);
        solids.create(device, particles,
                      std::vector<Mat3d>(static_cast<std::size_t>(count), identity<double>()));
        solids.collect(device, particles, search.view());
    }

    void find_neighbours(const Device& device, bool first) {
        const std::vector<float> supports(particles.size(), static_cast<float>(support));
        if (!first && search.is_current(device, particles.position, supports)) return;
        particles.permute(device, search.sort(device, particles.position, supports));
        search.build(device, particles.position, supports);
        if (first) return;
        const auto start = std::chrono::steady_clock::now();
        solids.collect(device, particles, search.view());
        collecting += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ++builds;
    }

    void step(const Device& device, std::uint64_t k) {
        TimeStepLimit limit;
        solids.limit_time_step(limit);
        find_neighbours(device, false);
        std::vector<Vec3f> a(particles.size());
        const double start = processor_seconds();
        solids.dock(device, particles, k == 0 ? 0 : limit.seconds, k);
        solids.add_forces(device, particles, a);
        processor += processor_seconds() - start;
        const auto dt = static_cast<float>(limit.seconds);
        for (Index i = 0; i < particles.size(); ++i) {
            particles.velocity[i] += a[i] * dt;
            particles.position[i] += particles.velocity[i] * dt;
        }
    }
};

void measure(int count, double radius, bool docking, const Device& device) {
    Solids all(count, radius, docking, device);
    const auto n = static_cast<double>(all.particles.size());
    // The quickest of many steps.
    LatticeTimes best{1e9, 1e9, 1e9};
    const auto steps = static_cast<std::uint64_t>(std::max(30., 2e6 / n));
    for (std::uint64_t k = 0; k < steps; ++k) {
        const LatticeTimes before = all.solids.times();
        all.step(device, k);
        const LatticeTimes& now = all.solids.times();
        for (double LatticeTimes::*part :
             {&LatticeTimes::assignment, &LatticeTimes::matching, &LatticeTimes::force})
            best.*part = std::min(best.*part, 1e6 * (now.*part - before.*part) / n);
    }
    fmt::print("{:>10}{:>9}{:>13.3f}{:>11.3f}{:>8.3f}{:>8.3f}{:>11.3f}{:>12.2f}{:>12.0f}\n",
               all.particles.size(), docking ? "yes" : "no", best.assignment, best.matching, best.force,
               best.assignment + best.matching + best.force,
               1e6 * all.processor / (n * static_cast<double>(steps)),
               all.builds > 0 ? 1e6 * all.collecting / (n * all.builds) : 0,
               static_cast<double>(all.solids.bytes()) / n);
}

}  // namespace

int main(int argc, char** argv) {
    const Device device = device_of(argc, argv, "bench_lattice");
    fmt::print(
        "lattice solids, microseconds per particle and step, {} "
        "threads\n{:>10}{:>9}{:>13}{:>11}{:>8}{:>8}{:>11}{:>12}{:>12}\n",
        device.threads, "particles", "docking", "assignment", "matching", "force", "all", "processor",
        "list build", "bytes each");
    for (const bool docking : {false, true}) {
        measure(9, 3.5, docking, device);
        measure(1, 15, docking, device);
        measure(1, 25.4, docking, device);
    }
}
