#pragma once

#include <string>
#include <vector>

#include "physics/tank.h"
#include "scene/load.h"
#include "unit/scene/support.h"

namespace thixo {

/// A scene as it lies in scenes/, changed here and there.
inline Scene scene_file(const std::string& name, const std::vector<std::string>& overrides = {}) {
    return load_scene(test::repository() / "scenes" / (name + ".json"), overrides);
}

inline Simulation start(const Scene& scene) {
    return {scene.model, populate(scene.model, scene.model.objects)};
}

/// An override of a number.
inline std::string setting(std::string key, double value) {
    key += '=';
    return key += std::to_string(value);
}

}  // namespace thixo
