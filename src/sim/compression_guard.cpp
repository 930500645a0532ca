#include "sim/compression_guard.h"

#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "core/error.h"
#include "fluid/pressure_methods.h"

namespace thixo {

namespace {

struct Compression {
    double sum = 0;
    std::uint64_t count = 0;

    double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
};

/// The liquid that is compressed most.
std::uint16_t most_compressed(const Simulation& simulation) {
    const ParticleTable& particles = simulation.particles();
    const std::vector<Material>& materials = simulation.model().materials;
    std::vector<Compression> each(materials.size());
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.phase[i] != Phase::liquid) continue;
        Compression& compression = each[particles.material[i]];
        compression.sum += std::max(0.0, particles.density[i] / materials[particles.material[i]].density - 1);
        ++compression.count;
    }
    std::uint16_t most = 0;
    for (std::uint16_t k = 1; k < each.size(); ++k)
        if (each[k].mean() > each[most].mean()) most = k;
    return most;
}

/// What carries the load too weakly. Under its own weight a liquid of a depth d is compressed by g d/c².
std::string cause(const Simulation& simulation) {
    const Model& model = simulation.model();
    const Material& material = model.materials[most_compressed(simulation)];
    const double g = norm(model.gravity), c = material.liquid.sound_speed;
    if (entry_of(model.solver.pressure).solved)
        return fmt::format(
            "the pressure solver does not keep up in `{}`; lower solver.time_step_scale ({:g}) or gravity "
            "({:g} m/s²), or raise solver.dfsph.max_iterations",
            material.name, model.solver.time_step_scale, g);
    std::string text = fmt::format(
        "the pressure of `{}` is too weak for its load; raise materials.{}.liquid.sound_speed ({:g} m/s)",
        material.name, material.name, c);
    if (g > 0)
        text += fmt::format(" or lower gravity ({:g} m/s²): together they carry a depth of {:.2g} m", g,
                            CompressionGuard::warning * c * c / g);
    return text;
}

}  // namespace

std::string CompressionGuard::check(const Simulation& simulation, const Statistics& statistics) {
    const double compression = statistics.density_error;
    if (compression > stop)
        throw RunError(
            fmt::format("liquids are compressed by {:.0f} % on average in frame {} at t = {:.6g} s (more "
                        "than {:.0f} % is "
                        "beyond what the method can compute): {}",
                        100 * compression, statistics.frame, statistics.time, 100 * stop, cause(simulation)));
    if (compression <= warning || compression < 2 * warned_) return "";
    warned_ = compression;
    return fmt::format(
        "warning: liquids are compressed by {:.0f} % on average in frame {} (expected: below {:.0f} %): {}",
        100 * compression, statistics.frame, 100 * warning, cause(simulation));
}

}  // namespace thixo
