#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace thixo {

/// Called with the path and the message of each problem.
using Report = std::function<void(const std::string& path, const std::string& message)>;

// Checks across the keys of one list entry; each key alone is already valid. `path` is the path of the entry.
void check_motion(const Motion& motion, int dimensions, const std::string& path, const Report& report);
/// Kinematic region `k` of an object.
void check_held(const Object& object, std::size_t k, int dimensions, const std::string& path,
                const Report& report);
/// `spacing` of the particles, m.
void check_skin(const Object& object, double spacing, int dimensions, const std::string& path,
                const Report& report);
void check_emitter(const Emitter& emitter, double spacing, int dimensions, const std::string& path,
                   const Report& report);
void check_heat_constants(const HeatSettings& heat, const std::string& path, const Report& report);
void check_viscosities(const std::vector<ViscosityPoint>& table, const std::string& path,
                       const Report& report);
void check_heater(const Heater& heater, const std::string& path, const Report& report);
/// `conducts`: whether any material conducts heat.
void check_wall_heat(const Obstacle& obstacle, bool conducts, const std::string& path, const Report& report);
/// Refuses keys of a solid that its model does not have.
void check_solid(const SolidSettings& solid, const std::string& path, const Report& report);
void check_window(double start, double stop, const std::string& path, const Report& report);

}  // namespace thixo
