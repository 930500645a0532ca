#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace thixo {

/// RFC 4648 with padding, in one line.
std::string base64_encode(std::string_view bytes);

/// Nothing where the text is not base64. White space around the text is allowed.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace thixo
