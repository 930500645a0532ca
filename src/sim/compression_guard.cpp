#include "sim/compression_guard.h"

#include <cmath>
#include <limits>
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

/// The deformable solid with the smallest modulus, which yields most to the same load.
std::string cause_in_solids(const Simulation& simulation) {
    const ParticleTable& particles = simulation.particles();
    const Material* softest = nullptr;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.phase[i] != Phase::elastic) continue;
        const Material& material = simulation.model().materials[particles.material[i]];
        if (!softest || material.solid.young_modulus < softest->solid.young_modulus) softest = &material;
    }
    return softest ? fmt::format(
                         "`{}` is too soft for its load; raise materials.{}.solid.young_modulus ({:g} Pa)",
                         softest->name, softest->name, softest->solid.young_modulus)
                   : "";
}

/// Matter of one kind.
struct Kind {
    const char* name;
    double compression, warning, stop;
    std::string (*cause)(const Simulation&);
};

std::string check_kind(const Kind& kind, const Simulation& simulation, const Statistics& statistics,
                       double& warned) {
    const double compression = kind.compression;
    if (compression > kind.stop)
        throw RunError(
            fmt::format("{} are compressed by {:.0f} % on average in frame {} at t = {:.6g} s (more "
                        "than {:.0f} % is "
                        "beyond what the method can compute): {}",
                        kind.name, 100 * compression, statistics.frame, statistics.time, 100 * kind.stop,
                        kind.cause(simulation)));
    if (compression <= kind.warning || compression < 2 * warned) return "";
    warned = compression;
    return fmt::format(
        "warning: {} are compressed by {:.0f} % on average in frame {} (expected: below {:.0f} %): {}",
        kind.name, 100 * compression, statistics.frame, 100 * kind.warning, kind.cause(simulation));
}

}  // namespace

std::string CompressionGuard::check(const Simulation& simulation, const Statistics& statistics) {
    // A hand may press a solid as far as it likes: that is no failure, and it ends with the hand.
    const bool touched = !simulation.events().applied().empty();
    const Kind kinds[] = {{"liquids", statistics.density_error, warning, stop, cause},
                          {"solids", statistics.solid_density_error, solid_warning,
                           touched ? std::numeric_limits<double>::infinity() : solid_stop, cause_in_solids}};
    const std::string of_liquids = check_kind(kinds[0], simulation, statistics, warned_),
                      of_solids = check_kind(kinds[1], simulation, statistics, warned_of_solids_);
    return of_liquids + (of_liquids.empty() || of_solids.empty() ? "" : "\n") + of_solids;
}

}  // namespace thixo
