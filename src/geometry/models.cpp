#include "geometry/models.h"

namespace thixo {

namespace {

Shape flat(Shape shape) {
    flatten(shape);
    return shape;
}

/// Mirror twins: the part and its image on the other side of z = 0.
void add_pair(std::vector<Shape>& parts, const Ellipsoid& part, double degrees_about_z) {
    for (const double side : {1., -1.}) {
        const Vec3d c{part.center.x, part.center.y, side * part.center.z};
        parts.push_back({Ellipsoid{{0, 0, 0}, part.radii}, {1, Rotation({0, 0, degrees_about_z}), c}});
    }
}

Shape make_bunny() {
    std::vector<Shape> parts{Ellipsoid{{-0.05, 0.27, 0}, {0.26, 0.25, 0.21}}, Sphere{{0.17, 0.52, 0}, 0.155}};
    add_pair(parts, {{0.08, 0.82, 0.07}, {0.05, 0.2, 0.035}}, 15);
    return SmoothUnion{0.04, std::move(parts)};
}

Shape make_duck() {
    return SmoothUnion{0.05, {Ellipsoid{{0, 0.3, 0}, {0.5, 0.3, 0.36}}, Sphere{{0.2, 0.72, 0}, 0.28}}};
}

}  // namespace

const Shape& model_of(const Bunny&, int dimensions) {
    static const Shape solid = make_bunny(), profile = flat(solid);
    return dimensions == 2 ? profile : solid;
}

const Shape& model_of(const Duck&, int dimensions) {
    static const Shape solid = make_duck(), profile = flat(solid);
    return dimensions == 2 ? profile : solid;
}

}  // namespace thixo
