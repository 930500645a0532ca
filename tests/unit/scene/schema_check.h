#pragma once

#include <string>

#include "scene/json_reader.h"

namespace thixo::test {

/// The part of JSON Schema that our schema uses, written apart from the table that generates it. Returns the
/// first violation, or empty. An unknown keyword is a violation too, so that none is left unchecked.
/// `root` is where references lead to.
inline std::string schema_violation(const JsonValue& schema, const JsonValue& value, const JsonValue& root,
                                    const std::string& path = "$") {
    const auto text = [](const JsonValue& v) { return *v.as<std::string>(); };
    const auto number = [](const JsonValue& v) { return v.as<JsonNumber>()->value; };
    const auto* n = value.as<JsonNumber>();
    const auto* s = value.as<std::string>();
    const auto* list = value.as<JsonValue::Array>();
    const auto* object = value.as<JsonValue::Object>();
    for (const auto& [keyword, at, rule] : *schema.as<JsonValue::Object>()) {
        bool good = true;
        if (keyword == "type") {
            const std::string type = text(rule);
            good = type == "object"    ? object != nullptr
                   : type == "array"   ? list != nullptr
                   : type == "string"  ? s != nullptr
                   : type == "boolean" ? value.as<bool>() != nullptr
                   : type == "integer" ? n && n->integer
                                       : n != nullptr;
        } else if (keyword == "enum") {
            good = false;
            for (const JsonValue& name : *rule.as<JsonValue::Array>()) good = good || (s && *s == text(name));
        } else if (keyword == "minimum") {
            good = !n || n->value >= number(rule);
        } else if (keyword == "maximum") {
            good = !n || n->value <= number(rule);
        } else if (keyword == "exclusiveMinimum") {
            good = !n || n->value > number(rule);
        } else if (keyword == "minLength") {
            good = !s || static_cast<double>(s->size()) >= number(rule);
        } else if (keyword == "maxLength") {
            good = !s || static_cast<double>(s->size()) <= number(rule);
        } else if (keyword == "pattern") {
            // The one pattern in use; std::regex makes GCC 12 warn under the sanitizers.
            good = text(rule) == R"(^[^/\\]*$)" && (!s || s->find_first_of("/\\") == std::string::npos);
        } else if (keyword == "minItems") {
            good = !list || static_cast<double>(list->size()) >= number(rule);
        } else if (keyword == "maxItems") {
            good = !list || static_cast<double>(list->size()) <= number(rule);
        } else if (keyword == "minProperties") {
            good = !object || static_cast<double>(object->size()) >= number(rule);
        } else if (keyword == "maxProperties") {
            good = !object || static_cast<double>(object->size()) <= number(rule);
        } else if (keyword == "uniqueItems") {
            for (std::size_t i = 0; list && i < list->size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    good = good && *(*list)[i].as<std::string>() != *(*list)[j].as<std::string>();
        } else if (keyword == "required") {
            for (const JsonValue& key : *rule.as<JsonValue::Array>())
                good = good && object && value.find(text(key));
        } else if (keyword == "$ref") {
            const std::string name = text(rule).substr(std::string("#/definitions/").size());
            return schema_violation(root.find("definitions")->value.find(name)->value, value, root, path);
        } else if (keyword == "oneOf") {
            int count = 0;
            for (const JsonValue& choice : *rule.as<JsonValue::Array>())
                count += schema_violation(choice, value, root, path).empty();
            good = count == 1;
        } else if (keyword == "anyOf") {
            good = false;
            for (const JsonValue& choice : *rule.as<JsonValue::Array>())
                good = good || schema_violation(choice, value, root, path).empty();
        } else if (keyword == "items") {
            for (std::size_t i = 0; list && i < list->size(); ++i)
                if (auto inner = schema_violation(rule, (*list)[i], root, path + "." + std::to_string(i));
                    !inner.empty())
                    return inner;
        } else if (keyword == "propertyNames") {
            for (std::size_t i = 0; object && i < object->size(); ++i)
                if (auto inner = schema_violation(rule, {{}, (*object)[i].key}, root, path + ".(name)");
                    !inner.empty())
                    return inner;
        } else if (keyword == "additionalProperties") {
            const JsonMember* known = schema.find("properties");
            for (std::size_t i = 0; object && i < object->size(); ++i) {
                const JsonMember& member = (*object)[i];
                const JsonMember* property = known ? known->value.find(member.key) : nullptr;
                if (!property && rule.as<bool>()) return path + "." + member.key + ": additionalProperties";
                const JsonValue& inside = property ? property->value : rule;
                if (auto inner = schema_violation(inside, member.value, root, path + "." + member.key);
                    !inner.empty())
                    return inner;
            }
        } else {
            static const std::string silent =
                " $schema title allowComments description default enumDescriptions properties definitions ";
            good = silent.find(" " + keyword + " ") != std::string::npos;
        }
        if (!good) return path + ": " + keyword;
    }
    return "";
}

inline std::string schema_violation(const JsonValue& schema, const JsonValue& value) {
    return schema_violation(schema, value, schema);
}

}  // namespace thixo::test
