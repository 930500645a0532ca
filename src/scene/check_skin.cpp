#include <fmt/format.h>

#include <cmath>

#include "geometry/layer.h"
#include "geometry/triangle_mesh.h"
#include "scene/check_entry.h"

namespace thixo {

namespace {

/// Whether the skin of a shape has texture coordinates (skin/shape_mesh.h).
bool has_texture(const ShapeKind& kind) {
    return std::visit(
        []<class Kind>(const Kind&) {
            return LayerKind<Kind> ||
                   is_alternative<Kind, std::variant<Box, Sphere, Ellipsoid, Cylinder, Capsule, Torus>>;
        },
        kind);
}

/// m, how far a place is outside of the object; of sheets and rods, of the box around them.
double outside(const Shape& shape, const Vec3d& x) {
    if (!is_layer(shape)) return signed_distance(shape, x, 3).distance;
    const Bounds box = bounds(shape);
    return signed_distance(Box{box.min, box.max}, x, 3).distance;
}

void check_place(const Object& object, double spacing, const std::string& path, const Report& report) {
    double farthest = spacing;
    Vec3d where;
    for (const Vec3d& vertex : object.skin->content->vertices) {
        const Vec3d x = object.shape.placement.to_world(vertex);
        const double d = outside(object.shape, x);
        if (d > farthest) farthest = d, where = x;
    }
    if (farthest > spacing)
        report(path,
               fmt::format(
                   "the mesh lies outside of its object: ({:.4g}, {:.4g}, {:.4g}) is {:.4g} m away from it; "
                   "allowed: one spacing, {:.4g} m. The mesh is placed like the shape",
                   where.x, where.y, where.z, farthest, spacing));
}

}  // namespace

void check_skin(const Object& object, double spacing, int dimensions, const std::string& path,
                const Report& report) {
    if (!object.skin) return;
    const SkinSettings& skin = *object.skin;
    if (dimensions == 2) return report(path, "skins are made in 3D; this scene has 2 dimensions");
    if (object.phase == Phase::liquid)
        return report(path, "only solids have a skin; give the object \"phase\": \"elastic\" or \"rigid\"");
    if (skin.content) check_place(object, spacing, path + ".mesh", report);
    if (skin.texture.empty()) return;
    if (skin.texture.find_first_of("\r\n") != std::string::npos)
        report(path + ".texture", "a line break in the name of a file");
    const auto* mesh = std::get_if<Mesh>(&object.shape.kind);
    if (skin.of_shape() && !mesh && !has_texture(object.shape.kind))
        report(path + ".texture", "shapes of this kind have no texture coordinates; give a `mesh` that has");
    if (skin.content && skin.content->texture.empty())
        report(path + ".texture", fmt::format("{} has no texture coordinates", skin.mesh));
}

}  // namespace thixo
