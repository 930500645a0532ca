#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/byte_order.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/ply_header.h"
#include "geometry/mesh_file.h"
#include "io/mesh_files.h"
#include "io/particle_file.h"

namespace thixo {

namespace {

/// The attributes of the vertices; places and faces are read by `parse_ply_mesh`.
void add_columns(std::string bytes, SurfaceMesh& mesh) {
    const ParticleFile file = parse_ply(std::move(bytes));
    mesh.normals.resize(file.find("nx") && file.find("ny") && file.find("nz") ? mesh.vertices.size() : 0);
    for (const StoredColumn& column : file.columns) {
        std::vector<float> values;
        values.reserve(file.count);
        column.for_each(file.count, [&](auto value) { values.push_back(static_cast<float>(value)); });
        if (column.name == "x" || column.name == "y" || column.name == "z") continue;
        const bool is_normal = column.name == "nx" || column.name == "ny" || column.name == "nz";
        if (!is_normal) {
            mesh.attributes.push_back({column.name, "", std::move(values)});
            continue;
        }
        for (std::size_t v = 0; v < mesh.normals.size(); ++v)
            (column.name == "nx"   ? mesh.normals[v].x
             : column.name == "ny" ? mesh.normals[v].y
                                   : mesh.normals[v].z) = values[v];
    }
}

/// The edges of an outline as `write_mesh_ply` stores them, behind the vertices.
void add_edges(const std::string& bytes, SurfaceMesh& mesh) {
    const PlyHeader header = parse_ply_header(bytes);
    std::size_t at = header.data_begin;
    for (const PlyElement& element : header.elements) {
        if (header.format != PlyFormat::binary_little_endian || element.has_lists()) return;
        const std::size_t size = element.row_bytes();
        if (size > 0 && element.count > (bytes.size() - at) / size) return;  // `parse_ply_mesh` refused it
        if (element.name == "edge" && size == sizeof(SurfaceMesh::Ends)) {
            mesh.edges.resize(element.count);
            std::memcpy(mesh.edges.data(), bytes.data() + at, element.count * size);
            for (const SurfaceMesh::Ends& edge : mesh.edges)
                if (std::max(edge[0], edge[1]) >= mesh.vertices.size())
                    throw InputError("an edge names a vertex that is not there");
            return;
        }
        at += element.count * size;
    }
}

/// The edges of an outline as `write_mesh_obj` stores them: `l 1 2`, counted from 1.
void add_lines(std::string_view text, SurfaceMesh& mesh) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (!line.starts_with("l ")) continue;
        SurfaceMesh::Ends ends{};
        const char* const end = line.data() + line.size();
        const char* at = line.data() + 1;
        for (std::uint32_t& v : ends) {
            while (at < end && *at == ' ') ++at;
            const auto read = std::from_chars(at, end, v);
            if (read.ec != std::errc{} || v < 1 || v > mesh.vertices.size())
                throw InputError("a line names a vertex that is not there");
            at = read.ptr;
            --v;
        }
        mesh.edges.push_back(ends);
    }
}

/// Parts and numbers of textures as `write_mesh_ply` stores them, in the last rows of the file.
void add_parts(const std::string& bytes, SurfaceMesh& mesh) {
    const PlyHeader header = parse_ply_header(bytes);
    constexpr std::size_t row =
        1 + sizeof(SurfaceMesh::Corners) + 1 + sizeof(SurfaceMesh::TextureCorners) + 2;
    const PlyElement& face = header.elements.back();
    if (header.format != PlyFormat::binary_little_endian || face.name != "face" ||
        face.properties.size() != 4 || face.properties[2].name != "texnumber" ||
        face.properties[3].name != "part" || face.count != mesh.triangles.size() ||
        bytes.size() - header.data_begin < row * face.count)
        return;
    for (const std::string& comment : header.comments)
        if (comment.starts_with("TextureFile ")) mesh.textures.push_back(comment.substr(12));
    const char* at = bytes.data() + bytes.size() - row * face.count;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t, at += row) {
        const auto part = static_cast<std::uint8_t>(at[row - 1]);
        if (part > static_cast<std::uint8_t>(SurfacePart::liquid))
            throw InputError("a face has a part that is unknown");
        mesh.texture_number.push_back(static_cast<std::uint8_t>(at[row - 2]));
        mesh.part.push_back(static_cast<SurfacePart>(part));
    }
    if (mesh.texture.size() != mesh.triangles.size()) mesh.texture.resize(mesh.triangles.size());
}

}  // namespace

bool holds_mesh(const std::filesystem::path& path) {
    if (path.extension() == ".obj" || path.extension() == ".vtp") return true;
    if (path.extension() != ".ply") return false;
    try {
        const std::string bytes = read_whole(path);
        const PlyHeader header = parse_ply_header(bytes);
        // Without faces, too: the surface of nothing.
        return std::any_of(header.elements.begin(), header.elements.end(),
                           [](const PlyElement& element) { return element.name == "face"; });
    } catch (const InputError&) {
        return false;  // reading it as particles reports what is wrong
    }
}

SurfaceMesh read_mesh(const std::filesystem::path& path) {
    try {
        std::string bytes = read_whole(path);
        if (path.extension() == ".vtp") return parse_vtp_mesh(bytes);
        const bool is_ply = bytes.starts_with("ply");
        // As an OBJ file any text would do, and be a mesh of nothing.
        if (path.extension() == ".ply" && !is_ply)
            throw InputError("is no PLY file: it does not begin with \"ply\"");
        const TriangleMesh raw = is_ply ? parse_ply_mesh(bytes) : parse_obj_mesh(bytes);
        SurfaceMesh mesh;
        mesh.vertices.reserve(raw.vertices.size());
        for (const Vec3d& x : raw.vertices) mesh.vertices.push_back(to_float(x));
        mesh.triangles = raw.triangles;
        if (!is_ply && mesh.triangles.empty()) add_lines(bytes, mesh);
        if (is_ply) mesh.texture = raw.texture;
        if (is_ply) {
            add_edges(bytes, mesh);
            add_parts(bytes, mesh);
            if (!mesh.has_parts()) mesh.texture.clear();
            add_columns(std::move(bytes), mesh);
        }
        return mesh;
    } catch (const InputError& error) {
        throw InputError(path.string() + ": " + error.what());
    }
}

}  // namespace thixo
