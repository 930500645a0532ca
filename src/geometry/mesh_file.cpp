#include "geometry/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/input_file.h"
#include "geometry/gltf_scene.h"

namespace thixo {

namespace {

/// Newell's sum: twice the area along the polygon's normal, whatever corners lie in a line or stand out.
Vec3d polygon_normal(const std::vector<Vec3d>& x) {
    Vec3d sum;
    for (std::size_t i = 0; i < x.size(); ++i) sum += cross(x[i] - x[0], x[(i + 1) % x.size()] - x[0]);
    return sum;
}

/// On which side of the line from a to b is x, when n points at the viewer: positive on the left.
double side(const Vec3d& a, const Vec3d& b, const Vec3d& x, const Vec3d& n) {
    return dot(cross(b - a, x - a), n);
}

/// May the corner `i` be cut off: is it convex, with no other corner in its triangle?
bool is_ear(const std::vector<Vec3d>& x, std::size_t i, const Vec3d& n) {
    const std::size_t before = (i + x.size() - 1) % x.size(), after = (i + 1) % x.size();
    const Vec3d &a = x[before], &b = x[i], &c = x[after];
    if (!(side(a, b, c, n) > 0)) return false;
    for (const Vec3d& p : x) {
        if (p == a || p == b || p == c) continue;
        if (side(a, b, p, n) >= 0 && side(b, c, p, n) >= 0 && side(c, a, p, n) >= 0) return false;
    }
    return true;
}

TriangleMesh parse(const std::filesystem::path& file, std::string_view bytes) {
    if (bytes.empty()) throw InputError("is empty");
    const std::string extension = small_extension(file);
    if (extension == ".obj") return parse_obj_mesh(bytes);
    if (extension == ".ply") return parse_ply_mesh(bytes);
    if (extension == ".stl") return parse_stl_mesh(bytes);
    if (is_gltf(file)) return GltfScene(bytes, file.parent_path()).at(nullptr, 0);
    throw InputError("is not a mesh by its name; allowed: .obj, .ply, .stl, .gltf, .glb");
}

TriangleMesh read_mesh(const std::filesystem::path& file, TriangleMesh (*checked)(TriangleMesh)) {
    try {
        return checked(parse(file, read_whole(file)));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
}

}  // namespace

std::string small_extension(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

void check_vertex(const Vec3d& x, const std::string& where) {
    for (const double coordinate : {x.x, x.y, x.z}) {
        if (std::abs(coordinate) <= largest_coordinate) continue;
        throw InputError(fmt::format("{}: a vertex has the coordinate {}; allowed: -{:g} to {:g}", where,
                                     coordinate, largest_coordinate, largest_coordinate));
    }
}

void append_polygon(TriangleMesh& mesh, std::span<const std::uint32_t> corners,
                    std::span<const std::array<float, 2>> texture) {
    std::vector<std::uint32_t> left(corners.size());  // places in the list of corners
    std::iota(left.begin(), left.end(), 0u);
    std::vector<Vec3d> x;
    for (const std::uint32_t corner : corners) x.push_back(mesh.vertices[corner]);
    const Vec3d n = polygon_normal(x);
    while (left.size() >= 3) {
        std::size_t ear = 0;
        while (ear < left.size() && !is_ear(x, ear, n)) ++ear;
        if (ear == left.size()) ear = 0;  // a degenerate polygon: any cut is as good
        const std::size_t before = (ear + left.size() - 1) % left.size(), after = (ear + 1) % left.size();
        const std::uint32_t a = left[before], b = left[ear], c = left[after];
        mesh.triangles.push_back({corners[a], corners[b], corners[c]});
        if (!texture.empty()) mesh.texture.push_back({texture[a], texture[b], texture[c]});
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
        x.erase(x.begin() + static_cast<std::ptrdiff_t>(ear));
    }
}

TriangleMesh load_mesh(const std::filesystem::path& file) { return read_mesh(file, closed_mesh); }
TriangleMesh load_surface(const std::filesystem::path& file) { return read_mesh(file, open_mesh); }

}  // namespace thixo
