#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "scene/describe.h"
#include "scene/json_text.h"
#include "scene/load.h"

namespace thixo {

namespace {

using Schema = nlohmann::ordered_json;

template <class T>
Schema schema_of(const Rule& rule);

void add_limits(Schema& schema, const Rule& rule) {
    const auto number = [](double value) { return Schema::parse(json_text(value)); };
    if (std::isfinite(rule.above)) schema["exclusiveMinimum"] = number(rule.above);
    if (std::isfinite(rule.min)) schema["minimum"] = number(rule.min);
    if (std::isfinite(rule.max)) schema["maximum"] = number(rule.max);
}

Schema number_schema(const char* type, const Rule& rule) {
    Schema schema{{"type", type}};
    add_limits(schema, rule);
    return schema;
}

Schema text_schema(const Rule& rule) {
    Schema schema{{"type", "string"}};
    if (rule.not_empty) schema["minLength"] = 1;
    schema["maxLength"] = 200;
    if (rule.folder_name) schema["pattern"] = R"(^[^/\\]*$)";
    return schema;
}

template <class E>
Schema enum_schema() {
    Schema names = Schema::array(), helps = Schema::array();
    for (const auto& choice : choices(Tag<E>{})) {
        if (!choice.unavailable.empty()) continue;
        names.push_back(choice.name);
        helps.push_back(choice.help);
    }
    return {{"enum", names}, {"enumDescriptions", helps}};
}

std::string description(const Rule& rule) {
    std::string text(rule.help);
    if (!rule.unit.empty()) text += " [" + std::string(rule.unit) + "]";
    if (!rule.fallback.empty()) text += " (default: " + std::string(rule.fallback) + ")";
    return text;
}

Schema object_schema() {
    return {{"type", "object"}, {"additionalProperties", false}, {"properties", Schema::object()}};
}

template <class T>
class StructSchema {
public:
    Schema take() { return std::move(schema_); }

    template <class Access>
    void field(std::string_view name, Access access, const Rule& rule) {
        using Value = std::remove_cvref_t<decltype(std::invoke(access, initial_))>;
        add(name, schema_of<Value>(rule), rule);
        if constexpr (is_json_scalar<Value> || is_list_of_names<Value>)
            if (!rule.required && rule.fallback.empty())
                property(name)["default"] = Schema::parse(json_text(std::invoke(access, initial_)));
    }

    template <class Access, class Key>
    void map(std::string_view name, Access access, Key, const Rule& rule) {
        using Value = typename std::remove_cvref_t<decltype(std::invoke(access, initial_))>::value_type;
        Schema schema{{"type", "object"}, {"additionalProperties", schema_of<Value>({})}};
        schema["propertyNames"] = text_schema({.not_empty = true});
        if (rule.not_empty) schema["minProperties"] = 1;
        add(name, std::move(schema), rule);
    }

    void ignored(std::string_view name, std::string_view help) {
        add(name, {{"type", "string"}}, {.help = help});
    }

private:
    Schema& property(std::string_view name) { return schema_["properties"][std::string(name)]; }

    void add(std::string_view name, Schema schema, const Rule& rule) {
        schema["description"] = description(rule);
        property(name) = std::move(schema);
        if (rule.required) schema_["required"].push_back(name);
    }

    T initial_{};
    Schema schema_ = object_schema();
};

/// One of the kinds of a variant, and the keys common to all kinds.
struct KindSchema {
    bool bounded, layer;
    Schema schema;

    template <class T>
    void alternative(std::string_view name, const Rule& rule, std::string_view help) {
        if ((bounded && !rule.bounded) || (rule.layer && !layer)) return;
        Schema kind = schema_of<T>({});
        kind["description"] = help;
        schema["properties"][std::string(name)] = std::move(kind);
        schema["oneOf"].push_back({{"required", {name}}});
    }
};

template <class Variant>
Schema kind_schema(bool bounded, bool layer, Schema shared) {
    KindSchema walk{bounded, layer, std::move(shared)};
    describe(walk, Tag<Variant>{});
    return std::move(walk.schema);
}

Schema shape_schema(bool of_an_object) {
    return kind_schema<ShapeKind>(of_an_object, of_an_object, schema_of<Placement>({}));
}

template <class T>
Schema list_schema(const Rule& rule) {
    Schema schema{{"type", "array"}, {"items", schema_of<T>(rule)}};
    if (rule.not_empty) schema["minItems"] = 1;
    if (rule.unique) schema["uniqueItems"] = true;
    return schema;
}

template <class T>
Schema schema_of(const Rule& rule) {
    if constexpr (std::is_same_v<T, bool>) {
        return {{"type", "boolean"}};
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        return {{"type", "integer"}, {"minimum", 0}};
    } else if constexpr (std::is_arithmetic_v<T>) {
        return number_schema(std::is_integral_v<T> ? "integer" : "number", rule);
    } else if constexpr (std::is_enum_v<T>) {
        return enum_schema<T>();
    } else if constexpr (std::is_same_v<T, std::string>) {
        return text_schema(rule);
    } else if constexpr (std::is_same_v<T, Vec3d>) {
        return {
            {"type", "array"}, {"items", number_schema("number", rule)}, {"minItems", 2}, {"maxItems", 3}};
    } else if constexpr (is_optional<T>) {
        return schema_of<typename T::value_type>(rule);
    } else if constexpr (is_list<T>) {
        return list_schema<typename T::value_type>(rule);
    } else if constexpr (std::is_same_v<T, Rotation>) {
        return schema_of<Vec3d>(rule);
    } else if constexpr (std::is_same_v<T, Shape>) {
        // Shapes are recursive: they are defined once and referenced.
        return {{"$ref", rule.bounded ? "#/definitions/object_shape" : "#/definitions/shape"}};
    } else if constexpr (std::is_same_v<T, Opening>) {
        return kind_schema<Opening>(rule.bounded, false, object_schema());
    } else {
        StructSchema<T> walk;
        describe(walk, Tag<T>{});
        if constexpr (has_shorthand<T>) {
            using Short = std::remove_cvref_t<decltype(std::invoke(shorthand(Tag<T>{}), std::declval<T&>()))>;
            return {{"anyOf", {schema_of<Short>({}), walk.take()}}};
        }
        return walk.take();
    }
}

}  // namespace

std::string json_schema() {
    // Draft-07 is the newest draft that editors support completely.
    Schema schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                  {"title", "Thixo scene"},
                  {"allowComments", true}};
    schema.update(schema_of<Scene>({}));
    schema["definitions"] = {{"shape", shape_schema(false)}, {"object_shape", shape_schema(true)}};
    return schema.dump(2) + '\n';
}

}  // namespace thixo
