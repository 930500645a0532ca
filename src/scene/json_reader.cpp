#include "scene/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scene/json_builder.h"
#include "scene/text_cursor.h"
#include "scene/wording.h"

namespace thixo {

namespace {

/// Refuses input that is not UTF-8 text, with the position of the first invalid byte.
void check_text(std::string_view text, Position start) {
    if (text.size() > largest_scene_bytes)
        throw JsonError(start, "", fmt::format("the text is larger than {} MB", largest_scene_bytes >> 20),
                        false);
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        throw JsonError(start, "", "this is UTF-16 text; save it as UTF-8", false);
    std::size_t bad = 0;
    while (bad < text.size() && text[bad] != '\0') {
        const std::size_t length = utf8_length(text.substr(bad, 4));
        if (length == 0) break;
        bad += length;
    }
    if (bad == text.size()) return;
    TextCursor cursor(text.substr(0, bad), start);
    while (!cursor.at_end()) cursor.advance();
    const auto byte = static_cast<unsigned char>(text[bad]);
    throw JsonError(cursor.position(), "",
                    byte == 0
                        ? "this is not a text file: it holds a zero byte"
                        : fmt::format("this is not a text file: byte 0x{:02x} is not valid UTF-8", byte),
                    false);
}

}  // namespace

JsonValue parse_json(std::string_view text, Position start) {
    check_text(text, start);
    TextCursor first(text, start);
    first.skip_blanks();
    if (first.at_end()) throw JsonError(start, "", "the file holds nothing but blanks and comments", true);

    JsonBuilder builder(text, start);
    nlohmann::json::sax_parse(text.begin(), text.end(), &builder, nlohmann::json::input_format_t::json, true,
                              true);
    return builder.take();
}

}  // namespace thixo
