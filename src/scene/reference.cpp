#include <fmt/format.h>

#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "scene/describe.h"
#include "scene/json_text.h"
#include "scene/load.h"

namespace thixo {

namespace {

constexpr std::string_view introduction = R"(# Scene files

<!-- Generated from src/scene/describe.h by THIXO_UPDATE_DOCS=1 unit_scene. Do not edit. -->

A scene is a JSON file; `// …` and `/* … */` comments are allowed. Units are SI, temperatures in °C, y is up. A key
that is not listed here is an error, as is a value out of its range: a scene runs as written or not at all. Keys
marked *required* must be given.

```jsonc
{
  "particles": { "spacing": 0.02 },
  "materials": { "water": { "density": 1000 } },
  "objects":   [ { "material": "water", "shape": { "box": { "min": [0, 0, 0], "max": [0.5, 1, 0.5] } } } ],
  "obstacles": [ { "shape": { "box": { "min": [0, 0, 0], "max": [2, 2, 0.5] } }, "inside": true } ]
}
```

**Vectors** are lists of two or three numbers; `[x, y]` means z = 0. **In 2D** (`"dimensions": 2`) z has no meaning
for shapes and is ignored there; gravity, velocities and motions must lie in the plane.

**`--set path.to.key=value`** on the command line changes or adds a key before the scene is checked. Steps of the path
are keys or, in lists, places counted from 0: `objects.0.temperature` or `objects[0].temperature`. The place behind
the last one appends. A key that holds a dot is quoted: `materials."a.b".density` (and `\"` in it stands for a quote).
The value is JSON; what is not JSON is taken as text, so `solver.kernel=spiky` needs no quotes.

**Limits.** At most 500 million particles, those that emitters make included, a million frames, 65,535 materials,
obstacles, sinks, and objects and emitters together, and a file of 64 MB.
)";

constexpr std::string_view shape_introduction = R"(
## Shapes

An object with one key that names the kind, and beside it, where wanted, the keys of a placement:

```jsonc
{ "torus": { "center": [0, 0, 0], "major_radius": 0.4, "minor_radius": 0.1 }, "rotate": [90, 0, 0], "translate": [0, 0.5, 0] }
```

A placement scales the shape about the origin, then rotates it about the origin, then moves it. Shapes hold shapes: every
part of a `union`, `difference` or `smooth_union` may have a placement of its own, and be made of parts again.

**Sheets and rods** (`rectangle`, `disc`, `sombrero`, `height_sheet`, `mesh_surface`; `curve`, `helix`) have no inside: their
particles form a single layer, or a line. They can only be shapes of objects, of matter that is not liquid, and no parts of other
shapes. A sheet counts as one spacing thick, a rod as one spacing wide and thick. In 2D there are curves, and no sheets.

![One of every kind, filled with particles](images/shapes.png)

)";

/// Sections in the order they are met; each struct type once.
class Reference {
public:
    std::string take() { return std::string(introduction) + text_; }

    template <class T>
    void section(const std::string& title, const std::string& path) {
        text_ += fmt::format("\n## {}\n\n", title);
        table<T>(path);
    }

    template <class T>
    void table(const std::string& path = "") {
        text_ += "| key | type | default | allowed | meaning |\n| --- | --- | --- | --- | --- |\n";
        StructReference<T> walk{*this, path};
        describe(walk, Tag<T>{});
        for (const auto& write_section : walk.later) write_section();
    }

    void shapes() {
        text_ += shape_introduction;
        table<Placement>();
        kinds<ShapeKind>("Shape");
    }

    void openings() {
        text_ +=
            "\n## Openings\n\nAn object with exactly one key, which names the kind: `{ \"disc\": { … } }`.\n";
        kinds<Opening>("Opening");
    }

private:
    template <class Variant>
    void kinds(std::string_view noun) {
        KindReference walk{*this, noun};
        describe(walk, Tag<Variant>{});
    }

    void row(std::string_view key, std::string_view type, std::string_view initial, std::string_view allowed,
             std::string_view help) {
        text_ += fmt::format("| `{}` | {} | {} | {} | {} |\n", key, type, initial, allowed, help);
    }

    template <class T>
    struct StructReference {
        Reference& reference;
        std::string path;
        std::vector<std::function<void()>> later = {};
        T initial = {};

        template <class Access>
        void field(std::string_view name, Access access, const Rule& rule) {
            using Value = std::remove_cvref_t<decltype(std::invoke(access, initial))>;
            std::string fallback(rule.required ? "*required*" : rule.fallback);
            if constexpr (is_json_scalar<Value> || is_list_of_names<Value>)
                if (fallback.empty() && !rule.required)
                    fallback = fmt::format("`{}`", json_text(std::invoke(access, initial)));
            if (fallback.empty()) fallback = is_list<Value> ? "`[]`" : "`{}`";
            reference.row(name, type_name<Value>(), fallback, allowed<Value>(rule), rule.help);
            follow<Value>(name);
        }
        template <class Access, class Key>
        void map(std::string_view name, Access access, Key, const Rule& rule) {
            using Value = typename std::remove_cvref_t<decltype(std::invoke(access, initial))>::value_type;
            reference.row(name, "object of named entries", rule.required ? "*required*" : "`{}`",
                          rule.not_empty ? "at least one" : "", rule.help);
            later_section<Value>(path + std::string(name) + ".NAME");
        }
        void ignored(std::string_view name, std::string_view help) {
            reference.row(name, "text", "none", "", help);
        }

        template <class Value>
        void follow(std::string_view name) {
            if constexpr (is_optional<Value>) {
                follow<typename Value::value_type>(name);
            } else if constexpr (is_list<Value>) {
                using Element = typename Value::value_type;
                if constexpr (!is_json_scalar<Element> && !std::is_same_v<Element, Shape>)
                    later_section<typename Value::value_type>(path + std::string(name) + ".N");
            } else if constexpr (!is_json_scalar<Value> && !std::is_same_v<Value, Shape> &&
                                 !std::is_same_v<Value, Opening>) {
                later_section<Value>(path + std::string(name));
            }
        }
        template <class Value>
        void later_section(std::string where) {
            later.push_back([this, where] { reference.section<Value>("`" + where + "`", where + "."); });
        }
    };

    struct KindReference {
        Reference& reference;
        std::string_view noun;

        template <class T>
        void alternative(std::string_view name, const Rule&, std::string_view help) {
            reference.text_ += fmt::format("\n## {} `{}`\n\n{}\n\n", noun, name, help);
            reference.table<T>();
        }
    };

    template <class T>
    static std::string type_name() {
        if constexpr (is_optional<T>)
            return type_name<typename T::value_type>();
        else if constexpr (std::is_same_v<T, bool>)
            return "flag";
        else if constexpr (std::is_integral_v<T>)
            return "whole number";
        else if constexpr (std::is_arithmetic_v<T>)
            return "number";
        else if constexpr (std::is_enum_v<T>)
            return "name";
        else if constexpr (std::is_same_v<T, std::string>)
            return "text";
        else if constexpr (std::is_same_v<T, Vec3d> || std::is_same_v<T, Rotation>)
            return "vector";
        else if constexpr (std::is_same_v<T, Shape>)
            return "[shape](#shapes)";
        else if constexpr (std::is_same_v<T, std::vector<Shape>>)
            return "list of [shapes](#shapes)";
        else if constexpr (std::is_same_v<T, std::vector<Vec3d>>)
            return "list of vectors";
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
            return "list of texts";
        else if constexpr (std::is_same_v<T, Opening>)
            return "[opening](#openings)";
        else if constexpr (is_list<T>)
            return is_list_of_names<T> ? "list of names" : "list of objects";
        else
            return "object";
    }

    template <class T>
    static std::string allowed(const Rule& rule) {
        if constexpr (std::is_enum_v<T>) {
            std::string names;
            for (const auto& choice : choices(Tag<T>{}))
                if (choice.unavailable.empty())
                    names += fmt::format("{}`{}`: {}", names.empty() ? "" : "; ", choice.name, choice.help);
            return names;
        } else if constexpr (is_list<T>) {
            if constexpr (std::is_enum_v<typename T::value_type>)
                return allowed<typename T::value_type>(rule);
            return rule.not_empty ? "at least one" : "";
        } else if constexpr (std::is_same_v<T, Shape>) {
            if (rule.layer) return "not `plane` or `height_field`, which have no end";
            return "no sheet or rod";
        } else {
            return rule.limited() ? rule.range_text() : std::string(rule.unit);
        }
    }

    std::string text_;
};

}  // namespace

std::string scene_reference_markdown() {
    Reference reference;
    reference.section<Scene>("The scene", "");
    reference.shapes();
    reference.openings();
    return reference.take();
}

}  // namespace thixo
