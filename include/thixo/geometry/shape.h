#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "thixo/core/export.h"
#include "thixo/geometry/bounds.h"
#include "thixo/geometry/signed_distance.h"
#include "thixo/geometry/transform.h"

namespace thixo {

class Cavity;
class HeightSurface;
class MeshDistance;
struct TriangleMesh;

/// Everything below the plane, seen along the normal. Unbounded.
struct Plane {
    Vec3d point{0, 0, 0};
    Vec3d normal{0, 1, 0};
};

struct Box {
    Vec3d min{0, 0, 0};
    Vec3d max{1, 1, 1};
};

struct Sphere {
    Vec3d center{0, 0, 0};
    double radius = 0.5;
};

struct Ellipsoid {
    Vec3d center{0, 0, 0};
    Vec3d radii{0.5, 0.5, 0.5};
};

/// With flat ends at `from` and `to`. In 2D a rectangle.
struct Cylinder {
    Vec3d from{0, 0, 0};
    Vec3d to{0, 1, 0};
    double radius = 0.5;
};

/// All points closer than the radius to the segment. In 2D a stadium.
struct Capsule {
    Vec3d from{0, 0, 0};
    Vec3d to{0, 1, 0};
    double radius = 0.5;
};

/// In 2D a ring seen along its axis.
struct Torus {
    Vec3d center{0, 0, 0};
    Vec3d axis{0, 1, 0};
    double major_radius = 0.5;   ///< of the circle that runs inside the tube
    double minor_radius = 0.15;  ///< of the tube
};

struct Shape;

struct Union {
    std::vector<Shape> shapes;
};

/// The first shape without all others.
struct Difference {
    std::vector<Shape> shapes;
};

/// What all shapes have in common.
struct Intersection {
    std::vector<Shape> shapes;
};

/// A union whose seams are filled. `blend` is how far apart (m) two surfaces may be and still feel each
/// other.
struct SmoothUnion {
    double blend = 0.1;
    std::vector<Shape> shapes;
};

/// A sitting bunny, a rubber duck: on the ground y = 0 around the origin, looking along x, so that the plane
/// z = 0 shows them from the side.
struct Bunny {
    double height = 1;
};
struct Duck {
    double height = 1;
};

/// A closed triangle mesh. In 2D its outline in the plane z = 0.
struct Mesh {
    std::string file;                                   ///< OBJ, PLY or STL
    std::shared_ptr<const MeshDistance> distance = {};  ///< content of the file; null until it is loaded
};

/// Ground in a box, solid below without end, see HeightSurface. In 2D a curve. Unbounded.
struct HeightField {
    Vec3d min{-1, -1, -1};
    Vec3d max{1, 1, 1};
    std::string formula;  ///< y in m, of x and z; or else
    std::string image;    ///< a file, PNG or PGM: black at the bottom of the box, white at its top
    std::shared_ptr<const HeightSurface> surface = {};  ///< the resulting surface; null until it is loaded
};

/// What a liquid at rest takes up in an obstacle of the scene that is a vessel, see Cavity.
struct Fill {
    std::string inside;                         ///< name of the obstacle
    double level = 0;                           ///< m, y of the surface
    std::shared_ptr<const Cavity> cavity = {};  ///< null until the obstacle is known
};

// Layers: sheets and rods, shapes without thickness that particles form a single layer or line on. They have
// no inside; geometry/layer.h triangulates them. Sheets lie in the plane y = 0 before they are placed.

struct RectangleSheet {
    Vec3d center{0, 0, 0};
    double width = 1;  ///< m, along x
    double depth = 1;  ///< m, along z
    int layers = 1;    ///< of particles, one spacing apart
};

struct DiscSheet {
    Vec3d center{0, 0, 0};
    double radius = 0.5;
};

/// y = height sin(kr)/(kr) over a square, with the distance r from its centre and k = 2π waves / size: a hat
/// with a brim that ripples.
struct Sombrero {
    Vec3d center{0, 0, 0};  ///< far from the crown it ripples around this height
    double size = 1;        ///< m, side of the square
    double height = 0.2;    ///< m, of the crown
    double waves = 3;       ///< from side to side
};

/// The surface of a height field within its box.
struct HeightSheet : HeightField {};

/// The surface of a triangle mesh, closed or not.
struct MeshSurface {
    std::string file;                               ///< OBJ, PLY or STL
    std::shared_ptr<const TriangleMesh> mesh = {};  ///< content of the file; null until it is loaded
};

/// A rod through points.
struct Curve {
    std::vector<Vec3d> points;
    bool smooth = false;  ///< bent by the splines of Catmull and Rom, not straight between points
    bool closed = false;  ///< leads back to the first point
};

/// A rod wound about the y axis, upwards from the centre of its first turn.
struct Helix {
    Vec3d center{0, 0, 0};
    double radius = 0.5;
    double pitch = 0.2;  ///< m, rise of a turn
    double turns = 3;
};

using SheetKind = std::variant<RectangleSheet, DiscSheet, Sombrero, HeightSheet, MeshSurface>;
using RodKind = std::variant<Curve, Helix>;

using ShapeKind = std::variant<Box, Sphere, Plane, Ellipsoid, Cylinder, Capsule, Torus, Union, Difference,
                               Intersection, SmoothUnion, Bunny, Duck, Mesh, HeightField, Fill,
                               RectangleSheet, DiscSheet, Sombrero, HeightSheet, MeshSurface, Curve, Helix>;

template <class T, class Variant>
inline constexpr bool is_alternative = false;
template <class T, class... Kinds>
inline constexpr bool is_alternative<T, std::variant<Kinds...>> = (std::same_as<T, Kinds> || ...);

template <class Kind>
concept LayerKind = is_alternative<Kind, SheetKind> || is_alternative<Kind, RodKind>;

/// One of the kinds with a placement. Shapes are recursive: every part of a union has its own placement.
struct Shape {
    ShapeKind kind = Box{};
    Placement placement{};

    Shape() = default;
    template <class T>
    requires is_alternative<T, ShapeKind> Shape(T k, Placement p = {})
        : kind(std::move(k)), placement(std::move(p)) {}
};

/// `dimensions` = 2 measures in the plane z = 0: a box is a rectangle without front and back. Exact for box,
/// sphere, plane, cylinder, capsule and torus, and outside their union; of first order in the distance for
/// what is smooth otherwise. Inside a union and outside a difference or an intersection the surface may be
/// farther away, never nearer. Of layers, which have no inside, all is infinitely far outside.
THIXO_API SignedDistance signed_distance(const Shape& shape, const Vec3d& x, int dimensions);

/// Axis-aligned bounding box, tight where the kind allows; infinite where the shape
/// has no end.
THIXO_API Bounds bounds(const Shape& shape);

/// A finite box around the part of the surface that is not an unbounded plane: the bounds, or the box of a
/// height field. Infinite if there is none.
THIXO_API Bounds surface_bounds(const Shape& shape);

/// The plane where its placement brings it.
THIXO_API Plane placed(const Plane& plane, const Placement& placement);

/// Lays the shape into the plane z = 0, where z means nothing: without this a disc whose centre is off the
/// plane would be smaller than its radius says.
THIXO_API void flatten(Shape& shape);

}  // namespace thixo
