#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace thixo {

/// The head of an HTTP request.
struct HttpRequest {
    std::string method, path;
    std::map<std::string, std::string> headers;  ///< by names in small letters

    std::string_view header(const std::string& name) const {
        const auto found = headers.find(name);
        return found == headers.end() ? std::string_view() : std::string_view(found->second);
    }
    /// Requests a WebSocket of the only version there is (RFC 6455).
    bool wants_websocket() const;
};

/// Reads a head that ends with an empty line. Nothing if it is not one: a line that is no header, a header
/// that comes twice, bytes that are no text.
std::optional<HttpRequest> parse_request(std::string_view head);

/// A whole answer after which the connection ends.
std::string http_answer(int status, std::string_view type, std::string_view body,
                        std::string_view headers = {});

/// The answer that turns a connection into a WebSocket.
std::string websocket_answer(std::string_view key);

}  // namespace thixo
