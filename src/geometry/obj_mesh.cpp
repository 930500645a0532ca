#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/words.h"
#include "geometry/mesh_file.h"

namespace thixo {

namespace {

/// Vertices, faces and texture coordinates of a Wavefront OBJ file; groups, normals and materials do not
/// matter here. (tinyobjloader reads an invalid coordinate as 0 without an error.)
class ObjParser {
public:
    explicit ObjParser(std::string_view text) : text_(text) {}

    TriangleMesh parse() {
        while (next_line()) {
            const std::vector<std::string_view> word = words(line_);
            if (word.empty()) continue;
            if (word[0] == "v") parse_vertex(word);
            if (word[0] == "vt") parse_texture_vertex(word);
            if (word[0] == "f") parse_face(word);
        }
        has_texture_ = std::any_of(faces_.begin(), faces_.end(), [](const Face& face) {
            return std::any_of(face.texture.begin(), face.texture.end(), [](auto t) { return t != none; });
        });
        for (const Face& face : faces_) cut(face);
        return std::move(mesh_);
    }

private:
    static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

    struct Face {
        int line;
        std::vector<std::int64_t> corners;  ///< counted from 0
        std::vector<std::int64_t> texture;  ///< likewise; `none` where the file has none
    };

    [[noreturn]] void fail(int line, const std::string& what) const {
        throw InputError(fmt::format("line {}: {}", line, what));
    }

    /// A backslash joins a line with the one behind it.
    bool next_line() {
        if (text_.empty()) return false;
        line_.clear();
        line_number_ = next_number_;
        for (bool joined = true; joined && !text_.empty();) {
            const std::size_t end = std::min(text_.find('\n'), text_.size());
            std::string_view part = text_.substr(0, end);
            text_.remove_prefix(std::min(end + 1, text_.size()));
            ++next_number_;
            if (part.ends_with('\r')) part.remove_suffix(1);
            joined = part.ends_with('\\');
            if (joined) part.remove_suffix(1);
            line_.append(part).append(joined ? " " : "");
        }
        return true;
    }

    void parse_vertex(const std::vector<std::string_view>& word) {
        if (word.size() < 4) fail(line_number_, "a vertex needs three coordinates");
        double x[3];
        for (std::size_t a = 0; a < 3; ++a) {
            const auto value = number(word[a + 1]);
            if (!value) fail(line_number_, fmt::format("\"{}\" is no coordinate", shown(word[a + 1])));
            x[a] = *value;
        }
        mesh_.vertices.push_back({x[0], x[1], x[2]});
        check_vertex(mesh_.vertices.back(), fmt::format("line {}", line_number_));
    }

    void parse_texture_vertex(const std::vector<std::string_view>& word) {
        if (word.size() < 3) fail(line_number_, "a texture coordinate needs two numbers");
        std::array<float, 2> uv{};
        for (std::size_t a = 0; a < 2; ++a) {
            const auto value = number(word[a + 1]);
            if (!value || !(std::abs(*value) <= 1e6))
                fail(line_number_, fmt::format("\"{}\" is no texture coordinate", shown(word[a + 1])));
            uv[a] = static_cast<float>(*value);
        }
        texture_.push_back(uv);
    }

    /// What stands behind the first slash of a corner, counted like vertices; `none` if nothing does.
    std::int64_t texture_index(std::string_view corner) {
        const std::size_t slash = corner.find('/');
        if (slash == std::string_view::npos) return none;
        const std::string_view rest = corner.substr(slash + 1), index = rest.substr(0, rest.find('/'));
        if (index.empty()) return none;
        std::int64_t value = 0;
        const auto [stop, error] = std::from_chars(index.data(), index.data() + index.size(), value);
        if (error != std::errc{} || stop != index.data() + index.size() || value == 0)
            fail(line_number_,
                 fmt::format("\"{}\" is no texture coordinate; they count from 1", shown(corner)));
        return value > 0 ? value - 1 : static_cast<std::int64_t>(texture_.size()) + value;
    }

    /// `f 1 2 3`, `f 1/5/2 …`: what stands before the first slash is the vertex, counted from 1, or
    /// backwards from the newest vertex, which is -1; behind it stands the texture coordinate.
    void parse_face(const std::vector<std::string_view>& word) {
        if (word.size() < 4) fail(line_number_, "a face needs three corners or more");
        if (word.size() > most_corners + 1)
            fail(line_number_,
                 fmt::format("a face has {} corners; allowed: at most {}", word.size() - 1, most_corners));
        Face face{line_number_, {}, {}};
        for (std::size_t k = 1; k < word.size(); ++k) {
            const std::string_view index = word[k].substr(0, word[k].find('/'));
            std::int64_t value = 0;
            const auto [stop, error] = std::from_chars(index.data(), index.data() + index.size(), value);
            if (error != std::errc{} || stop != index.data() + index.size() || value == 0)
                fail(line_number_, fmt::format("\"{}\" is no vertex; they count from 1", shown(word[k])));
            face.corners.push_back(value > 0 ? value - 1
                                             : static_cast<std::int64_t>(mesh_.vertices.size()) + value);
            face.texture.push_back(texture_index(word[k]));
        }
        faces_.push_back(std::move(face));
    }

    void cut(const Face& face) {
        const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
        std::vector<std::uint32_t> corners;
        for (const std::int64_t corner : face.corners) {
            if (corner < 0 || corner >= count)
                fail(face.line, fmt::format("a face names vertex {}, but there are {}", corner + 1, count));
            corners.push_back(static_cast<std::uint32_t>(corner));
        }
        if (!has_texture_) return append_polygon(mesh_, corners);
        std::vector<std::array<float, 2>> uv;
        const auto known = static_cast<std::int64_t>(texture_.size());
        for (const std::int64_t t : face.texture) {
            if (t != none && (t < 0 || t >= known))
                fail(face.line,
                     fmt::format("a face names texture coordinate {}, but there are {}", t + 1, known));
            uv.push_back(t == none ? std::array<float, 2>{} : texture_[static_cast<std::size_t>(t)]);
        }
        append_polygon(mesh_, corners, uv);
    }

    std::string_view text_;
    std::string line_;
    int line_number_ = 0, next_number_ = 1;
    std::vector<Face> faces_;
    std::vector<std::array<float, 2>> texture_;
    bool has_texture_ = false;
    TriangleMesh mesh_;
};

}  // namespace

TriangleMesh parse_obj_mesh(std::string_view text) { return ObjParser(text).parse(); }

}  // namespace thixo
