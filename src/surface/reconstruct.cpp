#include "surface/reconstruct.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>

#include "core/error.h"
#include "surface/match_level.h"
#include "surface/slivers.h"
#include "surface/smooth.h"

namespace thixo {

namespace {

/// The surface is moved by a radius at most: spray that holds too much or too little is not made up for by the sea below it. Beyond the value of the outside there is no surface.
constexpr double most_shift = 1;

/// The level whose surface encloses the volume.
double matching_level(const Device& device, const SurfaceField& field, double wanted, double limit) {
    return thixo::matching_level(wanted, limit, [&](double level) {
        return extents(device, polygonise(device, field, static_cast<float>(level), false).mesh);
    });
}

/// The relative error of the volume of an active surface that is left alone.
constexpr double most_active_error = 8e-3;

double volume_error(const Device& device, const SurfaceField& field, double wanted) {
    return std::abs(extents(device, polygonise(device, field, 0, false).mesh).volume - wanted) / wanted;
}

/// Makes the surface φ = level the one at φ = 0.
void shift(const Device& device, SurfaceField& field, View<const BlockBits> band, double level) {
    launch<small_grain>(device, field.grid.size(), [&, by = static_cast<float>(level)](Index b) {
        for (int node = 0; node < block_nodes; ++node) {
            float& phi = field.values[std::size_t{block_nodes} * b + static_cast<std::size_t>(node)];
            if (band[b].at(node % block_width, node / block_width % block_width,
                           node / (block_width * block_width)))
                phi = std::clamp(phi - by, field.inside, field.outside);
        }
    });
}

}  // namespace

void check_usable(const SurfaceParticles& particles) {
    for (std::size_t i = 0; i < particles.position.size(); ++i) {
        if (!is_finite(particles.position[i]))
            throw InputError(fmt::format("particle {} has no finite position", i));
        if (!(particles.radius[i] > 0) || !std::isfinite(particles.radius[i]))
            throw InputError(
                fmt::format("particle {} has the radius {}; a surface needs particles with a size", i,
                            particles.radius[i]));
    }
}

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
                    double radius, double memory, const std::vector<SurfaceObstacle>& obstacles,
                    const std::optional<ActiveState>& last) {
    check_usable(particles);
    Surface out;
    if (particles.position.empty()) return out;
    const MirroredParticles mirrored = mirror(device, particles, obstacles);
    out.volume = reduce_sum(device, static_cast<Index>(particles.position.size()),
                            [&](Index i) { return double{mirrored.volume[i]}; });
    const double cell = settings.resolution * radius;
    const Occupancy occupancy =
        find_occupancy(device, mirrored.view(), settings.method, cell, Occupancy::Extent::band, memory);
    BandBlocks blocks = band_blocks(device, occupancy, cell, obstacles, memory);
    FieldParticles prepared =
        prepare_particles(device, mirrored.view(), settings.method,
                          band_particles(device, occupancy, blocks, mirrored.position, reach_bins));
    for (Index& row : prepared.order) {
        prepared.image.push_back(row >= particles.position.size());
        row = mirrored.source[row];
    }
    const std::vector<BlockBits> band = blocks.band;
    SurfaceField field = make_field(device, prepared, settings.method, std::move(blocks));
    clip(device, obstacles, field);
    const double limit = std::min(most_shift * radius, 0.95 * double{field.outside});
    if (settings.match_volume) out.level = matching_level(device, field, out.volume, limit);
    if (settings.method == SurfaceMethod::active) {
        shift(device, field, band, std::exchange(out.level, 0));
        track(device, last, field, band, out.volume, radius);
        out.active = state_of(field);
        // Moved as a whole only where the surface itself does not hold its volume: otherwise that would be seen as flicker.
        if (settings.match_volume && volume_error(device, field, out.volume) > most_active_error)
            out.level = matching_level(device, field, out.volume, limit);
    }

    Polygonisation surface = polygonise(device, field, static_cast<float>(out.level), true);
    VertexNotes notes;
    add_attributes(device, field, prepared, attributes, surface, notes.neighbours);
    notes.on_wall = std::move(surface.on_wall);
    if (settings.specks > 0) {
        const float smallest = *std::min_element(mirrored.volume.begin(), mirrored.volume.end());
        drop_specks(surface.mesh, settings.specks * smallest, notes);
    }
    if (settings.slivers > 0) collapse_slivers(surface.mesh, settings.slivers * cell, notes);
    std::vector<float>& weight = notes.neighbours;
    launch(device, static_cast<Index>(weight.size()),
           [w = View(weight), wall = View(notes.on_wall)](Index v) {
               w[v] = !wall.empty() && wall[v] ? 0 : std::min(1.f, w[v] / full_neighbours);
           });
    smooth(device, surface.mesh, weight, settings.smooth);
    out.mesh = std::move(surface.mesh);
    out.report = examine(device, out.mesh);
    if (settings.keep_field) out.field = std::move(field);
    return out;
}

}  // namespace thixo
