#pragma once

#include "scene/rule.h"
#include "scene/scene.h"

/// Part of the table of the scene format (describe.h): shapes and where they are placed.
namespace thixo {

constexpr double farthest = 1e6;  // m; floats are 6 cm apart out there

template <class Walk>
void describe(Walk& walk, Tag<Box>) {
    walk.field("min", &Box::min,
               {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "lowest corner"});
    walk.field("max", &Box::max,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .help = "highest corner; above `min` in every dimension"});
}

template <class Walk>
void describe(Walk& walk, Tag<Sphere>) {
    walk.field("center", &Sphere::center,
               {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "centre"});
    walk.field("radius", &Sphere::radius,
               {.unit = "m", .above = 0, .max = farthest, .required = true, .help = "radius"});
}

template <class Walk>
void describe(Walk& walk, Tag<Plane>) {
    walk.field("point", &Plane::point,
               {.unit = "m", .min = -farthest, .max = farthest, .help = "any point of the plane"});
    walk.field(
        "normal", &Plane::normal,
        {.min = -farthest, .max = farthest, .help = "normal towards the free side; any length but zero"});
}

template <class Walk>
void describe(Walk& walk, Tag<Ellipsoid>) {
    walk.field("center", &Ellipsoid::center,
               {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "centre"});
    walk.field("radii", &Ellipsoid::radii,
               {.unit = "m",
                .above = 0,
                .max = farthest,
                .required = true,
                .help = "half the length along each axis; in 2D the third number is ignored"});
}

/// Cylinder and capsule.
template <class Kind, class Walk>
void describe_ends(Walk& walk, std::string_view end) {
    const Rule rule{.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = end};
    walk.field("from", &Kind::from, rule);
    walk.field("to", &Kind::to, rule);
    walk.field("radius", &Kind::radius,
               {.unit = "m", .above = 0, .max = farthest, .required = true, .help = "radius"});
}

template <class Walk>
void describe(Walk& walk, Tag<Cylinder>) {
    describe_ends<Cylinder>(walk, "centre of one end");
}

template <class Walk>
void describe(Walk& walk, Tag<Capsule>) {
    describe_ends<Capsule>(walk, "centre of the ball at one end");
}

template <class Walk>
void describe(Walk& walk, Tag<Torus>) {
    walk.field("center", &Torus::center,
               {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "centre"});
    walk.field("axis", &Torus::axis,
               {.min = -farthest,
                .max = farthest,
                .help = "direction through the hole; any length but zero; in 2D always z"});
    walk.field("major_radius", &Torus::major_radius,
               {.unit = "m",
                .above = 0,
                .max = farthest,
                .required = true,
                .help = "distance from the centre to the middle of the tube"});
    walk.field("minor_radius", &Torus::minor_radius,
               {.unit = "m",
                .above = 0,
                .max = farthest,
                .required = true,
                .help = "radius of the tube; below `major_radius`"});
}

template <class Walk>
void describe(Walk& walk, Tag<Union>) {
    walk.field("shapes", &Union::shapes, {.required = true, .not_empty = true, .help = "its parts"});
}

template <class Walk>
void describe(Walk& walk, Tag<Difference>) {
    walk.field("shapes", &Difference::shapes,
               {.required = true,
                .not_empty = true,
                .help = "the first is what remains, all others are taken away from it"});
}

template <class Walk>
void describe(Walk& walk, Tag<Intersection>) {
    walk.field("shapes", &Intersection::shapes,
               {.required = true,
                .not_empty = true,
                .help = "what all of them have in common remains; one of them must be bounded"});
}

template <class Walk>
void describe(Walk& walk, Tag<Fill>) {
    walk.field(
        "inside", &Fill::inside,
        {.required = true,
         .not_empty = true,
         .help = "name of an obstacle that is a vessel: a cup, a mesh, a valley, a box with `inside`"});
    walk.field("level", &Fill::level,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .help = "height y of the surface"});
}

template <class Walk>
void describe(Walk& walk, Tag<SmoothUnion>) {
    walk.field("blend", &SmoothUnion::blend,
               {.unit = "m",
                .above = 0,
                .max = farthest,
                .required = true,
                .help = "distance within which surfaces are blended"});
    walk.field("shapes", &SmoothUnion::shapes, {.required = true, .not_empty = true, .help = "its parts"});
}

/// Bunny and duck.
template <class Kind, class Walk>
void describe_figure(Walk& walk, std::string_view help) {
    walk.field("height", &Kind::height,
               {.unit = "m", .above = 0, .max = farthest, .required = true, .help = help});
}

template <class Walk>
void describe(Walk& walk, Tag<Bunny>) {
    describe_figure<Bunny>(walk, "height from the ground to the tips of the ears");
}

template <class Walk>
void describe(Walk& walk, Tag<Duck>) {
    describe_figure<Duck>(walk, "height from the ground to the top of the head");
}

template <class Walk>
void describe(Walk& walk, Tag<Mesh>) {
    walk.field("file", &Mesh::file,
               {.required = true,
                .not_empty = true,
                .help = "an .obj, .ply, .stl, .gltf or .glb file, in metres; its path starts at the folder "
                        "of the scene file"});
}

/// Height field and height sheet.
template <class S, class Walk>
void describe_heights(Walk& walk) {
    walk.field(
        "formula", &S::formula,
        {.fallback = "none; either `formula` or `image` must be given",
         .help =
             "height in m, of `x` and `z` in m: numbers, `pi`, `+ - * / ^ ( )`, and sin cos tan asin acos "
             "atan sinh cosh tanh exp log sqrt abs floor ceil sign(a), min max pow hypot atan2 mod(a, b); "
             "cut off at the bottom and top of the box"});
    walk.field(
        "image", &S::image,
        {.fallback = "none",
         .help =
             "a grey .png or .pgm of 8 or 16 bits, seen from above: x to the right, z down the picture; "
             "black is the bottom of the box, white its top; in 2D its middle row counts; its path starts "
             "at the folder of the scene file"});
    walk.field("min", &S::min,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .help = "lowest corner of the box"});
    walk.field("max", &S::max,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .help = "highest corner of the box; above `min` in every dimension"});
}

template <class Walk>
void describe(Walk& walk, Tag<HeightField>) {
    describe_heights<HeightField>(walk);
}

template <class Walk>
void describe(Walk& walk, Tag<HeightSheet>) {
    describe_heights<HeightSheet>(walk);
}

constexpr Rule center_rule{.unit = "m", .min = -farthest, .max = farthest, .help = "centre"};

/// A length above zero, without a default.
constexpr Rule length_rule(std::string_view help) {
    return {.unit = "m", .above = 0, .max = farthest, .required = true, .help = help};
}

template <class Walk>
void describe(Walk& walk, Tag<RectangleSheet>) {
    walk.field("center", &RectangleSheet::center, center_rule);
    walk.field("width", &RectangleSheet::width, length_rule("extent along x"));
    walk.field("depth", &RectangleSheet::depth, length_rule("extent along z"));
    walk.field("layers", &RectangleSheet::layers,
               {.min = 1, .max = 1000, .help = "number of layers of particles, one spacing apart"});
}

template <class Walk>
void describe(Walk& walk, Tag<DiscSheet>) {
    walk.field("center", &DiscSheet::center, center_rule);
    walk.field("radius", &DiscSheet::radius, length_rule("radius"));
}

template <class Walk>
void describe(Walk& walk, Tag<Sombrero>) {
    walk.field("center", &Sombrero::center,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .help = "centre; far from the crown the brim ripples around its height"});
    walk.field("size", &Sombrero::size, length_rule("side of the square"));
    walk.field(
        "height", &Sombrero::height,
        {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "height of the crown"});
    walk.field("waves", &Sombrero::waves,
               {.min = 0, .max = 32, .help = "wavelengths from side to side; 0 is flat"});
}

template <class Walk>
void describe(Walk& walk, Tag<MeshSurface>) {
    walk.field("file", &MeshSurface::file,
               {.required = true,
                .not_empty = true,
                .help = "an .obj, .ply, .stl, .gltf or .glb file, in metres; its path starts at the folder "
                        "of the scene file"});
}

template <class Walk>
void describe(Walk& walk, Tag<Curve>) {
    walk.field("points", &Curve::points,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .not_empty = true,
                .help = "at least two, of a closed one three; each differs from the one before"});
    walk.field("smooth", &Curve::smooth,
               {.help = "true: a Catmull-Rom spline through the points; false: straight segments"});
    walk.field("closed", &Curve::closed, {.help = "true: closed, from the last point back to the first"});
}

template <class Walk>
void describe(Walk& walk, Tag<Helix>) {
    walk.field("center", &Helix::center,
               {.unit = "m", .min = -farthest, .max = farthest, .help = "centre of the first turn"});
    walk.field("radius", &Helix::radius, length_rule("distance from the axis"));
    walk.field("pitch", &Helix::pitch, length_rule("rise of a turn"));
    walk.field("turns", &Helix::turns,
               {.above = 0, .max = 10000, .required = true, .help = "number of turns; may be fractional"});
}

template <class Walk>
void describe(Walk& walk, Tag<Placement>) {
    walk.field("scale", &Placement::scale, {.min = 1e-6, .max = 1e6, .help = "factor on all lengths"});
    walk.field("rotate", &Placement::rotate,
               {.unit = "degrees",
                .min = -36000,
                .max = 36000,
                .help = "about the x, then the y, then the z axis; in 2D about z only"});
    walk.field("translate", &Placement::translate,
               {.unit = "m", .min = -farthest, .max = farthest, .help = "shift"});
}

template <class Walk>
void describe(Walk& walk, Tag<ShapeKind>) {
    constexpr Rule fillable{.bounded = true};
    walk.template alternative<Box>("box", fillable, "A box with faces along the axes; in 2D a rectangle.");
    walk.template alternative<Sphere>("sphere", fillable, "A ball; in 2D a disc.");
    walk.template alternative<Plane>("plane", {.bounded = false},
                                     "Everything below a plane. Unbounded: for obstacles, and to cut other "
                                     "shapes by a `difference`.");
    walk.template alternative<Ellipsoid>("ellipsoid", fillable,
                                         "A ball stretched along the axes; in 2D an ellipse.");
    walk.template alternative<Cylinder>(
        "cylinder", fillable, "A cylinder with flat ends; in 2D a rectangle between its end points.");
    walk.template alternative<Capsule>("capsule", fillable, "A cylinder with round ends; in 2D a stadium.");
    walk.template alternative<Torus>("torus", fillable, "A ring; in 2D the area between two circles.");
    walk.template alternative<Union>("union", fillable, "All of its parts.");
    walk.template alternative<Difference>("difference", fillable, "A shape without other shapes.");
    walk.template alternative<Intersection>("intersection", fillable,
                                            "What its parts have in common. One of them may be unbounded: a "
                                            "ball and a `plane` make half a ball.");
    walk.template alternative<SmoothUnion>("smooth_union", fillable,
                                           "All of its parts, blended smoothly where they meet.");
    walk.template alternative<Bunny>(
        "bunny", fillable,
        "A sitting bunny. It stands on y = 0 at the origin and looks along x; in "
        "2D its outline from the side.");
    walk.template alternative<Duck>(
        "duck", fillable,
        "A rubber duck. It stands on y = 0 at the origin and looks along x; in 2D "
        "its outline from the side.");
    walk.template alternative<Mesh>("mesh", fillable,
                                    "A triangle mesh from a file. It must be closed: every edge has two "
                                    "triangles, which agree about what is "
                                    "outside. In 2D its outline in the plane z = 0.");
    walk.template alternative<HeightField>(
        "height_field", {.bounded = false},
        "Ground of height y over each x and z within a box; solid below, without a bottom. Outside the box "
        "the height at the border continues. Unbounded: for obstacles, and to cut other shapes by a "
        "`difference`. In 2D a curve over x.");
    walk.template alternative<Fill>(
        "fill", fillable,
        "What a liquid at rest takes up in a vessel, up to a level. The vessel is an obstacle of the scene, "
        "of "
        "any shape; a liquid that would run out is an error. For objects and regions, not for obstacles.");
    constexpr Rule layer{.bounded = true, .layer = true};
    walk.template alternative<RectangleSheet>(
        "rectangle", layer,
        "A flat sheet normal to y. With the lattice `cubic` its particles form squares, with the others "
        "equilateral triangles.");
    walk.template alternative<DiscSheet>(
        "disc", layer, "A round flat sheet normal to y; its particles are evenly distributed.");
    walk.template alternative<Sombrero>("sombrero", layer,
                                        "A square sheet with the height y = height × sin(kr)/(kr) at the "
                                        "distance r from its centre, with k = "
                                        "2π × waves / size; evenly scattered.");
    walk.template alternative<HeightSheet>(
        "height_sheet", layer,
        "A sheet of height y over each x and z within a box, as a `height_field`; its particles are evenly "
        "distributed, also on steep slopes.");
    walk.template alternative<MeshSurface>("mesh_surface", layer,
                                           "The surface of a triangle mesh from a file, closed or with "
                                           "borders; evenly scattered. Parts of it that "
                                           "are nearer to each other than a spacing stick together.");
    walk.template alternative<Curve>(
        "curve", layer, "A rod through points, its particles evenly spaced along it. In 2D too.");
    walk.template alternative<Helix>("helix", layer,
                                     "A rod wound about the y axis, upwards, its particles evenly spaced "
                                     "along it; it starts on the side of "
                                     "x.");
}

}  // namespace thixo
