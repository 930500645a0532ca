// Milliseconds to move a skin of about 200,000 vertices by 20,000 particles, and to cut it anew when the body
// breaks.
//
//     build/release/bench/bench_skin [--threads N]

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <string>

#include "skin/memory.h"
#include "skin/shape_mesh.h"
#include "skin/skin.h"

using namespace thixo;

namespace {

struct Cost {
    double wall, cpu;  // ms; cpu of all threads, which another load of the machine does not change much
};

Cost cost_of(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    work();
    return {std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(),
            1e3 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC};
}

}  // namespace

int main(int argc, char** argv) {
    Device device;
    for (int k = 1; k + 1 < argc; ++k)
        if (std::string(argv[k]) == "--threads") device.threads = std::stoi(argv[k + 1]);
    const int n = 27;
    const double spacing = 1.0 / n;
    std::vector<Vec3d> rest;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
                rest.push_back({(x + 0.5) * spacing, (y + 0.5) * spacing, (z + 0.5) * spacing});
    TriangleMesh mesh = box_surface({{0, 0, 0}, {1, 1, 1}}, 1.0 / 182);
    const std::size_t vertices = mesh.vertices.size();
    std::unique_ptr<Skin> skin;
    const Cost bind = cost_of([&] { skin = std::make_unique<Skin>(device, std::move(mesh), rest, spacing); });
    fmt::print("{} vertices, {} particles, {} threads; bound in {:.0f} ms\n", vertices, rest.size(),
               device.threads, bind.wall);
    std::vector<double> times, cpu;
    std::unique_ptr<SkinMemory> memory = std::make_unique<SkinMemory>(skin->carriers());
    const std::vector<std::uint8_t> present(rest.size(), 1);
    const auto show = [&](const std::vector<Vec3f>& at, const std::vector<int>& bodies) {
        memory->follow(device, at, bodies, present);
        skin->pose(device, memory->grip(), memory->motions(), at, {});
    };
    for (int frame = 0; frame < 20; ++frame) {
        std::vector<Vec3f> x;
        for (const Vec3d& p : rest) x.push_back(to_float(Vec3d{p.x, p.y + 0.01 * frame * p.x * p.x, p.z}));
        const Cost cost = cost_of([&] { show(x, std::vector<int>(rest.size(), 1)); });
        times.push_back(cost.wall);
        cpu.push_back(cost.cpu);
    }
    std::sort(times.begin(), times.end());
    std::sort(cpu.begin(), cpu.end());
    fmt::print("a frame: {:.1f} ms (median), {:.1f} to {:.1f}; {:.1f} ms of CPU time\n",
               times[times.size() / 2], times.front(), times.back(), cpu[cpu.size() / 2]);
    std::vector<Vec3f> x;
    std::vector<int> body;
    for (const Vec3d& p : rest) {
        x.push_back(to_float(p));
        body.push_back(p.x < 0.4 ? 1 : 2);
    }
    const Cost cut = cost_of([&] { show(x, body); });
    const Cost after = cost_of([&] { show(x, body); });
    fmt::print("cut in two: {:.0f} ms, {:.0f} of CPU time; a frame after it {:.1f} ms, {:.1f} of CPU time\n",
               cut.wall, cut.cpu, after.wall, after.cpu);
    return 0;
}
