#include "surface/reconstruct.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>

#include "surface/particle_field.h"
#include "surface/slivers.h"
#include "surface/smooth.h"

namespace thixo {

namespace {

/// The relative error of the volume of an active surface that is left alone.
constexpr double most_active_error = 8e-3;

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

float smallest_volume(const Device& device, const SurfaceParticles& particles) {
    return -reduce_max(device, static_cast<Index>(particles.position.size()), -1e30f,
                       [&](Index i) { return -particles.volume_of(i); });
}

/// Moves the field of the density and its surface to those of the active surface, which follows them.
ActiveState follow(const Device& device, const std::optional<ActiveState>& last, ParticleField& made,
                   LevelSurface& found, const SurfaceSettings& settings, double volume, double radius) {
    shift(device, made.field, made.band, found.level);
    track(device, last, made.field, made.band, volume, radius);
    found = {polygonise(device, made.field, 0, true), 0};
    // Moved as a whole only where the surface itself does not hold its volume: otherwise that would be seen
    // as flicker.
    const double error = std::abs(extents(device, found.surface.mesh).volume - volume) / volume;
    if (settings.match_volume && error > most_active_error)
        found = matched_surface(device, made.field, volume, made.most_shift(radius));
    return state_of(made.field);
}

}  // namespace

double free_memory() {
    // What the system would give back from its caches counts as free; the number of free pages alone is far
    // too low.
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
    check_usable(device, particles);
    Surface out;
    if (particles.position.empty()) return out;
    out.volume = volume_of(device, particles);
    const double cell = settings.resolution * radius;
    ParticleField made = make_particle_field(device, mirror(device, particles, obstacles), settings.method,
                                             cell, memory, obstacles);
    LevelSurface found = settings.match_volume
                             ? matched_surface(device, made.field, out.volume, made.most_shift(radius))
                             : LevelSurface{polygonise(device, made.field, 0, true), 0};
    if (settings.method == SurfaceMethod::active)
        out.active = follow(device, last, made, found, settings, out.volume, radius);
    out.level = found.level;

    SurfaceMesh& mesh = found.surface.mesh;
    VertexNotes notes;
    // Neighbours are what smoothing weighs vertices by.
    if (!attributes.empty() || settings.smooth > 0)
        add_attributes(device, made.field, made.particles, attributes, found.surface, notes.neighbours);
    notes.contact = std::move(found.surface.contact);
    const std::vector<Vec3f> on_grid = obstacles.empty() ? std::vector<Vec3f>{} : mesh.vertices;
    meet_walls(device, obstacles, notes.contact, meet_from_grid * cell, mesh);
    put_back_turned(mesh, notes.contact, on_grid, false);
    if (settings.specks > 0) drop_specks(mesh, settings.specks * smallest_volume(device, particles), notes);
    if (settings.slivers > 0) collapse_slivers(mesh, settings.slivers * cell, notes);
    const VertexTriangles around = triangles_of_vertices(mesh);
    if (settings.smooth > 0) {
        smooth(device, mesh, around, notes, settings.smooth);
        meet_walls(device, obstacles, notes.contact, meet_from_chord * cell, mesh);
    }
    out.report = examine(device, mesh, around);
    out.mesh = std::move(mesh);
    if (settings.keep_field) out.field = std::move(made.field);
    return out;
}

}  // namespace thixo
