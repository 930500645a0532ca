#include "scene/check_instruments.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "scene/check_shape.h"
#include "scene/wording.h"

namespace thixo {

namespace {

bool has_direction(const Vec3d& v) { return norm(v) >= 1e-100; }

template <class T>
void add_names(const std::vector<T>& entries, std::vector<std::string_view>& names) {
    for (const T& entry : entries) names.push_back(entry.name);
}

/// What a probe may be a probe of.
std::vector<std::string_view> subjects(const Model& model, ProbeKind kind) {
    std::vector<std::string_view> names;
    if (kind == ProbeKind::force) {
        add_names(model.obstacles, names);
        add_names(model.grabs, names);
        for (const Object& object : model.objects)
            if (!object.held.empty() || object.release > 0) names.push_back(object.name);
    } else if (kind == ProbeKind::body) {
        add_names(model.objects, names);
    } else {
        add_names(model.materials, names);
    }
    return names;
}

void check_subject(const Model& model, const Probe& probe, const std::string& path, const Report& report) {
    const bool needed = probe.kind == ProbeKind::force || probe.kind == ProbeKind::body;
    if (probe.of.empty() && !needed) return;
    const std::vector<std::string_view> names = subjects(model, probe.kind);
    if (std::find(names.begin(), names.end(), probe.of) != names.end()) return;
    if (probe.of.empty()) return report(path, "the key \"of\" is missing" + suggestion("", names));
    report(path + ".of",
           fmt::format("there is no {}{}", thixo::quoted(probe.of), suggestion(probe.of, names)));
}

}  // namespace

void check_force_fields(const Scene& scene, const Report& report) {
    const int dimensions = scene.model.dimensions;
    for (std::size_t i = 0; i < scene.model.force_fields.size(); ++i) {
        const ForceField& field = scene.model.force_fields[i];
        const std::string path = fmt::format("force_fields.{}", i);
        if (field.region) check_shape(*field.region, dimensions, false, path + ".region", report);
        const bool has_axis = field.kind == FieldKind::line || field.kind == FieldKind::vortex;
        if (has_axis && dimensions == 3 && !has_direction(field.axis))
            report(path + ".axis", "must not be zero: it has no direction");
        if (dimensions == 2 && field.velocity.z != 0)
            report(path + ".velocity", fmt::format("z is {} but must be 0 in 2D", field.velocity.z));
        for (std::size_t k = 1; k < field.keyframes.size(); ++k)
            if (!(field.keyframes[k].time > field.keyframes[k - 1].time))
                report(fmt::format("{}.keyframes.{}.time", path, k),
                       fmt::format("times must increase; {} s follows {} s", field.keyframes[k].time,
                                   field.keyframes[k - 1].time));
        const bool negative = std::any_of(field.keyframes.begin(), field.keyframes.end(),
                                          [](const FieldKeyframe& key) { return key.factor < 0; });
        if (negative && field.kind == FieldKind::damping)
            report(path + ".keyframes", "a negative factor would speed matter up; allowed: at least 0");
    }
}

void check_probes(const Scene& scene, const Report& report) {
    for (std::size_t i = 0; i < scene.model.probes.size(); ++i) {
        const Probe& probe = scene.model.probes[i];
        const std::string path = fmt::format("probes.{}", i);
        if (probe.name.find_first_of(",\"\n\r") != std::string::npos)
            report(path + ".name", "a comma, quote or line break cannot be in the name of a column");
        check_subject(scene.model, probe, path, report);
        const bool directed = probe.kind == ProbeKind::front || probe.kind == ProbeKind::flow;
        if (directed && !has_direction(probe.direction))
            report(path + ".direction", "must not be zero: it has no direction");
        if (probe.kind != ProbeKind::flow) continue;
        if (!(probe.width > 0)) report(path + ".width", "the rectangle of a flow must have a width");
        if (scene.model.dimensions == 2) continue;
        if (!(probe.height > 0)) report(path + ".height", "the rectangle of a flow must have a height");
        if (norm(cross(probe.direction, probe.up)) < 1e-9 * norm(probe.direction) * norm(probe.up) ||
            !has_direction(probe.up))
            report(path + ".up", "must not be along `direction`: it is the rectangle's height");
    }
}

}  // namespace thixo
