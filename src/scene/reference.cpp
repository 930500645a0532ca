#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "scene/describe.h"
#include "scene/json_text.h"
#include "scene/load.h"
#include "scene/reference.h"

namespace thixo {

namespace {

constexpr std::string_view generated_mark =
    "<!-- Generated from src/scene/describe.h by THIXO_UPDATE_DOCS=1 unit_scene. Do not edit. -->\n";

constexpr std::string_view introduction = R"(# Scene files

<!-- Generated from src/scene/describe.h by THIXO_UPDATE_DOCS=1 unit_scene. Do not edit. -->

A scene is a JSON file; `// …` and `/* … */` comments are allowed. Units are SI, temperatures are in °C, and y points up.
Unknown keys and values out of range are errors. Keys marked *required* must be given. Terms are defined in the
[glossary](glossary.md).

```jsonc
{
  "particles": { "spacing": 0.02 },
  "materials": { "water": { "density": 1000 } },
  "objects":   [ { "material": "water", "shape": { "box": { "min": [0, 0, 0], "max": [0.5, 1, 0.5] } } } ],
  "obstacles": [ { "shape": { "box": { "min": [0, 0, 0], "max": [2, 2, 0.5] } }, "inside": true } ]
}
```

**Vectors** are lists of two or three numbers; `[x, y]` means z = 0. **In 2D** (`"dimensions": 2`) the z coordinate of
shapes is ignored; gravity, velocities and motions must lie in the plane z = 0.

**`--set path.to.key=value`** on the command line changes or adds a key before the scene is checked. A path consists of
keys and of list indices from 0: `objects.0.temperature` or `objects[0].temperature`. The index after the last one
appends an entry. A key with a dot is quoted: `materials."a.b".density` (write `\"` for a quote inside it). The value is
JSON; a value that is not valid JSON is text, so `solver.kernel=spiky` needs no quotes.

**Limits.** At most 500 million particles (including those of emitters), 1 million frames, 65,535 materials, 65,535
obstacles, 65,535 sinks, 65,535 objects and emitters in total, and a file size of 64 MB.
)";

constexpr std::string_view shape_introduction = R"(
A shape is an object with one key that names its kind. Keys of a placement are optional:

```jsonc
{ "torus": { "center": [0, 0, 0], "major_radius": 0.4, "minor_radius": 0.1 }, "rotate": [90, 0, 0], "translate": [0, 0.5, 0] }
```

A placement scales the shape about the origin, then rotates it about the origin, then translates it. Shapes are recursive:
each part of a `union`, `difference`, `intersection` or `smooth_union` may have its own placement and its own parts.

**Sheets and rods** (`rectangle`, `disc`, `sombrero`, `height_sheet`, `mesh_surface`; `curve`, `helix`) have no interior: their
particles form a single layer or a line. They can only be shapes of solid objects, not parts of other shapes. A sheet is one
spacing thick, a rod one spacing wide and thick. In 2D there are curves but no sheets.

![One of every kind, filled with particles](../images/shapes.png)

)";

/// A page of the reference, and the keys of the scene whose sections it holds.
struct Topic {
    std::string_view file, title;
    std::vector<std::string_view> keys;
};

const std::vector<Topic>& topics() {
    static const std::vector<Topic> list{
        {"matter", "Materials", {"materials", "contact_angles", "scale"}},
        {"objects", "Objects, holds and grabs", {"objects", "pauses", "grabs"}},
        {"obstacles", "Obstacles, emitters and sinks", {"obstacles", "emitters", "sinks"}},
        {"shapes", "Shapes", {"shapes"}},
        {"heat", "Heaters and the air", {"heaters", "ambient"}},
        {"instruments", "Force fields and probes", {"force_fields", "probes"}},
        {"methods", "Particles and numerical methods", {"particles", "solver", "adaptivity"}},
        {"output", "Output", {"output", "provenance"}}};
    return list;
}

/// Of the section of a path such as `solver.dfsph`; the front page for none.
std::string page_of(std::string_view path) {
    const std::string_view key = path.substr(0, path.find('.'));
    for (const Topic& topic : topics())
        for (const std::string_view known : topic.keys)
            if (key == known) return std::string(topic.file);
    return {};
}

/// Sections in the order in which the table mentions them, on the page of their topic. Each struct type has
/// one section; all its keys link there.
class ReferenceText {
public:
    std::vector<ReferencePage> take() {
        std::vector<ReferencePage> pages;
        std::string contents = "\n## Pages\n\n| page | keys |\n| --- | --- |\n";
        for (const Topic& topic : topics()) {
            std::string keys;
            for (const std::string_view key : topic.keys)
                keys += fmt::format("{}`{}`", keys.empty() ? "" : ", ", key);
            if (topic.file == "shapes") keys = "the value of `shape`, `region` and `opening`";
            contents += fmt::format("| [{}](scene/{}.md) | {} |\n", topic.title, topic.file, keys);
        }
        pages.push_back({"scene.md", std::string(introduction) + contents + resolved("")});
        for (const Topic& topic : topics())
            pages.push_back(
                {fmt::format("scene/{}.md", topic.file),
                 fmt::format("# {}\n\n{}\nPart of the reference of [scene files](../scene.md).\n{}",
                             topic.title, generated_mark, resolved(std::string(topic.file)))});
        return pages;
    }

    template <class T>
    void section(const std::string& title, const std::string& path) {
        const std::string before = std::exchange(page_, page_of(path));
        text() += fmt::format("\n## {}\n\n", title);
        if (!path.empty()) example(scene_examples(), path.substr(0, path.size() - 1));
        table<T>(path, title);
        page_ = before;
    }

    /// A table that stands on the page already is referred to.
    template <class T>
    void table(const std::string& path, const std::string& title) {
        const std::size_t start = text().size();
        text() += "| key | type | default | allowed | meaning |\n| --- | --- | --- | --- | --- |\n";
        StructReference<T> walk{*this, path};
        describe(walk, Tag<T>{});
        const std::string rows = text().substr(start);
        if (const auto [entry, added] = tables_.try_emplace(page_ + rows, title); !added) {
            text().resize(start);
            text() += fmt::format("Keys as of {}.\n", entry->second);
        }
        for (const auto& write_section : walk.later) write_section();
    }

    void shapes() {
        page_ = "shapes";
        text() += shape_introduction;
        table<Placement>("", "placements");
        kinds<ShapeKind>("Shape", shape_examples());
    }

    void openings() {
        text() +=
            "\n## Openings\n\nAn opening of an emitter is an object with exactly one key, which names its "
            "kind.\n";
        kinds<Opening>("Opening", opening_examples());
    }

private:
    template <class Variant>
    void kinds(std::string_view noun, std::span<const ReferenceExample> examples) {
        KindReference walk{*this, noun, examples};
        describe(walk, Tag<Variant>{});
    }

    std::string& text() { return texts_[page_]; }

    void example(std::span<const ReferenceExample> examples, std::string_view section) {
        for (const ReferenceExample& e : examples)
            if (e.section == section) text() += fmt::format("```jsonc\n{}\n```\n\n", e.text);
    }

    /// The text of a page, with links that lead from it to the others.
    std::string resolved(const std::string& page) {
        const std::string& marked = texts_[page];
        std::string out;
        for (std::size_t at = 0; at < marked.size();) {
            const std::size_t link = std::min(marked.find("](", at), marked.size());
            const std::size_t end = std::min(marked.find(')', link), marked.size());
            out += marked.substr(at, link - at);
            if (link < marked.size()) out += "](" + target(marked.substr(link + 2, end - link - 2), page);
            at = end;
        }
        return out;
    }

    /// Where a link of a page leads: "@page#anchor" to a section, or to another document.
    static std::string target(const std::string& link, const std::string& page) {
        if (!link.starts_with('@')) return page.empty() || link.starts_with("../") ? link : "../" + link;
        const std::size_t hash = link.find('#');
        const std::string to = link.substr(1, hash - 1), anchor = link.substr(hash);
        if (to == page) return anchor;
        if (to.empty()) return "../scene.md" + anchor;
        return (page.empty() ? "scene/" : "") + to + ".md" + anchor;
    }

    /// Anchor of the section of a type. `path` is where the type is mentioned; the first mention names the
    /// section.
    template <class T>
    std::string anchor(const std::string& path, bool& first) {
        const auto [entry, added] = paths_.try_emplace(std::type_index(typeid(T)), path);
        first = added;
        std::string slug = "@" + page_of(entry->second) + "#";  // then as GitHub makes it from a heading
        for (const char c : entry->second)
            if (c != '.') slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return slug;
    }

    void row(std::string_view key, std::string_view type, std::string_view initial, std::string_view allowed,
             std::string_view help) {
        text() += fmt::format("| `{}` | {} | {} | {} | {} |\n", key, type, initial, allowed, help);
    }

    template <class T>
    struct StructReference {
        ReferenceText& reference;
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
            reference.row(name, linked_type<Value>(name), fallback, allowed<Value>(rule), rule.help);
        }
        template <class Access, class Key>
        void map(std::string_view name, Access access, Key, const Rule& rule) {
            using Value = typename std::remove_cvref_t<decltype(std::invoke(access, initial))>::value_type;
            reference.row(name, link<Value>("object of named entries", path + std::string(name) + ".NAME"),
                          rule.required ? "*required*" : "`{}`", rule.not_empty ? "at least one" : "",
                          rule.help);
        }
        void ignored(std::string_view name, std::string_view help) {
            reference.row(name, "text", "none", "", help);
        }

        template <class Value>
        std::string linked_type(std::string_view name) {
            const std::string text = type_name<Value>();
            if constexpr (is_optional<Value>) {
                return linked_type<typename Value::value_type>(name);
            } else if constexpr (is_list<Value>) {
                using Element = typename Value::value_type;
                if constexpr (!is_json_scalar<Element> && !std::is_same_v<Element, Shape>)
                    return link<Element>(text, path + std::string(name) + ".N");
            } else if constexpr (!is_json_scalar<Value> && !std::is_same_v<Value, Shape> &&
                                 !std::is_same_v<Value, Opening>) {
                return link<Value>(text, path + std::string(name));
            }
            return text;
        }
        /// A link to the section of a type, which follows this table if this is the first mention of the
        /// type.
        template <class Value>
        std::string link(const std::string& text, const std::string& where) {
            bool first = false;
            const std::string anchor = reference.anchor<Value>(where, first);
            if (first)
                later.push_back([this, where] { reference.section<Value>("`" + where + "`", where + "."); });
            return fmt::format("[{}]({})", text, anchor);
        }
    };

    struct KindReference {
        ReferenceText& reference;
        std::string_view noun;
        std::span<const ReferenceExample> examples;

        template <class T>
        void alternative(std::string_view name, const Rule&, std::string_view help) {
            reference.text() += fmt::format("\n## {} `{}`\n\n{}\n\n", noun, name, help);
            reference.example(examples, name);
            reference.table<T>("", fmt::format("`{}`", name));
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
            return "[shape](@shapes#shapes)";
        else if constexpr (std::is_same_v<T, std::vector<Shape>>)
            return "list of [shapes](@shapes#shapes)";
        else if constexpr (std::is_same_v<T, std::vector<Vec3d>>)
            return "list of vectors";
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
            return "list of texts";
        else if constexpr (std::is_same_v<T, Opening>)
            return "[opening](@shapes#openings)";
        else if constexpr (is_list<T>)
            return is_list_of_names<T> ? "list of names" : "list of objects";
        else if constexpr (has_shorthand<T>)
            return "name or object";
        else
            return "object";
    }

    template <class T>
    static std::string allowed(const Rule& rule) {
        if constexpr (is_optional<T>) {
            return allowed<typename T::value_type>(rule);
        } else if constexpr (std::is_enum_v<T>) {
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
            if (rule.layer) return "not `plane` or `height_field`, which are unbounded";
            return "no sheet or rod";
        } else {
            return rule.limited() ? rule.range_text() : std::string(rule.unit);
        }
    }

    std::string page_;                              ///< that is written to; empty: the front page
    std::map<std::string, std::string> texts_;      ///< of each page
    std::map<std::string, std::string> tables_;     ///< page and text of each table, and where it stands
    std::map<std::type_index, std::string> paths_;  ///< of the section of each struct type
};

}  // namespace

std::vector<ReferencePage> scene_reference_pages() {
    ReferenceText reference;
    reference.section<Scene>("The scene", "");
    reference.shapes();
    reference.openings();
    return reference.take();
}

std::string scene_reference_markdown() {
    std::string text;
    for (const ReferencePage& page : scene_reference_pages()) text += (text.empty() ? "" : "\n") + page.text;
    return text;
}

}  // namespace thixo
