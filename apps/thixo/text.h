#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/wording.h"

namespace thixo {

/// (1, "object") → "1 object", (2000, "object") → "2,000 objects"
std::string counted(std::uint64_t number, const std::string& noun);

/// 1536000 → "1.5 MB"
std::string human_bytes(double bytes);

/// 3725 → "1:02:05 h", 65 → "1:05 min", 2.5 → "2.5 s", 1e10 → "3.2e+02 years"
std::string human_seconds(double seconds);

/// The fields of a line of a table, separated by commas; the last one may be empty.
std::vector<std::string> fields_of(const std::string& line);

/// Text as one word of a shell's command line: quoted where that is necessary.
std::string shell_word(const std::string& text);

}  // namespace thixo
