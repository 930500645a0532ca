#include "surface/reconstruct.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "core/error.h"
#include "surface/smooth.h"

namespace thixo {

namespace {

/// The surface is moved by a radius at most: spray that holds too much or too little is not made up for by the sea below it. Beyond the value of the outside there is no surface.
constexpr double most_shift = 1;

/// A particle with so many neighbours within two spacings moves freely when a surface is smoothed; single drops hardly move.
constexpr float full_neighbours = 13;

void check(const SurfaceParticles& particles) {
    for (std::size_t i = 0; i < particles.position.size(); ++i) {
        if (!is_finite(particles.position[i]))
            throw InputError(fmt::format("particle {} has no finite position", i));
        if (!(particles.radius[i] > 0) || !std::isfinite(particles.radius[i]))
            throw InputError(
                fmt::format("particle {} has the radius {}; a surface needs particles with a size", i,
                            particles.radius[i]));
    }
}

/// The level whose surface encloses the volume, by the secant method; the area is the derivative to begin with.
double matching_level(const Device& device, const SurfaceField& field, double wanted, double limit) {
    const auto volume_at = [&](double level) {
        return extents(device, polygonise(device, field, static_cast<float>(level), false).mesh);
    };
    Extents now = volume_at(0);
    double level = 0, slope = now.area;
    for (int round = 0; round < 6; ++round) {
        if (std::abs(now.volume - wanted) < 2e-3 * wanted || !(slope > 0)) break;
        const double next = std::clamp(level + (wanted - now.volume) / slope, -limit, limit);
        if (next == level) break;
        const Extents then = volume_at(next);
        slope = (then.volume - now.volume) / (next - level);
        level = next;
        now = then;
    }
    return level;
}

}  // namespace

double free_memory() {
    // What the system would give back from its caches counts as free; the number of free pages alone is far too low.
    std::ifstream in("/proc/meminfo");
    std::string word;
    while (in >> word) {
        double kilobytes = 0;
        if (word == "MemAvailable:" && in >> kilobytes) return 1024 * kilobytes;
    }
    return static_cast<double>(::sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

Surface reconstruct(const Device& device, const SurfaceParticles& particles,
                    const std::vector<ParticleAttribute>& attributes, const SurfaceSettings& settings,
                    double radius, double memory, const std::vector<SurfaceObstacle>& obstacles) {
    check(particles);
    Surface out;
    if (particles.position.empty()) return out;
    const MirroredParticles mirrored = mirror(device, particles, obstacles);
    out.volume = reduce_sum(device, static_cast<Index>(particles.position.size()),
                            [&](Index i) { return double{mirrored.volume[i]}; });
    FieldParticles prepared = prepare_particles(device, mirrored.view(), settings.method);
    for (Index& row : prepared.order) row = mirrored.source[row];
    SurfaceField field = make_field(device, prepared, settings.method, settings.resolution * radius, memory);
    clip(device, obstacles, field);
    const double limit = std::min(most_shift * radius, 0.95 * double{field.outside});
    if (settings.match_volume) out.level = matching_level(device, field, out.volume, limit);

    Polygonisation surface = polygonise(device, field, static_cast<float>(out.level), true);
    std::vector<float> weight;
    add_attributes(device, field, prepared, attributes, surface, weight);
    if (settings.specks > 0) {
        const float smallest = *std::min_element(prepared.volume.begin(), prepared.volume.end());
        drop_specks(surface.mesh, settings.specks * smallest, weight, surface.on_wall);
    }
    launch(device, static_cast<Index>(weight.size()),
           [w = View(weight), wall = View(surface.on_wall)](Index v) {
               w[v] = !wall.empty() && wall[v] ? 0 : std::min(1.f, w[v] / full_neighbours);
           });
    smooth(device, surface.mesh, weight, settings.smooth);
    out.mesh = std::move(surface.mesh);
    out.report = examine(device, out.mesh);
    return out;
}

}  // namespace thixo
