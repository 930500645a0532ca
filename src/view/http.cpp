#include "view/http.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/base64.h"
#include "view/sha1.h"

namespace thixo {

namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

bool is_text(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return (c >= 32 && c < 127) || c == '\t'; });
}

std::string_view reason(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        default:
            return "Service Unavailable";
    }
}

}  // namespace

bool HttpRequest::wants_websocket() const {
    return lower(header("upgrade")) == "websocket" && header("sec-websocket-version") == "13" &&
           base64_decode(header("sec-websocket-key")).value_or("").size() == 16;
}

std::optional<HttpRequest> parse_request(std::string_view head) {
    HttpRequest request;
    bool first = true;
    while (!head.empty()) {
        const std::size_t end = head.find("\r\n");
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(end + 2);
        if (!is_text(line)) return std::nullopt;
        if (line.empty()) return first ? std::nullopt : std::optional(request);
        if (first) {
            const std::size_t a = line.find(' '), b = line.rfind(' ');
            if (a == std::string_view::npos || a == b || line.substr(b + 1).substr(0, 7) != "HTTP/1.")
                return std::nullopt;
            request.method = line.substr(0, a);
            request.path = line.substr(a + 1, b - a - 1);
            first = false;
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0) return std::nullopt;
        if (!request.headers.emplace(lower(line.substr(0, colon)), trimmed(line.substr(colon + 1))).second)
            return std::nullopt;
    }
    return std::nullopt;
}

std::string http_answer(int status, std::string_view type, std::string_view body, std::string_view headers) {
    return fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: "
        "no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n{}\r\n{}",
        status, reason(status), type, body.size(), headers, body);
}

std::string websocket_answer(std::string_view key) {
    const std::string accept = base64_encode(sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
    return fmt::format(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
        "Upgrade\r\nSec-WebSocket-Accept: "
        "{}\r\n\r\n",
        accept);
}

}  // namespace thixo
