#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/json_value.h"
#include "scene/problems.h"

namespace thixo {

/// One step of a key path. `materials."a.b".density`, `objects.0.shape` and `objects[0].shape` are paths.
struct PathStep {
    std::string name;
    bool index = false;   ///< digits: an index where the path meets a list
    bool forced = false;  ///< in brackets (an index) or in quotes (a key), whatever it meets
};

/// Throws std::invalid_argument with the reason if `path` is malformed.
std::vector<PathStep> parse_path(std::string_view path);

/// Position of `path` in the input, or of the nearest enclosing key.
Position position_of(const JsonValue& root, std::string_view path);

/// Applies `path.to.key=value`. The value is JSON; other text is a string, so that `solver.kernel=spiky`
/// needs no quotes. Missing keys are created (whether they exist in the format is checked later, with all
/// others); an index equal to a list's length appends. Throws InputError.
void apply_override(JsonValue& root, std::string_view text, Sources& sources);

}  // namespace thixo
