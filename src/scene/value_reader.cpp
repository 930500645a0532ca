#include "scene/value_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/wording.h"

namespace thixo {

namespace {

constexpr std::size_t longest_name = 200;  // bytes; most file systems end at 255

std::string with_unit(const JsonNumber& number, const Rule& rule) {
    return rule.unit.empty() ? number_text(number) : fmt::format("{} {}", number_text(number), rule.unit);
}

std::string out_of_range(const JsonNumber& number, const Rule& rule) {
    return fmt::format("{} is out of range; allowed: {}", with_unit(number, rule), rule.range_text());
}

}  // namespace

void ValueReader::wrong_type(const JsonValue& value, std::string_view expected, const Rule& rule) {
    const std::string unit = rule.unit.empty() ? "" : fmt::format(" ({})", rule.unit);
    problem(value.at, fmt::format("expected {}{}, found {}", expected, unit, describe_value(value)));
}

void ValueReader::read(const JsonValue& value, double& out, const Rule& rule) {
    const auto* number = value.as<JsonNumber>();
    if (!number) return wrong_type(value, "a number", rule);
    if (!rule.allows(number->value)) return problem(value.at, out_of_range(*number, rule));
    out = number->value;
}

bool ValueReader::read_integer(const JsonValue& value, std::string_view expected, const Rule& rule) {
    const auto* number = value.as<JsonNumber>();
    if (!number || (!number->integer && rule.allows(number->value))) {
        wrong_type(value, expected, rule);
        return false;
    }
    if (rule.allows(number->value)) return true;
    problem(value.at, out_of_range(*number, rule));
    return false;
}

void ValueReader::read(const JsonValue& value, int& out, const Rule& rule) {
    Rule fits = rule;
    fits.min = std::max(rule.min, -2147483648.0);
    fits.max = std::min(rule.max, 2147483647.0);
    if (read_integer(value, "a whole number", fits)) out = static_cast<int>(value.as<JsonNumber>()->value);
}

void ValueReader::read(const JsonValue& value, std::uint64_t& out, const Rule& rule) {
    const auto* number = value.as<JsonNumber>();
    if (number && (number->negative || (!number->integer && number->value >= 18446744073709551616.0)))
        return problem(value.at,
                       with_unit(*number, rule) + " is out of range; allowed: 0 to 18446744073709551615");
    if (read_integer(value, "a whole number", rule)) out = number->magnitude;
}

void ValueReader::read(const JsonValue& value, bool& out, const Rule& rule) {
    if (const bool* flag = value.as<bool>())
        out = *flag;
    else
        wrong_type(value, "true or false", rule);
}

void ValueReader::check_text(const Position& at, std::string_view text, const Rule& rule) {
    if (rule.not_empty && text.empty()) problem(at, "must not be empty");
    if (text.size() > longest_name)
        problem(at, fmt::format("the text has {} bytes; allowed: at most {}", text.size(), longest_name));
    if (printable(text, longest_name) != text && text.size() <= longest_name)
        problem(at, fmt::format("{} holds control characters", thixo::quoted(text)));
    if (!rule.folder_name) return;
    if (text.find_first_of("/\\") != std::string_view::npos || text == "." || text == "..")
        problem(at, fmt::format("{} cannot be the name of a folder: \"/\" and \"\\\" are not allowed",
                                thixo::quoted(text)));
}

void ValueReader::read(const JsonValue& value, std::string& out, const Rule& rule) {
    const auto* text = value.as<std::string>();
    if (!text) return wrong_type(value, "a string", rule);
    check_text(value.at, *text, rule);
    out = *text;
}

void ValueReader::read(const JsonValue& value, Vec3d& out, const Rule& rule) {
    const auto* list = value.as<JsonValue::Array>();
    if (!list || list->size() < 2 || list->size() > 3)
        return wrong_type(value, "a list of 2 or 3 numbers", rule);
    Vec3d result{0, 0, 0};
    double* const components[] = {&result.x, &result.y, &result.z};
    for (std::size_t i = 0; i < list->size(); ++i) {
        const Step step(*this, std::to_string(i));
        read((*list)[i], *components[i], rule);
    }
    out = result;
}

void ValueReader::read(const JsonValue& value, Rotation& out, const Rule& rule) {
    Vec3d degrees = out.degrees();
    read(value, degrees, rule);
    out = Rotation(degrees);
}

}  // namespace thixo
