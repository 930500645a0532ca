// What a page may send: the head of a request up to the empty line, then frames of a WebSocket, which come in
// blocks whose length is the first byte of the input.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "scene/events_file.h"
#include "view/history.h"
#include "view/http.h"
#include "view/websocket.h"

namespace {

constexpr std::size_t longest = 4096;

void read_frames(std::string_view bytes, std::size_t block) {
    using Result = thixo::FrameReader::Result;
    thixo::FrameReader reader(longest);
    std::string input;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        input += bytes.substr(at, block);
        for (Result result; (result = reader.next(input)) != Result::nothing;) {
            if (reader.payload().size() > longest) std::abort();
            if (result == Result::broken || result == Result::too_long || result == Result::closing) return;
            if (result != Result::message) continue;
            try {
                thixo::parse_action(reader.payload());
            } catch (const thixo::InputError&) {
            }
        }
        if (input.size() >= longest + 14) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t end = text.find("\r\n\r\n");
    if (end != std::string_view::npos) {
        if (const auto request = thixo::parse_request(text.substr(0, end + 4))) request->wants_websocket();
        text.remove_prefix(end + 4);
    }
    read_frames(text, 1 + data[0]);
    thixo::history_of(thixo::parse_bodies(std::string(text)), 1, 1);
    return 0;
}
