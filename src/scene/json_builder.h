#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scene/json_reader.h"
#include "scene/text_cursor.h"

namespace thixo {

/// SAX handler that builds a tree of positioned values. Each failure is thrown as a JsonError.
class JsonBuilder {
public:
    JsonBuilder(std::string_view text, Position start) : cursor_(text, start) {}

    JsonValue take() { return std::move(root_); }

    bool null();
    bool boolean(bool value);
    bool number_integer(std::int64_t value);
    bool number_unsigned(std::uint64_t value);
    bool number_float(double value, const std::string& text);
    bool string(std::string& value);
    bool binary(std::vector<std::uint8_t>& value);
    bool start_object(std::size_t);
    bool key(std::string& name);
    bool end_object();
    bool start_array(std::size_t);
    bool end_array();
    bool parse_error(std::size_t end, const std::string& token, const nlohmann::json::exception& error);

private:
    /// A place for the next value: the root, a new list element, or the member whose key was just read.
    JsonValue& next_value();
    JsonValue& add(decltype(JsonValue::data) data);
    bool open(decltype(JsonValue::data) data);
    bool close();
    std::string path() const;
    /// What may come next, for a message; `separator` is the comma or colon already read.
    std::string expected(char separator) const;
    [[noreturn]] void fail_at_end() const;

    TextCursor cursor_;
    JsonValue root_;
    std::vector<JsonValue*> open_;  ///< containers not closed yet; stable, as only the innermost one grows
    std::size_t count_ = 0;
    bool key_pending_ = false;  ///< a key was read, its value not yet
};

}  // namespace thixo
