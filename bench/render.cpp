// What pictures cost:
//
//     bench_render [--threads N] [PARTICLES]
//
// A ball of water above a pool of it, 40,000 particles by default:
//   draft    surface and picture of 640 × 360 pixels, as `thixo render` draws it first
//   direct   640 × 480 pixels of matte matter with shadows and four rays a pixel, without a mesh: the picture that took [SSP07] a minute
//   final    1280 × 720 pixels of water with blocks of ice in it, as `thixo render --quality final` draws it
// Wall-clock and CPU seconds (of all threads), the best of three for the first two.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include "render/quality.h"
#include "surface/reconstruct.h"
#include "threads.h"

using namespace thixo;

namespace {

struct Matter {
    std::vector<Vec3f> position;
    std::vector<float> radius;
    float spacing = 0;

    SurfaceParticles view() const { return {position, radius, {}}; }
};

/// Particles of a lattice that are inside.
template <class Inside>
Matter filled(float spacing, const Inside& inside) {
    Matter matter{.spacing = spacing};
    const int n = static_cast<int>(1 / spacing) + 1;
    for (int k = -n; k <= n; ++k)
        for (int j = 0; j <= 2 * n; ++j)
            for (int i = -n; i <= n; ++i) {
                const Vec3f x{spacing * static_cast<float>(i), spacing * (static_cast<float>(j) + 0.5f),
                              spacing * static_cast<float>(k)};
                if (!inside(x)) continue;
                matter.position.push_back(x);
                matter.radius.push_back(0.5f * spacing);
            }
    return matter;
}

bool in_water(const Vec3f& x) {
    const float wave = 0.3f + 0.06f * std::sin(7 * x.x) * std::cos(5 * x.z);
    return (std::abs(x.x) < 0.8f && std::abs(x.z) < 0.8f && x.y < wave) ||
           norm(x - Vec3f{0, 0.8f, 0}) < 0.25f;
}

bool in_ice(const Vec3f& x) {
    const auto block = [&](const Vec3f& c) {
        return std::max({std::abs(x.x - c.x), std::abs(x.y - c.y), std::abs(x.z - c.z)}) < 0.15f;
    };
    return block({-0.4f, 0.3f, 0.3f}) || block({0.35f, 0.28f, -0.1f});
}

template <class Work>
void report(const char* name, int rounds, const Work& work) {
    double best = 1e9, cpu = 1e9;
    for (int round = 0; round < rounds; ++round) {
        const std::clock_t before = std::clock();
        const auto start = std::chrono::steady_clock::now();
        work();
        best =
            std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        cpu = std::min(cpu, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    }
    fmt::print("{:8} {:7.2f} s, {:7.2f} s of CPU\n", name, best, cpu);
}

TracedSurface meshed(const Device& device, const Matter& matter, const Material& material, bool solid,
                     double resolution) {
    TracedSurface surface;
    surface.optics = {optics_of(look_of(material, solid, 0), 2)};
    surface.priority = solid ? 2 : 1;
    surface.mesh = reconstruct(device, matter.view(), {}, {.resolution = resolution}, 0.5 * matter.spacing,
                               free_memory(), {})
                       .mesh;
    return surface;
}

TracedPicture staged(std::vector<TracedSurface> surfaces) {
    TracedPicture picture{
        .surfaces = std::move(surfaces), .obstacles = {{Plane{}, false}}, .looks = {Optics{}}};
    picture.stage = {{-0.8, 0, -0.8}, {0.8, 1.05, 0.8}};
    return picture;
}

}  // namespace

int main(int argc, char** argv) {
    const Device device = take_device(argc, argv);
    const int threads = device.threads;
    const double particles = argc > 1 ? std::atof(argv[1]) : 40'000;
    const auto spacing = static_cast<float>(std::cbrt((1.6 * 1.6 * 0.3 + 0.065) / particles));
    const Matter water = filled(spacing, in_water);
    const Camera camera = automatic_camera(staged({}).stage, 3, 16.0 / 9);
    const Material material{.name = "water"};
    fmt::print("{} particles, {} threads\n", water.position.size(), threads);
    report("draft", 3, [&] {
        const PictureQuality& q = picture_quality("draft");
        TraceSettings settings = q.trace();
        settings.width = 640, settings.height = 360, settings.threads = threads;
        trace(staged({meshed(device, water, material, false, q.resolution)}), camera, settings);
    });
    report("direct", 3, [&] {
        const SurfaceSettings settings{.method = SurfaceMethod::solenthaler};
        Optics matte;
        matte.refractive_index = 1;
        TracedSurface surface;
        surface.field = std::make_shared<const TracedField>(
            device, make_field_surface(device, water.view(), settings, 0.5 * spacing, free_memory(), {}),
            settings.method, std::vector<SurfaceObstacle>{},
            std::vector<std::uint16_t>(water.position.size(), 0), std::vector<Optics>{matte},
            std::vector<float>{});
        trace(staged({surface}), camera,
              {.width = 640,
               .height = 480,
               .samples = 4,
               .first_samples = 4,
               .bounces = 0,
               .denoised = false,
               .threads = threads});
    });
    report("final", 1, [&] {
        const Matter wet = filled(spacing, [](const Vec3f&x) { return in_water(x) || in_ice(x); }),
                     ice = filled(spacing, in_ice);
        const PictureQuality& q = picture_quality("final");
        TraceSettings settings = q.trace();
        settings.width = 1280, settings.height = 720, settings.threads = threads;
        trace(staged({meshed(device, wet, material, false, q.resolution),
                      meshed(device, ice, material, true, q.resolution)}),
              camera, settings);
    });
}
