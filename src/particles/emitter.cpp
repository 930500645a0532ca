#include "particles/emitter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "particles/lattice.h"

namespace thixo {

namespace {

/// A layer in the plane of the opening: width along x, height along y.
struct Layer {
    std::vector<Vec3d> points;
    double pitch = 0;  ///< shortest distance within
};

long count_along(double length, double spacing) { return std::max(1L, std::lround(length / spacing)); }

Layer fill_rectangle(double width, double height, double spacing) {
    const long nx = count_along(width, spacing), ny = count_along(height, spacing);
    const double px = width / static_cast<double>(nx), py = height / static_cast<double>(ny);
    Layer layer{{}, std::min(px, py)};
    for (long j = 0; j < ny; ++j) {
        for (long i = 0; i < nx; ++i) {
            layer.points.push_back({(static_cast<double>(i) + 0.5) * px - 0.5 * width,
                                    (static_cast<double>(j) + 0.5) * py - 0.5 * height, 0});
        }
    }
    return layer;
}

Layer fill_segment(double width, double spacing) {
    const long n = count_along(width, spacing);
    Layer layer{{}, width / static_cast<double>(n)};
    for (long i = 0; i < n; ++i)
        layer.points.push_back({(static_cast<double>(i) + 0.5) * layer.pitch - 0.5 * width, 0, 0});
    return layer;
}

/// The points of a square lattice within the disc, stretched so that their cells have its area. Of lattices
/// centred on a point, an edge or a cell the one that is stretched least.
Layer fill_disc(double radius, double spacing) {
    const double r = std::max(radius / spacing, 0.5);
    const auto reach = static_cast<long>(r) + 1;
    Layer best;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [ox, oy] : {std::pair{0.0, 0.0}, {0.5, 0.0}, {0.5, 0.5}}) {
        Layer layer;
        for (long j = -reach; j <= reach; ++j) {
            for (long i = -reach; i <= reach; ++i) {
                const Vec3d q{static_cast<double>(i) + ox, static_cast<double>(j) + oy, 0};
                if (norm2(q) < r * r) layer.points.push_back(q);
            }
        }
        if (layer.points.empty()) continue;
        layer.pitch = radius * std::sqrt(std::numbers::pi / static_cast<double>(layer.points.size()));
        const double stretch = std::abs(std::log(layer.pitch / spacing));
        if (stretch >= least) continue;
        least = stretch;
        best = std::move(layer);
    }
    for (Vec3d& q : best.points) q *= best.pitch;
    return best;
}

Layer fill(const Opening& opening, double spacing, int dimensions) {
    const auto* rectangle = std::get_if<Rectangle>(&opening);
    if (dimensions == 2) return fill_segment(area(opening, 2), spacing);
    if (rectangle) return fill_rectangle(rectangle->width, rectangle->height, spacing);
    return fill_disc(std::get<Disc>(opening).radius, spacing);
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
    const Vec3d wanted = std::abs(d.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    return normalized(wanted - dot(wanted, d) * d);
}

EmitterLayers::EmitterLayers(const Emitter& emitter, double spacing, int dimensions)
    : start_(emitter.start), stop_(emitter.stop) {
    const Vec3d d = normalized(emitter.direction);
    // In 2D the segment lies across the direction in the plane, and nothing is along z.
    const Vec3d up = dimensions == 2         ? Vec3d{0, 0, 1}
                     : norm2(emitter.up) > 0 ? normalized(emitter.up - dot(emitter.up, d) * d)
                                             : upright(d);
    const Vec3d across = cross(up, d);
    const Layer layer = fill(emitter.opening, spacing, dimensions);
    for (const Vec3d& q : layer.points) points_.push_back(emitter.position + q.x * across + q.y * up);

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
