#include "scene/memory.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "particles/lattice.h"
#include "scene/finish.h"
#include "scene/wording.h"

namespace thixo {

namespace {

/// Bytes of a particle in a run, rounded up from the resident memory of runs with 10,000 to 300,000
/// particles: liquids took 324 to 381, rigid bodies 573, lattice solids 1,390, and 510
/// more where they are implicit, elastic bodies with their links 2,440.
double bytes_each(const Scene& scene, const Object& object) {
    if (is_lattice_solid(scene, object))
        return scene.model.solver.elasticity == ElasticIntegrator::implicit ? 2000 : 1500;
    return object.phase == Phase::elastic ? 2500 : object.phase == Phase::rigid ? 600 : 400;
}
constexpr double emitted_bytes = 400;

double emitted(const Scene& scene) {
    if (!scene.model.sinks.empty()) return 0;
    double count = 0;
    for (const Emitter& emitter : scene.model.emitters)
        count += emitter.rate * std::max(0.0, std::min(emitter.stop, scene.duration) - emitter.start) /
                 cell_volume(Lattice::cubic, scene.model.particles.spacing, scene.model.dimensions);
    return count;
}

std::string gigabytes(double bytes) { return fmt::format("{:.3g} GB", bytes / 1e9); }

}  // namespace

double estimated_particles(const Scene& scene) {
    double count = emitted(scene);
    for (const Object& object : scene.model.objects)
        count += estimated_particles(object, scene.model.particles.spacing, scene.model.dimensions);
    return count;
}

double estimated_memory(const Scene& scene) {
    double bytes = emitted(scene) * emitted_bytes;
    for (const Object& object : scene.model.objects)
        bytes += bytes_each(scene, object) *
                 estimated_particles(object, scene.model.particles.spacing, scene.model.dimensions);
    return bytes;
}

void require_memory(const Scene& scene, double available, const Report& report) {
    const double bytes = estimated_memory(scene);
    if (bytes <= available) return;
    // Rounded up, so that what is typed in fits.
    const double spacing = scene.model.particles.spacing;
    double fitting = spacing * std::pow(bytes / std::max(available, 1.0), 1.0 / scene.model.dimensions);
    const double digit = std::pow(10, std::floor(std::log10(fitting)) - 2);
    fitting = digit * std::ceil(1.02 * fitting / digit);
    report("particles.spacing",
           fmt::format(
               "about {} particles need {} of memory, and {} can be had here (free memory, limits of the "
               "control group and of `ulimit`); a spacing of {:.3g} m would fit",
               count_text(estimated_particles(scene)), gigabytes(bytes), gigabytes(available), fitting));
}

}  // namespace thixo
