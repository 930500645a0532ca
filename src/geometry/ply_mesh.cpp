#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/byte_order.h"
#include "core/error.h"
#include "core/ply_header.h"
#include "core/words.h"
#include "geometry/mesh_file.h"

namespace thixo {

namespace {

/// The numbers behind the header, one by one. Memory grows with what was read, never with what the header
/// claims.
class PlyNumbers {
public:
    PlyNumbers(std::string_view bytes, const PlyHeader& header)
        : bytes_(bytes), format_(header.format), position_(header.data_begin) {
        line_ = 1 + static_cast<int>(std::count(bytes.begin(), bytes.begin() + position_, '\n'));
    }

    double next(ScalarType type) { return format_ == PlyFormat::ascii ? next_word() : next_binary(type); }

    /// Where the newest number stands.
    std::string where() const {
        return format_ == PlyFormat::ascii ? fmt::format("line {}", line_) : fmt::format("byte {}", last_);
    }

    [[noreturn]] void fail(const std::string& what) const { throw InputError(where() + ": " + what); }

private:
    double next_word() {
        constexpr std::string_view blank = " \t\r\n";
        const std::size_t begin = std::min(bytes_.find_first_not_of(blank, position_), bytes_.size());
        line_ += static_cast<int>(std::count(bytes_.begin() + position_, bytes_.begin() + begin, '\n'));
        if (begin == bytes_.size()) fail("the file is cut short: its header promises more data");
        position_ = std::min(bytes_.find_first_of(blank, begin), bytes_.size());
        const std::string_view word = bytes_.substr(begin, position_ - begin);
        const auto value = number(word);
        if (!value) fail(fmt::format("\"{}\" is no number", shown(word)));
        return *value;
    }

    double next_binary(ScalarType type) {
        last_ = position_;
        const std::size_t size = info(type).size;
        if (bytes_.size() - position_ < size) fail("the file is cut short: its header promises more data");
        position_ += size;
        return with_scalar_type(type, [&](auto zero) {
            const bool big_endian = format_ == PlyFormat::binary_big_endian;
            return static_cast<double>(load<decltype(zero)>(bytes_.data() + last_, big_endian));
        });
    }

    std::string_view bytes_;
    PlyFormat format_;
    std::size_t position_, last_ = 0;
    int line_ = 1;
};

/// Calls take(property number, values) for each property of a row; a scalar is one value.
template <class Take>
void read_row(const PlyElement& element, PlyNumbers& numbers, std::vector<double>& values, const Take& take) {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const PlyProperty& property = element.properties[p];
        double count = 1;
        if (property.list_length_type) count = numbers.next(*property.list_length_type);
        if (!(count >= 0 && count <= most_corners && count == std::floor(count)))
            numbers.fail(fmt::format("a list has {} items; allowed: at most {}", count, most_corners));
        values.clear();
        while (values.size() < static_cast<std::size_t>(count)) values.push_back(numbers.next(property.type));
        take(p, values);
    }
}

std::size_t find(const PlyElement& element, std::initializer_list<std::string_view> names, bool list) {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const PlyProperty& property = element.properties[p];
        for (const std::string_view name : names)
            if (property.name == name && property.list_length_type.has_value() == list) return p;
    }
    throw InputError(fmt::format("element {} has no {} {}", shown(element.name), list ? "list" : "property",
                                 *names.begin()));
}

/// The first of the properties that is there; as many as there are if none is.
std::size_t find_any(const PlyElement& element, std::initializer_list<std::string_view> names, bool list) {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const PlyProperty& property = element.properties[p];
        for (const std::string_view name : names)
            if (property.name == name && property.list_length_type.has_value() == list) return p;
    }
    return element.properties.size();
}

using TexturePoint = std::array<float, 2>;

/// Texture coordinates that are no number are refused: a picture is looked up by them.
float texture_number(double value, const PlyNumbers& numbers) {
    if (!(std::abs(value) <= 1e6)) numbers.fail(fmt::format("{} is no texture coordinate", value));
    return static_cast<float>(value);
}

/// `texture` gets the (u, v) of each vertex where the file has them there.
void read_vertices(const PlyElement& element, PlyNumbers& numbers, TriangleMesh& mesh,
                   std::vector<TexturePoint>& texture) {
    const std::size_t axes[3] = {find(element, {"x"}, false), find(element, {"y"}, false),
                                 find(element, {"z"}, false)};
    const std::size_t none = element.properties.size(),
                      u = find_any(element, {"u", "s", "texture_u", "texture_s"}, false),
                      w = find_any(element, {"v", "t", "texture_v", "texture_t"}, false);
    std::vector<double> values;
    for (std::uint64_t i = 0; i < element.count; ++i) {
        double x[3] = {};
        TexturePoint uv{};
        read_row(element, numbers, values, [&](std::size_t property, const std::vector<double>& v) {
            for (std::size_t a = 0; a < 3; ++a)
                if (property == axes[a]) x[a] = v[0];
            if (u == none || w == none) return;
            if (property == u) uv[0] = texture_number(v[0], numbers);
            if (property == w) uv[1] = texture_number(v[0], numbers);
        });
        mesh.vertices.push_back({x[0], x[1], x[2]});
        if (u != none && w != none) texture.push_back(uv);
        check_vertex(mesh.vertices.back(), numbers.where());
    }
}

/// Texture coordinates of corners (`texcoord`, as MeshLab writes them) go before those of vertices.
void read_faces(const PlyElement& element, PlyNumbers& numbers, TriangleMesh& mesh,
                const std::vector<TexturePoint>& of_vertices) {
    const std::size_t list = find(element, {"vertex_indices", "vertex_index"}, true),
                      texture = find_any(element, {"texcoord"}, true);
    const bool has_list = texture < element.properties.size(), has_any = has_list || !of_vertices.empty();
    const auto count = static_cast<double>(mesh.vertices.size());
    std::vector<double> values;
    std::vector<std::uint32_t> corners;
    std::vector<TexturePoint> uv;
    for (std::uint64_t i = 0; i < element.count; ++i) {
        uv.clear();
        read_row(element, numbers, values, [&](std::size_t property, const std::vector<double>& v) {
            if (has_list && property == texture)
                for (std::size_t k = 0; k + 1 < v.size(); k += 2)
                    uv.push_back({texture_number(v[k], numbers), texture_number(v[k + 1], numbers)});
            if (property != list) return;
            if (v.size() < 3) numbers.fail("a face needs three corners or more");
            corners.clear();
            for (const double corner : v) {
                if (!(corner >= 0 && corner < count && corner == std::floor(corner)))
                    numbers.fail(fmt::format("face {} names vertex {}, but there are {}, counted from 0", i,
                                             corner, count));
                corners.push_back(static_cast<std::uint32_t>(corner));
            }
        });
        if (!has_any) {
            append_polygon(mesh, corners);
            continue;
        }
        if (uv.empty() && !of_vertices.empty())
            for (const std::uint32_t corner : corners) uv.push_back(of_vertices[corner]);
        uv.resize(corners.size());
        append_polygon(mesh, corners, uv);
    }
}

void skip(const PlyElement& element, PlyNumbers& numbers) {
    std::vector<double> values;
    if (element.properties.empty()) return;
    for (std::uint64_t i = 0; i < element.count; ++i)
        read_row(element, numbers, values, [](std::size_t, const std::vector<double>&) {});
}

}  // namespace

TriangleMesh parse_ply_mesh(std::string_view bytes) {
    const PlyHeader header = parse_ply_header(bytes);
    PlyNumbers numbers(bytes, header);
    TriangleMesh mesh;
    std::vector<TexturePoint> texture;
    for (const PlyElement& element : header.elements) {
        if (element.name == "vertex")
            read_vertices(element, numbers, mesh, texture);
        else if (element.name == "face")
            read_faces(element, numbers, mesh, texture);
        else
            skip(element, numbers);
    }
    return mesh;
}

}  // namespace thixo
