#pragma once

#include <string>
#include <string_view>

namespace thixo {

/// The 20 bytes of SHA-1 (RFC 3174), which the handshake of WebSockets needs. Not for security.
std::string sha1(std::string_view bytes);

}  // namespace thixo
