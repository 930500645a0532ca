#include "scene/solver_preset.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "fluid/pressure_methods.h"
#include "scene/finish.h"

namespace thixo {

namespace {

constexpr std::array<std::string_view, 5> preset_keys{"pressure", "viscosity", "elasticity", "dfsph",
                                                      "viscosity_error"};

/// What refuses pressure that is solved for (check_methods.cpp).
bool needs_law(const Model& model) {
    return model.adaptivity.active() || model.solver.time_step == TimeStepMethod::individual ||
           model.solver.density == DensityMethod::continuity || model.solver.tension;
}

/// What refuses implicit elasticity.
bool needs_explicit_elasticity(const Model& model) {
    return model.solver.time_step == TimeStepMethod::individual;
}

}  // namespace

void complete_solver(Scene& scene, const JsonValue& root) {
    SolverSettings& solver = scene.model.solver;
    if (solver.preset != SolverPreset::fast) return;
    const JsonMember* written = root.find("solver");
    const auto is_given = [&](std::string_view key) { return written && written->value.find(key); };
    if (!is_given("pressure") && !needs_law(scene.model)) solver.pressure = PressureMethod::dfsph;
    const bool solved = entry_of(solver.pressure).solved;
    if (solved && !is_given("dfsph")) solver.dfsph = fast_dfsph;
    if (solved && !is_given("viscosity")) solver.viscosity = ViscosityMethod::implicit;
    if (!is_given("viscosity_error")) solver.viscosity_error = fast_viscosity_error;
    if (!is_given("elasticity") && !needs_explicit_elasticity(scene.model))
        solver.elasticity = ElasticIntegrator::implicit;
}

void clear_preset_keys(JsonValue& root) {
    JsonMember* solver = root.find("solver");
    if (!solver) return;
    if (auto* keys = solver->value.as<JsonValue::Object>())
        std::erase_if(*keys, [](const JsonMember& member) {
            return std::find(preset_keys.begin(), preset_keys.end(), member.key) != preset_keys.end();
        });
}

std::string describe_preset(const SolverSettings& solver) {
    if (solver.preset != SolverPreset::fast) return {};
    std::string text = fmt::format("preset `fast`: pressure `{}`", entry_of(solver.pressure).name);
    if (entry_of(solver.pressure).solved)
        text += fmt::format(" (density {:g} %, divergence {:g} %)", 100 * solver.dfsph.density_error,
                            100 * solver.dfsph.divergence_error);
    if (entry_of(solver.pressure).solved && solver.dfsph.long_steps) text += ", long steps";
    if (solver.viscosity == ViscosityMethod::implicit)
        text += fmt::format(", viscosity `implicit` ({:g} %)", 100 * solver.viscosity_error);
    text += solver.elasticity == ElasticIntegrator::implicit
                ? fmt::format(", elasticity `implicit` ({:g} %)", 100 * solver.elasticity_error)
                : ", elasticity `explicit`";
    return text;
}

}  // namespace thixo
