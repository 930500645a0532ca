#include "geometry/height_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "geometry/quadratic_spline.h"

namespace thixo {

namespace {

/// Along either side of the box.
constexpr int lattice = 256;

/// Where a coordinate lies among the pixels; without extent in the middle of them.
double pixel_of(double at, double min, double max, int count) {
    const double fraction = max > min ? (at - min) / (max - min) : 0.5;
    return fraction * (count - 1);
}

double blend(const GreyImage& image, double u, double w) {
    const int i = static_cast<int>(u + 0.5), j = static_cast<int>(w + 0.5);
    const QuadraticWeights<double> across(u - i), down(w - j);
    double sum = 0;
    for (int b = -1; b <= 1; ++b) {
        const int row = std::clamp(j + b, 0, image.height - 1);
        for (int a = -1; a <= 1; ++a) {
            const int column = std::clamp(i + a, 0, image.width - 1);
            const auto pixel = static_cast<std::size_t>(row) * image.width + column;
            sum += across.w[a + 1] * down.w[b + 1] * image.pixels[pixel];
        }
    }
    return sum;
}

}  // namespace

HeightSurface::HeightSurface(const Formula& formula, const Vec3d& min, const Vec3d& max)
    : source_(formula), min_(min), max_(max), step_(1e-5 * norm(max - min)) {
    check_finite();
    take_heights();
}

HeightSurface::HeightSurface(GreyImage image, const Vec3d& min, const Vec3d& max)
    : source_(std::move(image)), min_(min), max_(max), step_(1e-5 * norm(max - min)) {
    take_heights();
}

void HeightSurface::check_finite() const {
    constexpr int n = 64;
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
            const double x = min_.x + (max_.x - min_.x) * i / n, z = min_.z + (max_.z - min_.z) * j / n;
            const double h = raw_height(x, z);
            if (!std::isfinite(h))
                throw InputError(fmt::format("its value at x = {:.6g}, z = {:.6g} is {}", x, z, h));
        }
    }
}

double HeightSurface::raw_height(double x, double z) const {
    if (const auto* formula = std::get_if<Formula>(&source_)) {
        const double values[] = {x, z};
        return (*formula)(values);
    }
    const auto& image = std::get<GreyImage>(source_);
    const double brightness =
        blend(image, pixel_of(x, min_.x, max_.x, image.width), pixel_of(z, min_.z, max_.z, image.height));
    return min_.y + brightness * (max_.y - min_.y);
}

double HeightSurface::height(double x, double z) const {
    const double h = raw_height(std::clamp(x, min_.x, max_.x), std::clamp(z, min_.z, max_.z));
    // Written so that a value that is no number, between the places that were checked, is the bottom.
    return h > min_.y ? std::min(h, max_.y) : min_.y;
}

void HeightSurface::take_heights() {
    const auto place = [](double min, double max, int k) { return min + (max - min) * k / (lattice - 1); };
    heights_.reserve(lattice * lattice);
    for (int j = 0; j < lattice; ++j) {
        for (int i = 0; i < lattice; ++i)
            heights_.push_back(
                static_cast<float>(height(place(min_.x, max_.x, i), place(min_.z, max_.z, j))));
    }
}

/// That of the nearest point of the lattice.
double HeightSurface::height_about(double x, double z) const {
    const auto nearest = [](double at, double min, double max) {
        return static_cast<std::size_t>(pixel_of(std::clamp(at, min, max), min, max, lattice) + 0.5);
    };
    return heights_[nearest(z, min_.z, max_.z) * lattice + nearest(x, min_.x, max_.x)];
}

HeightSurface::Ground HeightSurface::ground(double x, double z, int dimensions) const {
    const auto slope = [&](double dx, double dz) {
        return (height(x + dx, z + dz) - height(x - dx, z - dz)) / (2 * step_);
    };
    return {height(x, z), slope(step_, 0), dimensions == 2 ? 0 : slope(0, step_)};
}

HeightSurface::Foot HeightSurface::foot(const Vec3d& x, double u, double w, int dimensions) const {
    const Ground g = ground(u, w, dimensions);
    return {u, w, norm2(x - Vec3d{u, g.height, w}), g};
}

/// About the nearest of some points of the ground. None that is farther aside than the ground is below x can
/// be nearer than that.
HeightSurface::Foot HeightSurface::survey(const Vec3d& x, double reach, int dimensions) const {
    constexpr int n = 6;
    Foot best{x.x, x.z, std::numeric_limits<double>::infinity(), {}};
    for (int i = -n; i <= n; ++i) {
        for (int j = dimensions == 2 ? 0 : -n; j <= (dimensions == 2 ? 0 : n); ++j) {
            const double u = x.x + reach * i / n, w = x.z + reach * j / n;
            const double d2 = norm2(x - Vec3d{u, height_about(u, w), w});
            if (d2 < best.distance2) best = {u, w, d2, {}};
        }
    }
    return best;
}

/// Goes down the squared distance from (u, w). A step leads to the nearest point of the tangent plane,
///     δ = −(g − s (s·g) / (1 + s·s)) with the slopes s and g = (u, w) − (x, z) + (h − y) s,
/// and is halved where the ground bends away so much that it would lead farther.
HeightSurface::Foot HeightSurface::nearest(const Vec3d& x, double u, double w, int dimensions) const {
    Foot at = foot(x, u, w, dimensions);
    for (int iteration = 0; iteration < 16; ++iteration) {
        const auto& [h, sx, sz] = at.ground;
        const double gx = at.x - x.x + (h - x.y) * sx, gz = at.z - x.z + (h - x.y) * sz;
        const double along = (sx * gx + sz * gz) / (1 + sx * sx + sz * sz);
        double dx = sx * along - gx, dz = dimensions == 2 ? 0 : sz * along - gz;
        // The remaining step δ changes the distance d by δ²/2d at most.
        if (dx * dx + dz * dz < 1e-8 * (step_ * step_ + at.distance2)) break;
        Foot next = foot(x, at.x + dx, at.z + dz, dimensions);
        for (int halving = 0; halving < 6 && !(next.distance2 < at.distance2); ++halving) {
            dx *= 0.5;
            dz *= 0.5;
            next = foot(x, at.x + dx, at.z + dz, dimensions);
        }
        if (!(next.distance2 < at.distance2)) break;
        at = next;
    }
    return at;
}

SignedDistance HeightSurface::at(const Vec3d& x, int dimensions) const {
    const double above = x.y - height(x.x, x.z);
    // Farther than a hundredth of the box, the ground right below is not where to start.
    Foot start{x.x, x.z, 0, {}};
    if (std::abs(above) > 1000 * step_) start = survey(x, std::abs(above), dimensions);
    const Foot best = nearest(x, start.x, start.z, dimensions);
    const double d = std::sqrt(best.distance2), sign = above < 0 ? -1 : 1;
    const auto& [h, sx, sz] = best.ground;
    // Right at the surface the way to it is rounding, its normal is not.
    if (d < step_) return {sign * d, normalized(Vec3d{-sx, 1, -sz})};
    return {sign * d, (sign / d) * (x - Vec3d{best.x, h, best.z})};
}

}  // namespace thixo
