#pragma once

#include <vector>

#include "core/mat3.h"
#include "geometry/layer.h"
#include "geometry/shape.h"
#include "skin/memory.h"
#include "skin/shape_mesh.h"
#include "skin/skin.h"

namespace thixo {

/// Places of particles in a shape, one spacing apart, half a spacing from the lower corner of its box.
inline std::vector<Vec3d> filled(const Shape& shape, double spacing) {
    const Bounds box = bounds(shape);
    std::vector<Vec3d> out;
    for (double z = box.min.z + 0.5 * spacing; z < box.max.z; z += spacing)
        for (double y = box.min.y + 0.5 * spacing; y < box.max.y; y += spacing)
            for (double x = box.min.x + 0.5 * spacing; x < box.max.x; x += spacing)
                if (signed_distance(shape, {x, y, z}, 3).distance < 0) out.push_back({x, y, z});
    return out;
}

template <class Map>
std::vector<Vec3f> moved(const std::vector<Vec3d>& points, const Map& map) {
    std::vector<Vec3f> out;
    for (const Vec3d& x : points) out.push_back(to_float(map(x)));
    return out;
}

struct SkinnedShape {
    std::vector<Vec3d> rest;
    TriangleMesh mesh;
    Skin skin;
    double spacing;

    SkinnedShape(const Shape& shape, double s, std::vector<Vec3d> points)
        : rest(std::move(points)),
          mesh(shape_mesh({1}, shape, 0.5 * s, s)),
          skin({1}, mesh, rest, s, is_layer(shape) ? CarrierKind::layer : CarrierKind::solid),
          spacing(s) {}
    SkinnedShape(const Shape& shape, double s) : SkinnedShape(shape, s, filled(shape, s)) {}

    template <class Map>
    std::vector<Skin::Posed> pose(const Map& map, std::vector<int> body, int threads = 1) {
        const std::vector<Vec3f> position = moved(rest, map);
        const SkinGrip grip = SkinGrip::of_bodies(std::move(body));
        return skin.pose({threads}, grip, motions({threads}, position, grip), position, {});
    }
    std::vector<AffineMotion> motions(const Device& device, const std::vector<Vec3f>& position,
                                      const SkinGrip& grip) const {
        const std::vector<Carriers::Fit> fits = skin.carriers().fits(device, position, grip);
        std::vector<AffineMotion> out;
        for (Index i = 0; i < fits.size(); ++i)
            out.push_back(skin.carriers().motion(i, position[i], fits[i].a));
        return out;
    }
    template <class Map>
    SurfaceMesh pose(const Map& map) {
        return pose(map, std::vector<int>(rest.size(), 1)).at(0).mesh;
    }
    /// The largest distance (m) of a vertex from where the map brings it.
    template <class Map>
    double error(const Map& map) {
        const SurfaceMesh posed = pose(map);
        double most = 0;
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
            most = std::max(most, norm(to_double(posed.vertices[v]) - map(mesh.vertices[v])));
        return most;
    }
};

inline Mat3d turn(const Vec3d& degrees) {
    const Rotation r(degrees);
    return transposed(Mat3d{r.apply({1, 0, 0}), r.apply({0, 1, 0}), r.apply({0, 0, 1})});
}

}  // namespace thixo
