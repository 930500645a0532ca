#pragma once

#include <string>
#include <vector>

#include "core/vec.h"
#include "core/view.h"
#include "scene/scene.h"
#include "view/subject.h"

namespace thixo {

/// The particle whose ball a ray meets first, or its number of particles.
Index picked(View<const Vec3f> position, View<const float> radius, const PickRay& ray);

/// Names of what particles refer to by number.
std::string name_in(const std::vector<std::string>& names, std::size_t number);
std::vector<std::string> object_names(const Scene& scene);
std::vector<std::string> material_names(const Scene& scene);

/// Attributes that are numbers of things.
bool is_category(std::string_view attribute);

/// The unit of a column of the particle table, or of the speed; empty for others.
std::string unit_of(std::string_view attribute);

}  // namespace thixo
