#include "scene/json_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "scene/wording.h"

namespace thixo {

namespace {

/// The lexer error inside a token ("invalid string: missing closing quote"), or empty if the token
/// is valid but misplaced: nlohmann's message without its number, position and quoted input.
std::string lexical_reason(std::string_view what) {
    const auto end = what.find("; last read: '");
    const auto begin = what.find(" - ");
    if (end == std::string_view::npos || begin == std::string_view::npos || begin + 3 > end) return {};
    const std::string_view reason = what.substr(begin + 3, end - begin - 3);
    return reason == "invalid literal" ? std::string() : printable(reason, 160);
}

bool has_nonzero_digit(std::string_view number) {
    return number.substr(0, number.find_first_of("eE")).find_first_of("123456789") != std::string_view::npos;
}

}  // namespace

std::string JsonBuilder::path() const {
    std::string result;
    for (const JsonValue* value : open_) {
        if (const auto* object = value->as<JsonValue::Object>(); object && !object->empty())
            result = join_path(result, object->back().key);
        else if (const auto* array = value->as<JsonValue::Array>(); array && !array->empty())
            result = join_path(result, std::to_string(array->size() - 1));
    }
    return result;
}

JsonValue& JsonBuilder::next_value() {
    if (open_.empty()) return root_;
    if (auto* array = open_.back()->as<JsonValue::Array>()) return array->emplace_back();
    return open_.back()->as<JsonValue::Object>()->back().value;
}

JsonValue& JsonBuilder::add(decltype(JsonValue::data) data) {
    cursor_.to_token();
    const Position at = cursor_.position();
    cursor_.skip_token();
    if (++count_ > most_values)
        throw JsonError(at, "", fmt::format("the scene holds more than {} values", most_values), false);
    JsonValue& value = next_value();
    value.at = at;
    value.data = std::move(data);
    key_pending_ = false;
    return value;
}

bool JsonBuilder::null() { return add(std::monostate{}), true; }
bool JsonBuilder::boolean(bool value) { return add(value), true; }
bool JsonBuilder::string(std::string& value) { return add(std::move(value)), true; }
bool JsonBuilder::binary(std::vector<std::uint8_t>&) { return false; }

bool JsonBuilder::number_integer(std::int64_t value) {
    const auto magnitude =
        value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return add(JsonNumber{static_cast<double>(value), true, value < 0, magnitude}), true;
}

bool JsonBuilder::number_unsigned(std::uint64_t value) {
    return add(JsonNumber{static_cast<double>(value), true, false, value}), true;
}

bool JsonBuilder::number_float(double, const std::string&) {
    // The digits are converted again because nlohmann's strtod follows the locale.
    cursor_.to_token();
    TextCursor behind = cursor_;
    const std::string_view digits = behind.skip_token();
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    JsonValue& stored = add(JsonNumber{});
    if (value == 0 && has_nonzero_digit(digits))
        throw JsonError(stored.at, path(),
                        fmt::format("the number {} is too small to be represented", printable(digits)),
                        false);
    constexpr double exact = 9007199254740992.0;  // 2^53: above it not every integer is a double
    const bool integer =
        std::abs(value) <= exact && value == std::trunc(value) && !(value == 0 && std::signbit(value));
    stored.data =
        JsonNumber{value, integer, value < 0, integer ? static_cast<std::uint64_t>(std::abs(value)) : 0};
    return true;
}

bool JsonBuilder::open(decltype(JsonValue::data) data) {
    JsonValue& value = add(std::move(data));
    open_.push_back(&value);
    if (open_.size() > deepest_nesting)
        throw JsonError(value.at, "", fmt::format("more than {} brackets are open", deepest_nesting), false);
    return true;
}

bool JsonBuilder::close() {
    cursor_.to_token();
    cursor_.skip_token();
    open_.pop_back();
    return true;
}

bool JsonBuilder::start_array(std::size_t) { return open(JsonValue::Array{}); }
bool JsonBuilder::start_object(std::size_t) { return open(JsonValue::Object{}); }
bool JsonBuilder::end_array() { return close(); }

bool JsonBuilder::key(std::string& name) {
    cursor_.to_token();
    open_.back()->as<JsonValue::Object>()->push_back({std::move(name), cursor_.position(), {}});
    key_pending_ = true;
    cursor_.skip_token();
    return true;
}

bool JsonBuilder::end_object() {
    auto& members = *open_.back()->as<JsonValue::Object>();
    // Sorting finds duplicates among many keys in n log n without a set beside every small object.
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(members[a].key, a) < std::tie(members[b].key, b);
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const JsonMember &first = members[order[i - 1]], &second = members[order[i]];
        if (first.key != second.key) continue;
        open_.pop_back();
        std::string where;
        if (first.at.line > 0)
            where = fmt::format("; it is already at line {}, column {}", first.at.line, first.at.column);
        throw JsonError(second.at, join_path(path(), second.key), "duplicate key" + where, false);
    }
    return close();
}

void JsonBuilder::fail_at_end() const {
    std::string message = "the text ends too early";
    if (!open_.empty()) {
        const JsonValue& inner = *open_.back();
        const char bracket = inner.as<JsonValue::Array>() ? '[' : '{';
        message += inner.at.line == 0 ? fmt::format(": '{}' is never closed", bracket)
                                      : fmt::format(": '{}' at line {}, column {} is never closed", bracket,
                                                    inner.at.line, inner.at.column);
    }
    throw JsonError(cursor_.position(), "", message, true);
}

std::string JsonBuilder::expected(char separator) const {
    if (open_.empty()) return count_ == 0 ? "a value" : "nothing more after the scene";
    if (const auto* list = open_.back()->as<JsonValue::Array>())
        return list->empty() || separator == ',' ? "a value" : "',' or ']'";
    if (key_pending_) return separator == ':' ? "a value" : "':'";
    const bool first = open_.back()->as<JsonValue::Object>()->empty();
    return first || separator == ',' ? "a key in double quotes" : "',' or '}'";
}

bool JsonBuilder::parse_error(std::size_t end, const std::string&, const nlohmann::json::exception& error) {
    // `end` is the offset behind the bad token, so a separator that ends before it was accepted.
    cursor_.skip_blanks();
    char separator = '\0';
    if ((cursor_.current() == ',' || cursor_.current() == ':') && cursor_.offset() + 1 < end) {
        separator = cursor_.current();
        cursor_.advance();
        cursor_.skip_blanks();
    }
    if (cursor_.at_end()) fail_at_end();
    const Position at = cursor_.position();
    const std::string_view token = cursor_.word();
    if (error.id == 406) {  // beyond double
        add(JsonNumber{});
        throw JsonError(at, path(),
                        fmt::format("the number {} is too large to be represented", printable(token)), false);
    }
    if (separator == ',' && (token == "]" || token == "}"))
        throw JsonError(at, "", fmt::format("a comma before '{}' is not allowed", token), true);
    const std::string lexical = lexical_reason(error.what()), found = printable(token, 30);
    if (lexical.empty())
        throw JsonError(at, "", fmt::format("expected {}, found {}", expected(separator), found), true);
    throw JsonError(at, "", token.size() > 1 ? fmt::format("{}: {}", lexical, found) : lexical, true);
}

}  // namespace thixo
