#pragma once

#include "scene/json_value.h"
#include "scene/problems.h"
#include "scene/scene.h"

namespace thixo {

/// Fills a scene from a JSON tree by the table of describe.h. Problems of single keys are added to
/// `problems`: unknown and missing keys, wrong types, ranges, names.
Scene read_scene(const JsonValue& root, Problems& problems);

}  // namespace thixo
