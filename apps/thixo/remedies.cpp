#include "remedies.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "core/error.h"
#include "fluid/pressure_methods.h"
#include "heat/content.h"
#include "scene/load.h"
#include "scene/wording.h"
#include "text.h"

namespace thixo {

namespace {

/// Runs that take less are left alone, s.
constexpr double short_run = 60;

/// A change is reported if it saves this fraction of the time.
constexpr double worth = 0.8;

/// Seconds that the forecast of one change may take.
constexpr double budget = 1.5;

/// Heat that is slower than what can be seen by less than this factor is left alone: the rule is no sharper.
constexpr double least_factor = 2;

/// Changes that may help against what limits the step, as `--set` takes them.
std::vector<std::string> candidates(const Scene& scene, const std::string& limit) {
    std::vector<std::string> out;
    const bool elastic =
        limit.starts_with("elastic") || limit.starts_with("damping of") || limit.starts_with("contact of b");
    const bool waves = elastic || limit.starts_with("lattice");
    if (waves && scene.model.solver.elasticity != ElasticIntegrator::implicit)
        out.push_back("solver.elasticity=implicit");
    for (const Material& material : scene.model.materials)
        if (limit == fmt::format("damping of `{}`", material.name) &&
            material.name.find('.') == std::string::npos)
            out.push_back(fmt::format("materials.{}.solid.damping={:.3g}", material.name,
                                      0.1 * material.solid.damping));
    if (waves) out.push_back(fmt::format("scale.stiffness={:g}", 0.01 * scene.scale.stiffness));
    if (limit.starts_with("sound") && !entry_of(scene.model.solver.pressure).solved)
        out.push_back("solver.pressure=dfsph");
    if (limit.starts_with("viscosity") && scene.model.solver.viscosity != ViscosityMethod::implicit)
        out.push_back("solver.viscosity=implicit");
    const double coarser = 1.5 * scene.model.particles.spacing;
    out.push_back(fmt::format("particles.spacing={:.3g}", coarser));
    return out;
}

/// The line of one change, or nothing if it does not help or is not possible.
std::string describe_change(const CheckOptions& options, const Device& device, const Population& population,
                            const Forecast& now, double seconds, const std::string& change) {
    try {
        std::vector<std::string> overrides = options.overrides;
        overrides.push_back(change);
        const Scene changed = load_scene(options.scene, overrides);
        // A coarser spacing is a coarser copy too: only the number of particles distinguishes them.
        Population then{population.particles, population.emitted, {}};
        if (change.starts_with("particles.spacing")) {
            const double fewer = std::pow(1.5, -changed.model.dimensions);
            then.particles *= fewer;
            then.emitted *= fewer;
        }
        const Forecast with = forecast(changed, device, then, budget);
        if (with.covered <= 0 || with.diverged || !(now.seconds() > 0)) return "";
        const double ratio = with.seconds() / now.seconds();
        if (!(ratio < worth)) return "";
        return fmt::format("with --set {}: about {}", change, human_seconds(ratio * seconds));
    } catch (const InputError&) {
        return "";
    }
}

/// How deep heat gets, where something may melt, freeze or be heated. Less than a few spacings cannot be
/// seen.
std::vector<std::string> describe_heat(const Scene& scene) {
    std::vector<std::string> out;
    const Model& model = scene.model;
    const bool heated =
        !model.heaters.empty() || model.ambient.heat_transfer > 0 ||
        std::any_of(model.obstacles.begin(), model.obstacles.end(),
                    [](const Obstacle& obstacle) { return obstacle.temperature.has_value(); });
    double coldest = 1e9, hottest = -1e9;
    for (const Object& object : model.objects) {
        coldest = std::min(coldest, object.temperature);
        hottest = std::max(hottest, object.temperature);
    }
    if (!heated && !(hottest > coldest + 1)) return out;
    const bool any_melts =
        std::any_of(model.materials.begin(), model.materials.end(),
                    [](const Material& material) { return material.heat.melting_point.has_value(); });
    for (const Material& material : model.materials) {
        const HeatConstants constants(material);
        if (!(constants.k > 0) || (any_melts && !material.heat.melting_point)) continue;
        const double diffusivity = constants.k / (material.density * constants.c);
        const double depth = std::sqrt(diffusivity * scene.duration), seen = 3 * model.particles.spacing;
        const double factor = std::pow(seen / depth, 2);
        if (factor < least_factor) continue;
        const double nice = std::pow(10, std::floor(std::log10(factor))) *
                            std::ceil(factor / std::pow(10, std::floor(std::log10(factor))));
        out.push_back(
            fmt::format("heat gets {:.2g} mm deep into `{}` in {:g} s, less than three particles; with --set "
                        "scale.heat={:g}: {:.2g} mm",
                        1000 * depth, material.name, scene.duration, nice * scene.scale.heat,
                        1000 * depth * std::sqrt(nice)));
    }
    return out;
}

}  // namespace

std::string describe_remedies(const CheckOptions& options, const Scene& scene, const Device& device,
                              const Population& population, const Forecast& now, double seconds) {
    std::vector<std::string> lines = describe_heat(scene);
    if (seconds > short_run && now.covered > 0) {
        for (const std::string& change : candidates(scene, now.limit)) {
            const std::string line = describe_change(options, device, population, now, seconds, change);
            if (!line.empty()) lines.push_back(line);
        }
    }
    std::string text;
    for (const std::string& line : lines)
        text += fmt::format("{}{}\n", text.empty() ? "remedies     " : "             ", line);
    return text;
}

}  // namespace thixo
