#include "particles/emitter_layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "particles/lattice.h"

namespace thixo {

namespace {

/// A layer in the plane of the opening: width along x, height along y.
struct OpeningLayer {
    std::vector<Vec3d> points;
    double pitch = 0;      ///< shortest distance within
    double tightness = 0;  ///< and to the next layer of a full jet: the larger, the evener
};

/// With cells of px × py, cells of volume s³ are s³/(px py) long.
double tightness(double px, double py, double s) { return std::min({px, py, s * s * s / (px * py)}); }

/// The whole numbers of spacings next to a length.
std::array<long, 2> counts_along(double length, double spacing) {
    const auto below = std::max(1L, static_cast<long>(length / spacing));
    return {below, below + 1};
}

OpeningLayer grid(long nx, long ny, double px, double py) {
    OpeningLayer layer{{}, std::min(nx > 1 ? px : py, ny > 1 ? py : px), 0};
    for (long j = 0; j < ny; ++j) {
        for (long i = 0; i < nx; ++i) {
            layer.points.push_back({(static_cast<double>(i) - 0.5 * static_cast<double>(nx - 1)) * px,
                                    (static_cast<double>(j) - 0.5 * static_cast<double>(ny - 1)) * py, 0});
        }
    }
    return layer;
}

OpeningLayer fill_rectangle(double width, double height, double spacing) {
    OpeningLayer best;
    for (const long nx : counts_along(width, spacing)) {
        for (const long ny : counts_along(height, spacing)) {
            const double px = width / static_cast<double>(nx), py = height / static_cast<double>(ny);
            const double even = tightness(px, py, spacing);
            if (even <= best.tightness) continue;
            best = grid(nx, ny, px, py);
            best.tightness = even;
        }
    }
    return best;
}

/// In 2D the cells are one spacing deep.
OpeningLayer fill_segment(double width, double spacing) {
    OpeningLayer best;
    for (const long n : counts_along(width, spacing)) {
        const double pitch = width / static_cast<double>(n), even = tightness(pitch, spacing, spacing);
        if (even <= best.tightness) continue;
        best = grid(n, 1, pitch, spacing);
        best.tightness = even;
    }
    return best;
}

/// The points of a square lattice within the disc, stretched so that their cells have its area. Of lattices
/// centred on a point, an edge or a cell the one that is stretched least.
OpeningLayer fill_disc(double radius, double spacing) {
    const double r = std::max(radius / spacing, 0.5);
    const auto reach = static_cast<long>(r) + 1;
    OpeningLayer best;
    for (const auto& [ox, oy] : {std::pair{0.0, 0.0}, {0.5, 0.0}, {0.5, 0.5}}) {
        OpeningLayer layer;
        for (long j = -reach; j <= reach; ++j) {
            for (long i = -reach; i <= reach; ++i) {
                const Vec3d q{static_cast<double>(i) + ox, static_cast<double>(j) + oy, 0};
                if (norm2(q) < r * r) layer.points.push_back(q);
            }
        }
        if (layer.points.empty()) continue;
        layer.pitch = radius * std::sqrt(std::numbers::pi / static_cast<double>(layer.points.size()));
        layer.tightness = tightness(layer.pitch, layer.pitch, spacing);
        if (layer.tightness > best.tightness) best = std::move(layer);
    }
    for (Vec3d& q : best.points) q *= best.pitch;
    return best;
}

OpeningLayer fill(const Opening& opening, double spacing, int dimensions) {
    const auto* rectangle = std::get_if<Rectangle>(&opening);
    if (dimensions == 2) return fill_segment(area(opening, 2), spacing);
    if (rectangle) return fill_rectangle(rectangle->width, rectangle->height, spacing);
    return fill_disc(std::get<Disc>(opening).radius, spacing);
}

/// Unit vectors: out of the opening, along its width and along its height.
struct Axes {
    Vec3d direction, across, up;
};

Axes axes_of(const Emitter& emitter, int dimensions) {
    const Vec3d d = normalized(emitter.direction);
    // In 2D the segment lies across the direction in the plane, and nothing is along z.
    Vec3d up{0, 0, 1};
    if (dimensions == 3)
        up = norm2(emitter.up) > 0 ? normalized(emitter.up - dot(emitter.up, d) * d) : upright(d);
    return {d, cross(up, d), up};
}

}  // namespace

double area(const Opening& opening, int dimensions) {
    if (const auto* disc = std::get_if<Disc>(&opening))
        return dimensions == 2 ? 2 * disc->radius : std::numbers::pi * disc->radius * disc->radius;
    const auto& rectangle = std::get<Rectangle>(opening);
    return dimensions == 2 ? rectangle.width : rectangle.width * rectangle.height;
}

Vec3d upright(const Vec3d& direction) {
    const Vec3d d = normalized(direction);
    const Vec3d about = std::abs(d.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    return normalized(about - dot(about, d) * d);
}

Nozzle nozzle_of(const Emitter& emitter, double spacing, double length, int dimensions) {
    const Axes axes = axes_of(emitter, dimensions);
    const auto* rectangle = std::get_if<Rectangle>(&emitter.opening);
    const double radius = rectangle ? 0 : std::get<Disc>(emitter.opening).radius, margin = 0.25 * spacing;
    const auto half = [&](double extent) {
        return static_cast<float>((rectangle ? 0.5 * extent : radius) + margin);
    };
    return {.center = to_float(emitter.position),
            .direction = to_float(axes.direction),
            .across = to_float(axes.across),
            .up = to_float(axes.up),
            .half_width = half(rectangle ? rectangle->width : 0),
            .half_height = half(rectangle ? rectangle->height : 0),
            .round = rectangle == nullptr,
            .behind = static_cast<float>(0.5 * spacing),
            .ahead = static_cast<float>(length)};
}

EmitterLayers::EmitterLayers(const Emitter& emitter, double spacing, int dimensions)
    : start_(emitter.start), stop_(emitter.stop) {
    const Axes axes = axes_of(emitter, dimensions);
    const OpeningLayer layer = fill(emitter.opening, spacing, dimensions);
    for (const Vec3d& q : layer.points)
        points_.push_back(emitter.position + q.x * axes.across + q.y * axes.up);

    const double full = area(emitter.opening, dimensions) * emitter.speed;
    const double rate = emitter.rate > 0 ? emitter.rate : full;
    period_ = static_cast<double>(points_.size()) * cell_volume(Lattice::cubic, spacing, dimensions) / rate;
    pitch_ = std::min(layer.pitch, emitter.speed * period_);
}

std::uint64_t EmitterLayers::due(double time) const {
    const double until = std::min(time, stop_) - start_;
    if (until <= 0) return 0;
    // The quotient is right to the last bit or so; the test makes the answer agree with time_of.
    auto k = static_cast<std::uint64_t>(until / period_ + 0.5);
    while (k > 0 && time_of(k - 1) > std::min(time, stop_)) --k;
    while (time_of(k) <= std::min(time, stop_)) ++k;
    return k;
}

}  // namespace thixo
