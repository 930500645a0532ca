#include <fmt/format.h>

#include <algorithm>

#include "core/byte_order.h"
#include "core/error.h"
#include "core/words.h"
#include "geometry/mesh_file.h"

namespace thixo {

namespace {

/// 80 bytes of text, the number of triangles, then for each a normal, three vertices and two bytes.
constexpr std::size_t stl_head = 84, stl_triangle = 50, stl_normal = 12;

TriangleMesh parse_binary(std::string_view bytes) {
    if (bytes.size() < stl_head)
        throw InputError(fmt::format("is cut short: it ends at byte {}, within the header", bytes.size()));
    const std::size_t count = load<std::uint32_t>(bytes.data() + 80, false);
    if (count > (bytes.size() - stl_head) / stl_triangle)
        throw InputError(fmt::format("is cut short: {} triangles take {} bytes, the file has {}", count,
                                     stl_head + count * stl_triangle, bytes.size()));
    // Anything without "solid" comes here: a file that a crash filled with zeros, for instance.
    if (count == 0 && bytes.size() > stl_head)
        throw InputError(
            fmt::format("declares no triangles, but {} bytes follow its header", bytes.size() - stl_head));
    TriangleMesh mesh;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = stl_head + i * stl_triangle + stl_normal;
        TriangleMesh::Corners corners;
        for (std::uint32_t k = 0; k < 3; ++k) {
            const auto coordinate = [&](std::size_t axis) {
                return double{load<float>(bytes.data() + begin + 12 * k + 4 * axis, false)};
            };
            corners[k] = static_cast<std::uint32_t>(mesh.vertices.size());
            mesh.vertices.push_back({coordinate(0), coordinate(1), coordinate(2)});
            check_vertex(mesh.vertices.back(), fmt::format("byte {}", begin + 12 * k));
        }
        mesh.triangles.push_back(corners);
    }
    return mesh;
}

/// `facet normal …`, `outer loop`, three lines `vertex x y z`, `endloop`, `endfacet`.
class AsciiStl {
public:
    explicit AsciiStl(std::string_view text) : text_(text) {}

    TriangleMesh parse() {
        bool finished = false;
        while (!text_.empty()) {
            const std::vector<std::string_view> word = next_line();
            if (word.empty()) continue;
            finished = word[0] == "endsolid";
            if (word[0] == "vertex") {
                add_vertex(word);
            } else if (word[0] == "endloop") {
                end_triangle();
            } else if (word[0] != "solid" && word[0] != "facet" && word[0] != "outer" &&
                       word[0] != "endfacet" && word[0] != "endsolid") {
                fail(fmt::format("\"{}\" is no STL keyword", shown(word[0])));
            }
        }
        if (!finished) fail("is cut short: there is no endsolid");
        return std::move(mesh_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("line {}: {}", line_number_, what));
    }

    std::vector<std::string_view> next_line() {
        ++line_number_;
        const std::size_t end = std::min(text_.find('\n'), text_.size());
        const std::string_view line = text_.substr(0, end);
        text_.remove_prefix(std::min(end + 1, text_.size()));
        return words(line);
    }

    void add_vertex(const std::vector<std::string_view>& word) {
        if (word.size() != 4) fail("a vertex needs three coordinates");
        double x[3];
        for (std::size_t a = 0; a < 3; ++a) {
            const auto value = number(word[a + 1]);
            if (!value) fail(fmt::format("\"{}\" is no coordinate", shown(word[a + 1])));
            x[a] = *value;
        }
        mesh_.vertices.push_back({x[0], x[1], x[2]});
        check_vertex(mesh_.vertices.back(), fmt::format("line {}", line_number_));
    }

    void end_triangle() {
        const auto first = static_cast<std::uint32_t>(3 * mesh_.triangles.size());
        if (mesh_.vertices.size() != first + 3)
            fail(fmt::format("a facet has {} vertices; it must have 3", mesh_.vertices.size() - first));
        mesh_.triangles.push_back({first, first + 1, first + 2});
    }

    std::string_view text_;
    int line_number_ = 0;
    TriangleMesh mesh_;
};

/// Some binary files start with "solid" as text files do; their length gives them away.
bool is_binary(std::string_view bytes) {
    if (!bytes.starts_with("solid")) return true;
    return bytes.size() >= stl_head &&
           bytes.size() ==
               stl_head + stl_triangle * std::size_t{load<std::uint32_t>(bytes.data() + 80, false)};
}

}  // namespace

TriangleMesh parse_stl_mesh(std::string_view bytes) {
    return is_binary(bytes) ? parse_binary(bytes) : AsciiStl(bytes).parse();
}

}  // namespace thixo
