#include "geometry/figures.h"

namespace thixo {

namespace {

/// An ellipsoid about its own centre: degrees about z lean it back, degrees about x to the side.
Shape part(const Vec3d& center, const Vec3d& radii, double about_z = 0, double about_x = 0) {
    return {Ellipsoid{{0, 0, 0}, radii}, {1, Rotation({about_x, 0, about_z}), center}};
}

/// Parts of an animal that is the same on both sides of z = 0.
struct Parts {
    bool profile;  ///< seen from the side: of each pair one is enough
    std::vector<Shape> shapes = {};

    void add(Shape shape) { shapes.push_back(std::move(shape)); }
    void add_pair(const Vec3d& c, const Vec3d& radii, double about_z = 0, double about_x = 0) {
        add(part(c, radii, about_z, about_x));
        if (!profile) add(part({c.x, c.y, -c.z}, radii, about_z, -about_x));
    }
    Shape blended(double blend) { return SmoothUnion{blend, std::move(shapes)}; }
};

/// Cut off at the ground, so that it stands.
Shape standing(Shape shape) { return Difference{{std::move(shape), Plane{}}}; }

Shape make_bunny(bool profile) {
    Parts trunk{profile};
    trunk.add(part({-0.12, 0.25, 0}, {0.275, 0.265, 0.235}));    // rump
    trunk.add(part({0.06, 0.33, 0}, {0.19, 0.25, 0.185}, 18));   // chest
    trunk.add(part({0.2, 0.595, 0}, {0.185, 0.165, 0.16}, -8));  // head
    trunk.add(part({0.34, 0.555, 0}, {0.095, 0.08, 0.1}));       // snout
    Parts all{profile};
    all.add(trunk.blended(0.08));
    all.add(Sphere{{-0.4, 0.19, 0}, 0.1});  // tail
    const Vec3d ear{0.072, 0.205, 0.045};
    const double lean = 18, splay = profile ? 0 : 12, tip = bounds(part({}, ear, lean, splay)).max.y;
    all.add_pair({0.075, 1 - tip, 0.09}, ear, lean, splay);       // ears
    all.add_pair({-0.08, 0.2, 0.165}, {0.21, 0.185, 0.095}, 12);  // thighs
    all.add_pair({0.1, 0.045, 0.175}, {0.19, 0.06, 0.07});        // hind feet
    all.add_pair({0.2, 0.18, 0.085}, {0.062, 0.2, 0.058}, 12);    // fore legs
    all.add_pair({0.28, 0.04, 0.085}, {0.09, 0.048, 0.058});      // paws
    all.add_pair({0.305, 0.645, 0.11}, {0.026, 0.032, 0.024});    // eyes
    return standing(all.blended(0.03));
}

Shape make_duck(bool profile) {
    Parts trunk{profile};
    trunk.add(part({-0.04, 0.26, 0}, {0.42, 0.27, 0.33}));       // body
    trunk.add(part({0.18, 0.3, 0}, {0.25, 0.26, 0.27}));         // breast
    trunk.add(part({-0.44, 0.45, 0}, {0.21, 0.08, 0.12}, -44));  // tail
    trunk.add(Sphere{{0.2, 0.74, 0}, 0.26});                     // head
    Parts all{profile};
    all.add(trunk.blended(0.12));
    all.add(part({0.49, 0.715, 0}, {0.15, 0.048, 0.14}, 10));  // bill
    all.add(part({0.46, 0.645, 0}, {0.12, 0.04, 0.11}, -8));
    all.add_pair({-0.1, 0.35, 0.31}, {0.25, 0.14, 0.085}, -14);  // wings
    all.add_pair({-0.31, 0.44, 0.29}, {0.12, 0.06, 0.06}, -35);
    all.add_pair({0.39, 0.82, 0.13}, {0.04, 0.055, 0.04});  // eyes
    return standing(all.blended(0.03));
}

Shape flat(Shape shape) {
    flatten(shape);
    return shape;
}

}  // namespace

const Figure& figure_of(const Bunny&) {
    static const Figure figure{
        make_bunny(false), flat(make_bunny(true)), {{-0.5, 0, -0.26}, {0.438, 1, 0.26}}};
    return figure;
}

const Figure& figure_of(const Duck&) {
    static const Figure figure{
        make_duck(false), flat(make_duck(true)), {{-0.602, 0, -0.396}, {0.64, 1, 0.396}}};
    return figure;
}

}  // namespace thixo
