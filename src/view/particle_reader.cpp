#include "view/particle_reader.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "particles/table.h"

namespace thixo {

void Subject::act(const Action&) { throw InputError("a run that is over cannot be touched"); }
std::string Subject::mesh(const std::string&, const ShownParticles& shown) const {
    return encode_mesh({}, {}, shown);
}
void Subject::restart() { throw InputError("a run that is over cannot begin anew"); }
void Subject::seek(long) { throw InputError("a simulation that runs cannot go back"); }

Index picked(View<const Vec3f> position, View<const float> radius, const PickRay& ray) {
    const auto n = static_cast<Index>(position.size());
    Index best = n;
    double nearest = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < n; ++i) {
        const Vec3d to = to_double(position[i]) - ray.origin;
        const double along = dot(to, ray.direction), r = radius[i];
        const double inside = r * r - (norm2(to) - along * along);
        if (along <= 0 || inside <= 0) continue;
        if (dot(ray.clip_normal, to_double(position[i])) > ray.clip_offset) continue;
        const double distance = along - std::sqrt(inside);
        if (distance >= nearest) continue;
        nearest = distance;
        best = i;
    }
    return best;
}

std::string name_in(const std::vector<std::string>& names, std::size_t number) {
    return number < names.size() ? names[number] : fmt::format("{}", number);
}

std::vector<std::string> object_names(const Scene& scene) {
    std::vector<std::string> names;
    for (const Object& object : scene.model.objects) names.push_back(object.name);
    for (const Emitter& emitter : scene.model.emitters) names.push_back(emitter.name);
    return names;
}

std::vector<std::string> material_names(const Scene& scene) {
    std::vector<std::string> names;
    for (const Material& material : scene.model.materials) names.push_back(material.name);
    return names;
}

bool is_category(std::string_view attribute) {
    constexpr std::string_view categories[] = {"phase", "material",      "object",
                                               "body",  "rigid_cluster", "kinematic_id"};
    return std::find(std::begin(categories), std::end(categories), attribute) != std::end(categories);
}

std::string unit_of(std::string_view attribute) {
    if (attribute == "speed") return "m/s";
    std::string found;
    ParticleTable().for_each_field([&](const auto&, std::string_view name, std::string_view unit) {
        if (name == attribute) found = unit == "degC" ? "°C" : unit == "kg/m3" ? "kg/m³" : unit;
    });
    return found;
}

}  // namespace thixo
