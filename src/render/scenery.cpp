#include "render/scenery.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "render/sampling.h"

namespace thixo {
namespace {

float smoothstep(float from, float to, float x) {
    const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

/// Coverage of a pixel by a line: both measured in pixels.
float line(float distance, float width) { return std::clamp(0.5f + 0.5f * width - distance, 0.0f, 1.0f); }

float to_nearest_multiple(float x, float step) { return std::abs(x - step * std::round(x / step)); }

/// Depth along the ray and squared distance from it, where ray and segment are closest.
struct Approach {
    float depth, distance2;
};

Approach approach(const Ray& ray, const Vec3f& from, const Vec3f& to) {
    const Vec3f e = to - from, w = from - ray.origin;
    const float ee = dot(e, e), ed = dot(e, ray.direction), we = dot(w, e), wd = dot(w, ray.direction);
    const float det = ee - ed * ed;
    const float s = det > 1e-6f * ee ? std::clamp((ed * wd - we) / det, 0.0f, 1.0f) : 0.0f;
    const Vec3f point = w + e * s;
    const float depth = dot(point, ray.direction);
    return {depth, norm2(point - ray.direction * depth)};
}

}  // namespace

double grid_step(const Bounds& stage) {
    const Vec3d size = stage.size();
    const double least = 0.1 * std::max({size.x, size.y, size.z});
    const double power = std::pow(10, std::floor(std::log10(least)));
    const double digit = least / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

Scenery::Scenery(const RenderScene& scene, const Lens& lens, int picture_height)
    : scene_(scene),
      lens_(lens),
      centre_(to_float(scene.stage.center())),
      reach_(0.5f * static_cast<float>(norm(scene.stage.size()))),
      grid_(static_cast<float>(grid_step(scene.stage))),
      line_width_(std::max(1.0f, static_cast<float>(picture_height) / 400)) {
    if (scene.dimensions == 2) {
        float radius = 0;
        for (const float r : scene.particles.radius) radius = std::max(radius, r);
        add_sheet({0, 0, -std::max(1.6 * radius, 1e-4 * reach_)}, {0, 0, 1});
        return;
    }
    for (const RenderObstacle& obstacle : scene.obstacles) {
        if (const auto* plane = std::get_if<Plane>(&obstacle.shape.kind)) {
            const auto [point, normal] = placed(*plane, obstacle.shape.placement);
            add_sheet(obstacle.pose.to_world(point),
                      obstacle.pose.rotated(obstacle.inside ? -normal : normal));
        } else if (obstacle.inside) {
            add_container(obstacle);
        }
    }
    if (has_floor_) return;
    // Containers have their own floor to receive the shadows of their contents.
    double bottom = std::numeric_limits<double>::infinity();
    for (const RenderObstacle& obstacle : scene.obstacles) {
        if (obstacle.inside) bottom = std::min(bottom, moved(bounds(obstacle.shape), obstacle.pose).min.y);
    }
    if (std::isfinite(bottom)) add_sheet({0, bottom, 0}, {0, 1, 0});
}

void Scenery::add_sheet(const Vec3d& point, const Vec3d& normal) {
    const Vec3f n = to_float(normalized(normal));
    Sheet sheet{to_float(point), n, {}, {}, 1};
    // The grid follows the coordinate axes wherever the plane does.
    if (std::abs(n.y) > 0.7f) {
        sheet.across = normalized(cross(n, Vec3f{0, 0, -1}));
        has_floor_ = has_floor_ || n.y > 0;
    } else {
        sheet.across = normalized(cross(Vec3f{0, 1, 0}, n));
        sheet.tint = scene_.dimensions == 2 ? 1.0f : 0.93f;
    }
    sheet.along = cross(n, sheet.across);
    sheets_.push_back(sheet);
}

void Scenery::add_container(const RenderObstacle& obstacle) {
    const Placement& place = obstacle.shape.placement;
    const auto to_world = [&](const Vec3d& x) { return obstacle.pose.to_world(place.to_world(x)); };
    if (const auto* sphere = std::get_if<Sphere>(&obstacle.shape.kind))
        shells_.push_back({to_world(sphere->center), place.scale * sphere->radius});
    const auto* box = std::get_if<Box>(&obstacle.shape.kind);
    if (box == nullptr) return;
    const auto corner = [&](int number) {
        return to_float(to_world({number & 1 ? box->max.x : box->min.x, number & 2 ? box->max.y : box->min.y,
                                  number & 4 ? box->max.z : box->min.z}));
    };
    for (int from = 0; from < 8; ++from) {
        for (const int axis : {1, 2, 4}) {
            if (!(from & axis)) edges_.push_back({corner(from), corner(from | axis)});
        }
    }
}

std::vector<Vec3f> Scenery::normals() const {
    std::vector<Vec3f> list;
    for (const Sheet& sheet : sheets_) list.push_back(sheet.normal);
    return list;
}

SheetHit Scenery::sheet(const Ray& ray) const {
    SheetHit nearest{0, std::numeric_limits<float>::infinity(), {}, {}, 0, 1};
    for (std::size_t number = 0; number < sheets_.size(); ++number) {
        const Sheet& sheet = sheets_[number];
        // From behind a plane is not drawn: it would hide everything.
        const float slope = dot(ray.direction, sheet.normal);
        if (slope > -1e-4f) continue;
        const float distance = dot(sheet.point - ray.origin, sheet.normal) / slope;
        if (distance <= 0 || distance >= nearest.distance) continue;
        const Vec3f point = ray.origin + ray.direction * distance;
        const float footprint = lens_.pixel_width(distance);
        nearest = {number, distance, point, sheet.normal, 1, sheet.tint};
        if (scene_.dimensions == 2) {
            nearest.tint = grid_tint(sheet, point, footprint) * matter_tint(point, footprint);
            continue;
        }
        const Vec3f off = point - centre_;
        const float away = norm(off - sheet.normal * dot(off, sheet.normal));
        nearest.presence = 1 - smoothstep(1.0f * reach_, 2.6f * reach_, away);
        nearest.tint *= grid_tint(sheet, point, footprint / std::max(-slope, 0.25f));
    }
    return nearest;
}

float Scenery::grid_tint(const Sheet& sheet, const Vec3f& point, float footprint) const {
    const float u = dot(point, sheet.across), v = dot(point, sheet.along);
    const auto lines = [&](float step) {
        const float d = std::min(to_nearest_multiple(u, step), to_nearest_multiple(v, step));
        return line(d / footprint, line_width_);
    };
    return 1 - 0.07f * lines(grid_) - 0.07f * lines(5 * grid_);
}

float Scenery::matter_tint(const Vec3f& point, float footprint) const {
    const Vec3d x{point.x, point.y, 0};
    float tint = 1;
    for (const RenderObstacle& obstacle : scene_.obstacles) {
        auto d = static_cast<float>(obstacle.distance(x, 2).distance) / footprint;
        if (obstacle.inside) d = -d;
        const float solid = std::clamp(0.5f - d, 0.0f, 1.0f);
        const float shade = obstacle.inside ? 0.14f : 0.42f;
        tint = std::min(tint, (1 - shade * solid) * (1 - 0.6f * line(std::abs(d), 1.5f * line_width_)));
    }
    return tint;
}

float Scenery::outline(const Ray& ray, float visible) const {
    float clear = 1;
    for (const Segment& edge : edges_) {
        const Approach a = approach(ray, edge.from, edge.to);
        if (a.depth <= 0 || a.depth > visible * 1.0005f) continue;
        const float pixel = lens_.pixel_width(a.depth), far = 0.5f * (line_width_ + 1) * pixel;
        if (a.distance2 >= far * far) continue;
        clear = std::min(clear, 1 - line(std::sqrt(a.distance2) / pixel, line_width_));
    }
    for (const Sphere& shell : shells_) {
        const Vec3f w = to_float(shell.center) - ray.origin;
        const float depth = dot(w, ray.direction), radius = static_cast<float>(shell.radius);
        const float off = norm(w - ray.direction * depth);
        if (depth <= 0 || depth > visible) continue;
        const float rim = off < radius ? 0.25f * std::pow(off / radius, 10.0f) : 0;
        const float edge = line(std::abs(off - radius) / lens_.pixel_width(depth), line_width_);
        clear = std::min(clear, 1 - std::max(edge, rim));
    }
    return 1 - clear;
}

}  // namespace thixo
