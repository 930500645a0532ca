#include <algorithm>

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

}  // namespace

bool holds_mesh(const std::filesystem::path& path) {
    if (path.extension() == ".obj") return true;
    if (path.extension() != ".ply") return false;
    try {
        const std::string bytes = read_whole(path);
        const PlyHeader header = parse_ply_header(bytes);
        // Without faces, too: the surface of nothing.
        return std::any_of(header.elements.begin(), header.elements.end(),
                           [](const PlyElement& element) { return element.name == "face"; });
    } catch (const InputError&) {
        return false;  // who reads it as particles says what is wrong
    }
}

SurfaceMesh read_mesh(const std::filesystem::path& path) {
    try {
        std::string bytes = read_whole(path);
        const bool is_ply = bytes.starts_with("ply");
        const TriangleMesh raw = is_ply ? parse_ply_mesh(bytes) : parse_obj_mesh(bytes);
        SurfaceMesh mesh;
        mesh.vertices.reserve(raw.vertices.size());
        for (const Vec3d& x : raw.vertices) mesh.vertices.push_back(to_float(x));
        mesh.triangles = raw.triangles;
        if (is_ply) add_columns(std::move(bytes), mesh);
        return mesh;
    } catch (const InputError& error) {
        throw InputError(path.string() + ": " + error.what());
    }
}

}  // namespace thixo
