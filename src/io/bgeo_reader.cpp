#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "io/particle_file.h"

namespace thixo {
namespace {

/// Big-endian values one after the other, never past the end.
class Cursor {
public:
    explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

    template <class T>
    T next() {
        return load<T>(take(sizeof(T)).data(), true);
    }

    /// `count` times `size` bytes.
    std::string_view take(std::uint64_t count, std::uint64_t size) {
        if (size > 0 && count > bytes_.size() / size) take(bytes_.size() + 1);
        return take(count * size);
    }

    std::string_view take(std::uint64_t size) {
        if (size > bytes_.size())
            throw InputError("the file is cut short: its header promises more data than there is");
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }

private:
    std::string_view bytes_;
};

struct Definition {
    std::string name;
    std::size_t components = 0;
    ScalarType type = ScalarType::float32;
};

Definition read_definition(Cursor& cursor) {
    Definition definition;
    definition.name = cursor.take(cursor.next<std::uint16_t>());
    definition.components = cursor.next<std::uint16_t>();
    const auto type = cursor.next<std::int32_t>();
    constexpr std::int32_t float_type = 0, int_type = 1, index_type = 4, vector_type = 5;
    if (type == float_type || type == int_type || type == vector_type) {
        definition.type = type == int_type ? ScalarType::int32 : ScalarType::float32;
        cursor.take(definition.components * 4);  // defaults
    } else if (type == index_type) {
        if (definition.components != 1)
            throw InputError(fmt::format("attribute {} holds {} indices a point; 1 is expected",
                                         definition.name, definition.components));
        definition.type = ScalarType::int32;
        for (auto strings = cursor.next<std::int32_t>(); strings > 0; --strings)
            cursor.take(cursor.next<std::uint16_t>());
    } else {
        throw InputError(
            fmt::format("attribute {} has the type {}, which is not supported", definition.name, type));
    }
    return definition;
}

struct Header {
    std::int32_t version, points, primitives, point_groups, primitive_groups;
    std::int32_t point_attributes, vertex_attributes, primitive_attributes, detail_attributes;
};

Header read_header(Cursor& cursor) {
    if (cursor.take(5) != "BgeoV") throw InputError("is no classic .bgeo file");
    Header header{};
    for (std::int32_t* value : {&header.version, &header.points, &header.primitives, &header.point_groups,
                                &header.primitive_groups, &header.point_attributes, &header.vertex_attributes,
                                &header.primitive_attributes, &header.detail_attributes}) {
        *value = cursor.next<std::int32_t>();
        if (*value < 0) throw InputError("bad .bgeo header: a negative count");
    }
    if (header.version != 5)
        throw InputError(fmt::format("has .bgeo version {}; only 5 is read", header.version));
    return header;
}

void read_points(Cursor& cursor, const Header& header, ParticleFile& file) {
    std::vector<Definition> definitions{{"P", 3, ScalarType::float32}, {"w", 1, ScalarType::float32}};
    for (std::int32_t i = 0; i < header.point_attributes; ++i) definitions.push_back(read_definition(cursor));
    std::size_t stride = 0;
    for (const Definition& definition : definitions) stride += definition.components * 4;
    file.count = static_cast<std::size_t>(header.points);
    const char* first = cursor.take(file.count, stride).data();
    for (const Definition& definition : definitions) {
        if (definition.name != "w")
            file.add_attribute(definition.name, definition.components,
                               {"", definition.type, true, first, stride});
        first += definition.components * 4;
    }
}

/// Time and frame, where they are stored; files of other programs may keep anything here.
void read_details(Cursor& cursor, const Header& header, ParticleFile& file) {
    std::vector<Definition> definitions;
    for (std::int32_t i = 0; i < header.detail_attributes; ++i)
        definitions.push_back(read_definition(cursor));
    for (const Definition& definition : definitions) {
        const std::string_view value = cursor.take(definition.components * 4);
        if (definition.components != 1) continue;
        if (definition.name == "time" && definition.type == ScalarType::float32) {
            const float time = load<float>(value.data(), true);
            if (std::isfinite(time)) file.time = time;
        }
        if (definition.name == "frame" && definition.type == ScalarType::int32)
            file.frame = load<std::int32_t>(value.data(), true);
    }
}

}  // namespace

ParticleFile parse_bgeo(std::string bytes) {
    ParticleFile file;
    file.format = "BGEO, classic version 5";
    Cursor cursor(file.storage.emplace_back(std::move(bytes)));
    const Header header = read_header(cursor);
    read_points(cursor, header, file);
    if (header.primitives == 0 && header.primitive_attributes == 0 && header.vertex_attributes == 0)
        read_details(cursor, header, file);
    // Particles of other programs have their size in Houdini's attribute alone.
    if (const StoredColumn* pscale = file.find("pscale"); pscale && !file.find("radius")) {
        StoredColumn radius = *pscale;
        radius.name = "radius";
        file.columns.push_back(std::move(radius));
    }
    return file;
}

}  // namespace thixo
