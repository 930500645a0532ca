#pragma once

#include "scene/json_value.h"
#include "scene/problems.h"
#include "scene/scene.h"
#include "sim/event.h"

namespace thixo {

/// Fills a scene from a JSON tree by the table of describe.h. Problems of single keys are added to
/// `problems`: unknown and missing keys, wrong types, ranges, names.
Scene read_scene(const JsonValue& root, Problems& problems);

/// The same for an event, {"step": 12, "push": {…}}, and for its action alone.
Event read_event(const JsonValue& value, Problems& problems);
Action read_action(const JsonValue& value, Problems& problems);

}  // namespace thixo
