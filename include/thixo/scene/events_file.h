#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "thixo/core/export.h"
#include "thixo/scene/scene.h"
#include "thixo/sim/event.h"

namespace thixo {

/// Reads a file of events, a line of JSON each (docs/viewer.md). Steps must not decrease. What is wrong, also
/// with respect to the scene, is thrown as one InputError with a line each: `events.jsonl:3:14: grab.radius:
/// must be above 0 m`.
THIXO_API std::vector<Event> load_events(const std::filesystem::path& file, const Scene& scene);

/// The same from text; `file_name` appears in messages.
THIXO_API std::vector<Event> parse_events(std::string_view text, const std::string& file_name,
                                          const Scene& scene);

/// One event without a step, as a program gets it from elsewhere: `{"release": {"hand": 1}}`.
THIXO_API Action parse_action(std::string_view text);

/// One line, without the line's end. Reads back to the same bits.
THIXO_API std::string to_json(const Event& event);

}  // namespace thixo
