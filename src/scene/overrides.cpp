#include "scene/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "scene/json_reader.h"
#include "scene/solver_preset.h"
#include "scene/wording.h"

namespace thixo {

namespace {

bool is_digits(std::string_view s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::size_t> to_index(std::string_view digits) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

/// Takes a name in double quotes, in which \" and \\ stand for a quote and a backslash.
PathStep take_quoted(std::string_view& path) {
    PathStep step{"", false, true};
    for (std::size_t i = 1; i < path.size(); ++i) {
        if (path[i] == '"') {
            path.remove_prefix(i + 1);
            return step;
        }
        if (path[i] == '\\' && i + 1 < path.size()) ++i;
        step.name += path[i];
    }
    throw std::invalid_argument("a quote is never closed in the path");
}

PathStep take_index(std::string_view& path) {
    const auto end = path.find(']');
    if (end == std::string_view::npos) throw std::invalid_argument("'[' is never closed in the path");
    PathStep step{std::string(path.substr(1, end - 1)), true, true};
    if (!is_digits(step.name)) throw std::invalid_argument("an index in brackets must be a number");
    path.remove_prefix(end + 1);
    return step;
}

/// Takes `"quoted"`, `[3]` or a plain word from the front of the path.
PathStep take_step(std::string_view& path) {
    if (path.front() == '"') return take_quoted(path);
    if (path.front() == '[') return take_index(path);
    const auto end = std::min(path.find_first_of(".["), path.size());
    PathStep step{std::string(path.substr(0, end)), is_digits(path.substr(0, end)), false};
    if (step.name.empty()) throw std::invalid_argument("a step of the path is empty");
    path.remove_prefix(end);
    return step;
}

/// Offset of the value: the first `=` outside quotes.
std::size_t find_equals(std::string_view text) {
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && inside)
            ++i;
        else if (text[i] == '"')
            inside = !inside;
        else if (text[i] == '=' && !inside)
            return i;
    }
    return std::string_view::npos;
}

std::string full_path(const std::vector<PathStep>& steps) {
    std::string path;
    for (const PathStep& step : steps) path = join_path(path, step.name);
    return path;
}

JsonValue parse_value(std::string_view text, Position at, const Sources& sources, const std::string& path) {
    try {
        return parse_json(text, at);
    } catch (const JsonError& error) {
        // Text that starts like a list, object or string was meant as one; a number out of range as a number.
        const bool meant_as_json =
            !text.empty() && (text.front() == '[' || text.front() == '{' || text.front() == '"');
        if (error.syntax && !meant_as_json) return {at, std::string(text)};
        throw InputError(sources.line(at, error.path.empty() ? path : path + '.' + error.path, error.what()));
    }
}

/// The element of a step, created if the step allows it. Throws std::invalid_argument with the reason.
JsonValue& enter(JsonValue& value, const PathStep& step, Position at) {
    const bool absent = std::holds_alternative<std::monostate>(value.data);
    if (absent && step.index && to_index(step.name) != 0)
        throw std::invalid_argument("the scene file does not contain this list; set the whole list");
    if (absent && step.index)
        value.data = JsonValue::Array{};
    else if (absent)
        value.data = JsonValue::Object{};
    if (absent) value.at = at;

    if (auto* list = value.as<JsonValue::Array>()) {
        if (!step.index)
            throw std::invalid_argument(
                fmt::format("is a list; {} is not an index", thixo::quoted(step.name)));
        const auto index = to_index(step.name);
        if (!index || *index > list->size())
            throw std::invalid_argument(fmt::format("index {} is out of range; the list has {} element{}",
                                                    printable(step.name, 20), list->size(),
                                                    list->size() == 1 ? "" : "s"));
        return *index == list->size() ? list->emplace_back(JsonValue{at, {}}) : (*list)[*index];
    }
    if (!value.as<JsonValue::Object>())
        throw std::invalid_argument(
            fmt::format("is {} and holds no {}", describe_value(value), thixo::quoted(step.name)));
    if (step.index && step.forced)
        throw std::invalid_argument("is an object, not a list; name a key instead of an index");
    if (JsonMember* member = value.find(step.name)) return member->value;
    return value.as<JsonValue::Object>()->emplace_back(JsonMember{step.name, at, {at, {}}}).value;
}

}  // namespace

std::vector<PathStep> parse_path(std::string_view path) {
    std::vector<PathStep> steps;
    while (!path.empty()) {
        steps.push_back(take_step(path));
        if (path.empty() || path.front() == '[') continue;
        if (path.front() != '.') throw std::invalid_argument("expected \".\" after a quoted key or an index");
        path.remove_prefix(1);
        if (path.empty()) throw std::invalid_argument("the path ends with a dot");
    }
    if (steps.empty()) throw std::invalid_argument("the path is empty");
    if (steps.size() > deepest_nesting) throw std::invalid_argument("the path has too many steps");
    return steps;
}

Position position_of(const JsonValue& root, std::string_view path) {
    std::vector<PathStep> steps;
    try {
        steps = parse_path(path);
    } catch (const std::invalid_argument&) {
        return root.at;
    }
    const JsonValue* value = &root;
    for (const PathStep& step : steps) {
        const JsonValue* next = nullptr;
        if (const JsonMember* member = value->find(step.name)) {
            next = &member->value;
        } else if (const auto* list = value->as<JsonValue::Array>(); list && step.index) {
            if (const auto index = to_index(step.name); index && *index < list->size())
                next = &(*list)[*index];
        }
        if (!next) break;
        value = next;
    }
    return value->at;
}

void apply_override(JsonValue& root, std::string_view text, Sources& sources) {
    const Position at{sources.add_override(text), 0, 0};
    std::string reached;
    try {
        const std::size_t equals = find_equals(text);
        if (equals == std::string_view::npos) throw std::invalid_argument("expected path.to.key=value");
        const auto steps = parse_path(text.substr(0, equals));
        JsonValue parsed = parse_value(text.substr(equals + 1), at, sources, full_path(steps));
        JsonValue* value = &root;
        for (const PathStep& step : steps) {
            value = &enter(*value, step, at);
            reached = join_path(reached, step.name);
        }
        *value = std::move(parsed);
        if (reached == "solver.preset") clear_preset_keys(root);
    } catch (const std::invalid_argument& error) {
        throw InputError(sources.line(at, reached, error.what()));
    }
}

}  // namespace thixo
