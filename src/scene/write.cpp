#include <fmt/format.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "scene/describe.h"
#include "scene/json_text.h"
#include "scene/load.h"
#include "scene/member_writer.h"

namespace thixo {

namespace {

/// Writes what the table describes, indented by two spaces; vectors and lists of names stay on one line.
class Writer {
public:
    std::string take() { return std::move(text_); }

    void key(std::string_view name) {
        next();
        text_ += json_text(std::string(name)) + ": ";
    }

    template <class T>
    void write(const T& value) {
        if constexpr (std::is_class_v<T> && !is_json_scalar<T>)
            braces('{', '}', [&] { write_members(value); });
        else
            text_ += json_text(value);
    }

    template <class T>
    void write(const std::vector<T>& list) {
        if constexpr (std::is_enum_v<T>)
            text_ += json_text(list);
        else
            braces('[', ']', [&] {
                for (const T& element : list) {
                    next();
                    write(element);
                }
            });
    }

    void write(const Shape& shape) {
        braces('{', '}', [&] {
            write_kind(shape.kind);
            if (!shape.placement.is_identity()) write_members(shape.placement);
        });
    }
    void write(const Opening& opening) {
        braces('{', '}', [&] { write_kind(opening); });
    }

private:
    template <class T>
    struct StructWriter : MemberWriter<Writer, T> {
        template <class Access, class Key>
        void map(std::string_view name, Access access, Key key, const Rule&) {
            Writer& out = this->writer;
            out.key(name);
            out.braces('{', '}', [&] {
                for (const auto& element : std::invoke(access, this->value)) {
                    out.key(std::invoke(key, element));
                    out.write(element);
                }
            });
        }
        void ignored(std::string_view, std::string_view) {}
    };

    template <class T>
    void write_members(const T& value) {
        StructWriter<T> walk{{*this, value}};
        describe(walk, Tag<T>{});
    }

    template <class Variant>
    void write_kind(const Variant& variant) {
        KindWriter<Writer, Variant> walk{*this, variant};
        describe(walk, Tag<Variant>{});
    }

    template <class Body>
    void braces(char opening, char closing, const Body& body) {
        text_ += opening;
        ++depth_;
        body();
        --depth_;
        if (text_.back() != opening) new_line();
        text_ += closing;
    }

    void next() {
        if (text_.back() != '{' && text_.back() != '[') text_ += ',';
        new_line();
    }
    void new_line() { text_ += '\n' + std::string(2 * depth_, ' '); }

    std::string text_;
    std::size_t depth_ = 0;
};

}  // namespace

std::string to_json(const Scene& scene) {
    Writer writer;
    writer.write(scene);
    return writer.take() + '\n';
}

}  // namespace thixo
