#include "scene/scale.h"

#include <fmt/format.h>

#include "scene/json_value.h"

namespace thixo {

namespace {

void scale_material(Material& material, const Scale& by) {
    material.heat.conductivity *= by.heat;
    material.heat.diffusivity *= by.heat;
    if (material.heat.transition == PhaseTransition::stochastic) {
        material.heat.melting_rate *= by.heat;
        material.heat.freezing_rate *= by.heat;
    }
    material.solid.young_modulus *= by.stiffness;
    material.solid.break_stress *= by.stiffness;
    material.liquid.viscosity *= by.viscosity;
    for (ViscosityPoint& point : material.liquid.viscosity_table) point.viscosity *= by.viscosity;
}

/// The ranges of describe_materials.h, so that a resolved scene can be read again.
void check_ranges(const Material& material, const Report& report) {
    const std::string path = join_path("materials", material.name);
    const auto within = [&](double value, double min, double max, const char* what, const char* unit) {
        if (value >= min && value <= max) return;
        report(path, fmt::format("with its scale {} is {:g} {}; allowed: {:g} to {:g}", what, value, unit,
                                 min, max));
    };
    within(material.solid.young_modulus, 1e-3, 1e12, "young_modulus", "Pa");
    within(material.solid.break_stress, 0, 1e12, "break_stress", "Pa");
    within(material.heat.conductivity, 0, 1e9, "conductivity", "W/(m K)");
    within(material.heat.diffusivity, 0, 1e6, "diffusivity", "m²/s");
    within(material.heat.melting_rate, 0, 1e9, "melting_rate", "1/(s K)");
    within(material.heat.freezing_rate, 0, 1e9, "freezing_rate", "1/(s K)");
    within(material.liquid.viscosity, 0, 1e12, "viscosity", "Pa s");
    for (const ViscosityPoint& point : material.liquid.viscosity_table)
        within(point.viscosity, 1e-300, 1e12, "a viscosity of the table", "Pa s");
}

}  // namespace

void apply_scale(Scene& scene, const Report& report) {
    Model& model = scene.model;
    for (Material& material : model.materials) {
        if (!material.scale.applied) scale_material(material, material.scale);
        if (!scene.scale.applied) scale_material(material, scene.scale);
        if (material.scale.acts() || scene.scale.acts()) check_ranges(material, report);
        material.scale.applied = material.scale.acts();
    }
    if (!scene.scale.applied) {
        model.ambient.heat_transfer *= scene.scale.heat;
        for (Obstacle& obstacle : model.obstacles)
            if (obstacle.heat_transfer) *obstacle.heat_transfer *= scene.scale.heat;
        for (Heater& heater : model.heaters) {
            if (heater.power) *heater.power *= scene.scale.heat;
            heater.response /= scene.scale.heat;
        }
    }
    scene.scale.applied = scene.scale.acts();
}

std::string describe_scale(const Scene& scene) {
    std::string text;
    const auto add = [&](const std::string& line) {
        text += fmt::format("{}{}\n", text.empty() ? "scale        " : "             ", line);
    };
    const auto describe = [&](const Scale& scale, const std::string& of) {
        if (scale.heat != 1)
            add(fmt::format("{}heat × {:g}: 1 s shows what takes {:g} s in nature", of, scale.heat,
                            scale.heat));
        if (scale.stiffness != 1)
            add(fmt::format("{}stiffness × {:g}: bends {:g} times as far under the same load", of,
                            scale.stiffness, 1 / scale.stiffness));
        if (scale.viscosity != 1) add(fmt::format("{}viscosity × {:g}", of, scale.viscosity));
    };
    describe(scene.scale, "all matter: ");
    for (const Material& material : scene.model.materials)
        describe(material.scale, fmt::format("`{}`: ", material.name));
    return text;
}

}  // namespace thixo
