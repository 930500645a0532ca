#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace thixo {

/// Told what is wrong, and at which path.
using Report = std::function<void(const std::string& path, const std::string& message)>;

// Checks of one entry of a list, of keys that are right one by one. `path` is where the entry is.
void check_motion(const Motion& motion, int dimensions, const std::string& path, const Report& report);
/// Entry `k` of what is held of an object.
void check_held(const Object& object, std::size_t k, int dimensions, const std::string& path,
                const Report& report);
void check_emitter(const Emitter& emitter, double spacing, int dimensions, const std::string& path,
                   const Report& report);
void check_heat_constants(const HeatSettings& heat, const std::string& path, const Report& report);
void check_viscosities(const std::vector<ViscosityPoint>& table, const std::string& path,
                       const Report& report);
void check_heater(const Heater& heater, const std::string& path, const Report& report);
/// `conducts`: whether some material does.
void check_wall_heat(const Obstacle& obstacle, bool conducts, const std::string& path, const Report& report);
/// What of the keys of a solid its model knows.
void check_solid(const SolidSettings& solid, const std::string& path, const Report& report);
void check_window(double start, double stop, const std::string& path, const Report& report);

}  // namespace thixo
