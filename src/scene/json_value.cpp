#include "scene/json_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scene/wording.h"

namespace thixo {

const JsonMember* JsonValue::find(std::string_view key) const {
    const auto* members = as<Object>();
    if (!members) return nullptr;
    const auto found =
        std::find_if(members->begin(), members->end(), [&](const JsonMember& m) { return m.key == key; });
    return found == members->end() ? nullptr : &*found;
}

JsonMember* JsonValue::find(std::string_view key) {
    return const_cast<JsonMember*>(std::as_const(*this).find(key));
}

std::string describe_value(const JsonValue& value) {
    struct Describe {
        std::string operator()(std::monostate) const { return "null"; }
        std::string operator()(bool b) const { return b ? "true" : "false"; }
        std::string operator()(const JsonNumber& n) const { return "the number " + number_text(n); }
        std::string operator()(const std::string& s) const { return "the string " + thixo::quoted(s); }
        std::string operator()(const JsonValue::Array& a) const {
            return a.empty() ? "an empty list" : fmt::format("a list of {}", a.size());
        }
        std::string operator()(const JsonValue::Object& o) const {
            return o.empty() ? "an empty object {}" : "an object {…}";
        }
    };
    return std::visit(Describe{}, value.data);
}

std::string join_path(std::string_view path, std::string_view step) {
    std::string shown = printable(step);
    if (step.empty() || step.find_first_of(".[]=\"\\ ") != std::string_view::npos) {
        std::string escaped;
        for (const char c : shown) {
            if (c == '"' || c == '\\') escaped += '\\';
            escaped += c;
        }
        shown = '"' + escaped + '"';
    }
    return path.empty() ? shown : fmt::format("{}.{}", path, shown);
}

}  // namespace thixo
