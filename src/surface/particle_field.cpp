#include "surface/particle_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "surface/match_level.h"

namespace thixo {

namespace {

/// Half a spacing: farther out than the matter's own layer no shift is meant.
constexpr double most_shift_radii = 1;

/// Leaves nothing to be summed but the plane.
void keep_plane(BandBlocks& blocks) {
    for (Index b = 0; b < blocks.grid.size(); ++b)
        for (int z = 0; z < block_width; ++z)
            if (blocks.grid.place(b).z != 0 || z != 0) blocks.band[b].word[z] = 0;
}

}  // namespace

double ParticleField::most_shift(double radius) const {
    return std::min(most_shift_radii * radius, 0.95 * double{field.outside});
}

ParticleField make_particle_field(const Device& device, const MirroredParticles& matter, SurfaceMethod method,
                                  double cell, double memory, const std::vector<SurfaceObstacle>& obstacles,
                                  FieldPart part) {
    const SurfaceParticles all = matter.view();
    const Occupancy occupancy = find_occupancy(device, all, method, cell, Occupancy::Extent::band, memory);
    BandBlocks blocks = band_blocks(device, occupancy, cell, obstacles, memory);
    FieldParticles prepared = prepare_particles(
        device, all, method, band_particles(device, occupancy, blocks, all.position, reach_bins));
    if (!matter.source.empty()) {
        prepared.image.resize(prepared.order.size());
        launch(device, static_cast<Index>(prepared.order.size()),
               [&matter, row = View(prepared.order), image = View(prepared.image)](Index k) {
                   image[k] = row[k] >= matter.real;
                   row[k] = matter.source[row[k]];
               });
    }
    if (part == FieldPart::plane) keep_plane(blocks);
    std::vector<BlockBits> band = blocks.band;
    SurfaceField field = make_field(device, prepared, method, std::move(blocks));
    clip(device, obstacles, field);
    return {std::move(field), std::move(prepared), std::move(band)};
}

LevelSurface matched_surface(const Device& device, const SurfaceField& field, double volume, double limit) {
    LevelSurface out;
    // The level that is found is the last one that was tried.
    out.level = matching_level(volume, limit, [&](double level) {
        out.surface = polygonise(device, field, static_cast<float>(level), true);
        return extents(device, out.surface.mesh);
    });
    return out;
}

void check_usable(const Device& device, const SurfaceParticles& particles) {
    const auto is_usable = [&](Index i) {
        return is_finite(particles.position[i]) && particles.radius[i] > 0 &&
               std::isfinite(particles.radius[i]);
    };
    const auto n = static_cast<Index>(particles.position.size());
    const Index first =
        n - reduce_max(device, n, Index{0}, [&](Index i) { return is_usable(i) ? Index{0} : n - i; });
    if (first == n) return;
    if (!is_finite(particles.position[first]))
        throw InputError(fmt::format("particle {} has no finite position", first));
    throw InputError(fmt::format("particle {} has the radius {}; a surface needs particles with a size",
                                 first, particles.radius[first]));
}

double volume_of(const Device& device, const SurfaceParticles& particles) {
    return reduce_sum(device, static_cast<Index>(particles.position.size()),
                      [&](Index i) { return double{particles.volume_of(i)}; });
}

}  // namespace thixo
