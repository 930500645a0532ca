#include "fill.h"

#include <fmt/core.h>

#include "sim/populate.h"

namespace thixo {

ParticleTable fill(const SceneWithSource& source) {
    const Scene& scene = source.scene;
    ParticleTable particles = populate(scene.model, scene.objects);
    if (const auto misplaced = find_misplacement(scene.model, scene.objects, particles)) {
        throw source.error(fmt::format("objects.{}.shape", misplaced->object), misplaced->reason);
    }
    return particles;
}

}  // namespace thixo
