#include "scene/check_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace thixo {

namespace {

class ShapeChecker {
public:
    ShapeChecker(int dimensions, const Report& report) : dimensions_(dimensions), report_(report) {}

    /// Recursive: parts of a shape are checked where they are written.
    void check(const Shape& shape, const std::string& path, bool bounded);

private:
    void check_kind(const Box& box, const std::string& path, bool bounded);
    void check_kind(const Plane& plane, const std::string& path, bool bounded);
    void check_kind(const HeightField& field, const std::string& path, bool bounded);
    void check_kind(const HeightSheet& sheet, const std::string& path, bool bounded);
    void check_kind(const Curve& curve, const std::string& path, bool bounded);
    void check_kind(const Cylinder& cylinder, const std::string& path, bool bounded);
    void check_kind(const Capsule& capsule, const std::string& path, bool bounded);
    void check_kind(const Torus& torus, const std::string& path, bool bounded);
    void check_kind(const Union& all, const std::string& path, bool bounded);
    void check_kind(const SmoothUnion& all, const std::string& path, bool bounded);
    void check_kind(const Difference& all, const std::string& path, bool bounded);
    void check_kind(const Intersection& all, const std::string& path, bool bounded);
    template <class Kind>
    void check_kind(const Kind&, const std::string&, bool) {}  // no checks across keys
    void check_parts(const std::vector<Shape>& parts, const std::string& path, bool first_bounded,
                     bool others_bounded);
    void check_heights(const HeightField& field, const std::string& key);
    void check_corners(const Vec3d& min, const Vec3d& max, const std::string& path);
    void check_direction(const Vec3d& direction, const std::string& path);
    void check_ends(const Vec3d& from, const Vec3d& to, const std::string& path);

    int dimensions_;
    const Report& report_;
};

void ShapeChecker::check(const Shape& shape, const std::string& path, bool bounded) {
    check_rotation(shape.placement.rotate.degrees(), dimensions_, path + ".rotate", report_);
    std::visit([&](const auto& kind) { check_kind(kind, path, bounded); }, shape.kind);
}

void ShapeChecker::check_corners(const Vec3d& min, const Vec3d& max, const std::string& path) {
    const double lo[] = {min.x, min.y, min.z}, hi[] = {max.x, max.y, max.z};
    for (int a = 0; a < dimensions_; ++a) {
        if (hi[a] > lo[a]) continue;
        return report_(path + ".max", fmt::format("max must be above min; in {} max is {} m and min is {} m",
                                                  "xyz"[a], hi[a], lo[a]));
    }
}

void ShapeChecker::check_kind(const Box& box, const std::string& path, bool) {
    check_corners(box.min, box.max, path + ".box");
}

void ShapeChecker::check_kind(const HeightField& field, const std::string& path, bool bounded) {
    const std::string key = path + ".height_field";
    if (bounded) report_(key, "a height_field is unbounded and cannot be filled with particles");
    check_heights(field, key);
}

void ShapeChecker::check_kind(const HeightSheet& sheet, const std::string& path, bool) {
    check_heights(sheet, path + ".height_sheet");
}

void ShapeChecker::check_heights(const HeightField& field, const std::string& key) {
    if (field.formula.empty() && field.image.empty())
        report_(key, "one of the keys \"formula\" and \"image\" is missing");
    if (!field.formula.empty() && !field.image.empty())
        report_(key, "there are both \"formula\" and \"image\"; allowed: one of them");
    check_corners(field.min, field.max, key);
}

void ShapeChecker::check_kind(const Curve& curve, const std::string& path, bool) {
    const std::string key = path + ".curve.points";
    const std::size_t count = curve.points.size(), least = curve.closed ? 3 : 2;
    if (count < least)
        return report_(key,
                       fmt::format("{} {}; a {}curve has at least {}", count, count == 1 ? "point" : "points",
                                   curve.closed ? "closed " : "", least));
    for (std::size_t i = curve.closed ? 0 : 1; i < count; ++i) {
        if (norm(curve.points[i] - curve.points[(i + count - 1) % count]) < 1e-100)
            return report_(fmt::format("{}.{}", key, i),
                           i == 0 ? "is the same as the last point; a closed curve adds that segment"
                                  : "is the same as the point before it");
    }
}

void ShapeChecker::check_kind(const Plane& plane, const std::string& path, bool bounded) {
    if (bounded) report_(path + ".plane", "a plane is unbounded and cannot be filled with particles");
    check_direction(plane.normal, path + ".plane.normal");
}

void ShapeChecker::check_kind(const Cylinder& cylinder, const std::string& path, bool) {
    check_ends(cylinder.from, cylinder.to, path + ".cylinder.to");
}

void ShapeChecker::check_kind(const Capsule& capsule, const std::string& path, bool) {
    check_ends(capsule.from, capsule.to, path + ".capsule.to");
}

void ShapeChecker::check_kind(const Torus& torus, const std::string& path, bool) {
    check_direction(torus.axis, path + ".torus.axis");
    if (!(torus.minor_radius < torus.major_radius))
        report_(path + ".torus.minor_radius",
                fmt::format("{} m must be below major_radius, {} m: the torus has no hole otherwise",
                            torus.minor_radius, torus.major_radius));
}

void ShapeChecker::check_kind(const Union& all, const std::string& path, bool bounded) {
    check_parts(all.shapes, path + ".union.shapes", bounded, bounded);
}

void ShapeChecker::check_kind(const SmoothUnion& all, const std::string& path, bool bounded) {
    check_parts(all.shapes, path + ".smooth_union.shapes", bounded, bounded);
}

void ShapeChecker::check_kind(const Difference& all, const std::string& path, bool bounded) {
    check_parts(all.shapes, path + ".difference.shapes", bounded, false);
}

bool is_bounded(const Shape& shape) {
    const auto all_bounded = [](const std::vector<Shape>& parts) {
        return std::all_of(parts.begin(), parts.end(), is_bounded);
    };
    if (const auto* all = std::get_if<Union>(&shape.kind)) return all_bounded(all->shapes);
    if (const auto* all = std::get_if<SmoothUnion>(&shape.kind)) return all_bounded(all->shapes);
    if (const auto* all = std::get_if<Difference>(&shape.kind)) return is_bounded(all->shapes.front());
    if (const auto* all = std::get_if<Intersection>(&shape.kind))
        return std::any_of(all->shapes.begin(), all->shapes.end(), is_bounded);
    return !std::holds_alternative<Plane>(shape.kind) && !std::holds_alternative<HeightField>(shape.kind);
}

void ShapeChecker::check_kind(const Intersection& all, const std::string& path, bool bounded) {
    if (bounded && !is_bounded(all))
        report_(path + ".intersection",
                "none of its parts is bounded, so it cannot be filled with particles");
    check_parts(all.shapes, path + ".intersection.shapes", false, false);
}

void ShapeChecker::check_parts(const std::vector<Shape>& parts, const std::string& path, bool first_bounded,
                               bool others_bounded) {
    for (std::size_t i = 0; i < parts.size(); ++i)
        check(parts[i], fmt::format("{}.{}", path, i), i == 0 ? first_bounded : others_bounded);
}

void ShapeChecker::check_direction(const Vec3d& direction, const std::string& path) {
    // The square of a shorter vector underflows.
    if (norm(direction) >= 1e-100) return;
    report_(path, dimensions_ == 2 ? "must not be zero; in 2D its third number is ignored"
                                   : "must not be zero: it has no direction");
}

void ShapeChecker::check_ends(const Vec3d& from, const Vec3d& to, const std::string& path) {
    if (norm(to - from) >= 1e-100) return;
    report_(path, dimensions_ == 2 ? "must differ from `from`; in 2D the third number is ignored"
                                   : "must differ from `from`: there is no direction between them");
}

}  // namespace

void check_shape(const Shape& shape, int dimensions, bool bounded, const std::string& path,
                 const Report& report) {
    ShapeChecker(dimensions, report).check(shape, path, bounded);
}

void check_rotation(const Vec3d& degrees, int dimensions, const std::string& path, const Report& report) {
    if (dimensions == 2 && (degrees.x != 0 || degrees.y != 0))
        report(path, "in 2D only the third number, the rotation about z, can differ from 0");
}

}  // namespace thixo
