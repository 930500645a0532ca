#include "scene/check_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fluid/pressure_methods.h"
#include "scene/finish.h"
#include "scene/wording.h"

namespace thixo {

namespace {

/// Density as a state of each particle, and pressure as a function of it.
bool by_continuity(const SolverSettings& solver) {
    return solver.density == DensityMethod::continuity && !entry_of(solver.pressure).solved;
}

bool has_surface_tension(const Model& model) {
    return std::any_of(model.materials.begin(), model.materials.end(),
                       [](const Material& material) { return material.liquid.surface_tension > 0; });
}

void check_fluid_methods(const Model& model, const Report& report) {
    const SolverSettings& solver = model.solver;
    if (const PressureMethodEntry& pressure = entry_of(solver.pressure); pressure.solved) {
        if (solver.density == DensityMethod::continuity)
            report("solver.density", fmt::format("`{}` needs density `summation`", pressure.name));
        if (solver.tension)
            report("solver.tension",
                   fmt::format("`{}` has no negative pressure; allowed: false", pressure.name));
    }
    const bool solid = std::any_of(model.objects.begin(), model.objects.end(),
                                   [](const Object& object) { return object.phase != Phase::liquid; });
    if (solver.tension && solid)
        report("solver.tension", "liquids with negative pressure stick to solid objects; allowed: false");
    for (std::size_t i = 0; i < model.obstacles.size(); ++i) {
        if (model.obstacles[i].no_slip && solver.viscosity == ViscosityMethod::artificial)
            report(fmt::format("obstacles.{}.no_slip", i),
                   "solver.viscosity `artificial` does not act on walls; take `laplacian` or `implicit`, or "
                   "friction");
    }
}

/// Methods that do not support particles of different size.
void check_adaptivity(const Model& model, const Report& report) {
    const AdaptivitySettings& adaptivity = model.adaptivity;
    if (adaptivity.refine && adaptivity.simplify && *adaptivity.simplify * 7 > *adaptivity.refine)
        report("adaptivity.simplify",
               fmt::format(
                   "{} must be below a seventh of `refine`, {}: particles would split and merge in turns",
                   *adaptivity.simplify, *adaptivity.refine));
    if (!adaptivity.active()) return;
    const auto refuse = [&](const std::string& what) {
        report("adaptivity.coarsest", fmt::format("particles of different size {}", what));
    };
    // A pool of mixed sizes is as still with `dfsph` as with others, but where many particles split at once,
    // the jump of their sums becomes motion: in a splash the kinetic energy grew 150-fold in 0.12 s.
    if (!by_continuity(model.solver))
        refuse(
            "need density `continuity` and pressure `tait` or `state_equation`: the density by summation "
            "jumps "
            "when particles split, and `dfsph` turns the jump into motion within one step");
}

/// Methods that need all particles at the same time.
void check_time_steps(const Model& model, const Report& report) {
    if (model.solver.time_step != TimeStepMethod::individual) return;
    const auto refuse = [&](const std::string& what) { report("solver.time_step", "`individual` " + what); };
    if (!by_continuity(model.solver))
        refuse(
            "needs density `continuity` and pressure `tait` or `state_equation`: summation and solvers need "
            "all "
            "particles at the same time");
    if (model.solver.viscosity == ViscosityMethod::implicit)
        refuse("does not support `implicit` viscosity; take `laplacian` or `artificial`");
    if (model.solver.elasticity == ElasticIntegrator::implicit)
        refuse("does not support `implicit` elasticity: solids then take short steps; use `explicit`");
    if (model.solver.xsph > 0) refuse("does not support `xsph`; allowed: 0");
    if (has_surface_tension(model)) refuse("does not support surface tension; allowed: 0");
}

void check_solids(const Scene& scene, const Report& report) {
    const Model& model = scene.model;
    for (const Material& material : model.materials)
        check_solid(material.solid, join_path("materials", material.name) + ".solid", report);
}

/// Scenes in which a body may become partly rigid and partly elastic.
void check_cold_rigid(const Model& model, const Report& report) {
    const auto melts = [](const Material& m) { return m.heat.melting_point.has_value(); };
    const auto rigid = [](const Material& m) { return m.solid.cold == ColdState::rigid; };
    const std::vector<Material>& materials = model.materials;
    for (const Material& m : materials) {
        if (rigid(m) && m.solid.model == SolidModel::lattice)
            report(join_path("materials", m.name) + ".solid.cold",
                   "solids of the model `lattice` are never rigid; allowed: \"elastic\"");
    }
    for (std::size_t i = 0; i < model.objects.size(); ++i) {
        const Object& object = model.objects[i];
        if (object.phase != Phase::rigid) continue;
        const auto material = std::find_if(materials.begin(), materials.end(),
                                           [&](const Material& m) { return m.name == object.material; });
        if (material != materials.end() && melts(*material) && !rigid(*material))
            report(fmt::format("objects.{}.phase", i),
                   fmt::format(
                       "`{}` melts and is elastic below its freezing point; give it \"solid\": {{\"cold\": "
                       "\"rigid\"}}",
                       material->name));
    }
}

}  // namespace

void check_methods(const Scene& scene, const Report& report) {
    check_fluid_methods(scene.model, report);
    check_adaptivity(scene.model, report);
    check_time_steps(scene.model, report);
    check_solids(scene, report);
    check_cold_rigid(scene.model, report);
}

}  // namespace thixo
