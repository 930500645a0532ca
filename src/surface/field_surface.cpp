#include "surface/field_surface.h"

#include <algorithm>

#include "surface/match_level.h"
#include "surface/mesh_report.h"
#include "surface/polygonise.h"
#include "surface/reconstruct.h"

namespace thixo {

FieldSurface make_field_surface(const Device& device, const SurfaceParticles& particles,
                                const SurfaceSettings& settings, double radius, double memory,
                                const std::vector<SurfaceObstacle>& obstacles) {
    check_usable(particles);
    const MirroredParticles mirrored = mirror(device, particles, obstacles);
    const double volume = reduce_sum(device, static_cast<Index>(particles.position.size()),
                                     [&](Index i) { return double{mirrored.volume[i]}; });
    const double cell = settings.resolution * radius;
    const Occupancy occupancy =
        find_occupancy(device, mirrored.view(), settings.method, cell, Occupancy::Extent::band, memory);
    BandBlocks blocks = band_blocks(device, occupancy, cell, obstacles, memory);
    FieldParticles prepared =
        prepare_particles(device, mirrored.view(), settings.method,
                          band_particles(device, occupancy, blocks, mirrored.position, reach_bins));
    for (Index& row : prepared.order) row = mirrored.source[row];
    SurfaceField field = make_field(device, prepared, settings.method, std::move(blocks));
    clip(device, obstacles, field);
    const double limit = std::min(radius, 0.95 * double{field.outside});
    const double level =
        settings.match_volume
            ? matching_level(volume, limit,
                             [&](double at) {
                                 return extents(
                                     device, polygonise(device, field, static_cast<float>(at), false).mesh);
                             })
            : 0;
    return {std::move(field), std::move(prepared), level};
}

}  // namespace thixo
