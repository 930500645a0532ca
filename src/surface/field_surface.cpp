#include "surface/field_surface.h"

#include "surface/particle_field.h"

namespace thixo {

FieldSurface make_field_surface(const Device& device, const SurfaceParticles& particles,
                                const SurfaceSettings& settings, double radius, double memory,
                                const std::vector<SurfaceObstacle>& obstacles) {
    check_usable(device, particles);
    ParticleField made = make_particle_field(device, mirror(device, particles, obstacles), settings.method,
                                             settings.resolution * radius, memory, obstacles);
    const double level =
        settings.match_volume
            ? matched_surface(device, made.field, volume_of(device, particles), made.most_shift(radius)).level
            : 0;
    return {std::move(made.field), std::move(made.particles), level};
}

}  // namespace thixo
