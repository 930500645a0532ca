#include "render/survey.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "render/camera.h"

namespace thixo {
namespace {

constexpr std::size_t values_per_frame = 20'000;

/// Every k-th value, so that about `values_per_frame` remain.
std::size_t stride_for(std::size_t count) { return std::max<std::size_t>(1, count / values_per_frame); }

float quantile(std::vector<float>& values, double probability) {
    const auto rank = static_cast<std::size_t>(probability * static_cast<double>(values.size() - 1) + 0.5);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// The interval of one coordinate: all of it, unless a few per mille make it much larger. Then something is
/// left on each side for those that begin to fly off.
Range subject_range(std::vector<float>& values, Range whole) {
    const double low = quantile(values, 0.003), high = quantile(values, 0.997), core = high - low;
    if (whole.max - whole.min <= 1.6 * core) return whole;
    return {std::max(whole.min, low - 0.2 * core), std::min(whole.max, high + 0.2 * core)};
}

/// Directions evenly over the sphere: points of a Fibonacci lattice.
template <std::size_t N>
std::array<Vec3d, N> even_directions() {
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    std::array<Vec3d, N> all;
    for (std::size_t k = 0; k < N; ++k) {
        const double y = 1 - (2 * static_cast<double>(k) + 1) / N, r = std::sqrt(1 - y * y);
        all[k] = {r * std::cos(golden * static_cast<double>(k)), y,
                  r * std::sin(golden * static_cast<double>(k))};
    }
    return all;
}

}  // namespace

AttributeStyle attribute_style(std::string_view name) {
    static const std::pair<std::string_view, AttributeStyle> styles[] = {
        {"speed", {"m/s", "water", true}},
        {"vx", {"m/s", "coolwarm"}},
        {"vy", {"m/s", "coolwarm"}},
        {"vz", {"m/s", "coolwarm"}},
        {"density", {"kg/m³", "viridis"}},
        {"pressure", {"Pa", "viridis"}},
        {"temperature", {"°C", "thermal"}},
        {"radius", {"m", "viridis"}},
        {"mass", {"kg", "viridis"}},
        {"x", {"m", "viridis"}},
        {"y", {"m", "viridis"}},
        {"z", {"m", "viridis"}},
        {"id", {}},
        {"phase", {}},
        {"material", {}},
        {"object", {}},
        {"body", {}},
        {"rim", {"lattice points", "thermal", true}},
    };
    for (const auto& [known, style] : styles) {
        if (known == name) return style;
    }
    return {"", "viridis"};
}

Bounds subject_bounds(View<const Vec3f> position, View<const float> radius) {
    std::vector<float> x, y, z;
    Bounds all;
    const std::size_t stride = stride_for(position.size());
    float largest = 0;
    for (std::size_t i = 0; i < position.size(); ++i) {
        if (!is_finite(position[i])) continue;
        all.include(to_double(position[i]));
        largest = std::max(largest, radius[i]);
        if (i % stride != 0) continue;
        x.push_back(position[i].x), y.push_back(position[i].y), z.push_back(position[i].z);
    }
    if (x.empty()) return all;
    const Range rx = subject_range(x, {all.min.x, all.max.x}), ry = subject_range(y, {all.min.y, all.max.y}),
                rz = subject_range(z, {all.min.z, all.max.z});
    const Vec3d rim{largest, largest, largest};
    return {Vec3d{rx.min, ry.min, rz.min} - rim, Vec3d{rx.max, ry.max, rz.max} + rim};
}

void Outline::add(const Vec3d& point) {
    static const std::array<Vec3d, directions> sphere = even_directions<directions>();
    for (std::size_t k = 0; k < directions; ++k) {
        const double reach = dot(point, sphere[k]);
        if (!empty_ && reach <= reach_[k]) continue;
        reach_[k] = reach, farthest_[k] = point;
    }
    empty_ = false;
}

void Outline::add(const Bounds& box) {
    for (int k = 0; k < 8; ++k) add(box.corner(k));
}

void Outline::add(View<const Vec3f> position, View<const float> radius, const Bounds& subject) {
    // A loop without branches, so that its directions share SIMD lanes.
    std::array<float, directions> x{}, y{}, z{}, reach;
    std::array<std::uint32_t, directions> farthest{};
    const auto sphere = even_directions<directions>();
    for (std::size_t k = 0; k < directions; ++k) {
        x[k] = static_cast<float>(sphere[k].x), y[k] = static_cast<float>(sphere[k].y);
        z[k] = static_cast<float>(sphere[k].z);
    }
    reach.fill(-std::numeric_limits<float>::infinity());
    const auto within = [&](const Vec3f& p) {
        const Vec3d d = to_double(p);
        return Vec3d{std::clamp(d.x, subject.min.x, subject.max.x),
                     std::clamp(d.y, subject.min.y, subject.max.y),
                     std::clamp(d.z, subject.min.z, subject.max.z)};
    };
    float largest = 0;
    bool any = false;
    const std::size_t stride = stride_for(position.size());
    for (std::size_t i = 0; i < position.size(); i += stride) {
        if (!is_finite(position[i])) continue;
        any = true;
        largest = std::max(largest, radius[i]);
        const Vec3f p = to_float(within(position[i]));
        const auto number = static_cast<std::uint32_t>(i);
        for (std::size_t k = 0; k < directions; ++k) {
            const float along = p.x * x[k] + p.y * y[k] + p.z * z[k];
            farthest[k] = along > reach[k] ? number : farthest[k];
            reach[k] = std::max(reach[k], along);
        }
    }
    const Vec3d rim{largest, largest, largest};
    for (std::size_t k = 0; any && k < directions; ++k) {
        const Vec3d at = within(position[farthest[k]]);
        add(Bounds{at - rim, at + rim});
    }
}

void Outline::add(const std::vector<RenderObstacle>& obstacles, const Bounds& particles) {
    for (const RenderObstacle& obstacle : obstacles)
        if (const Bounds part = shown_part(obstacle, particles); !part.empty()) add(part);
}

std::vector<Vec3d> Outline::points() const {
    if (empty_) return {};
    return {farthest_.begin(), farthest_.end()};
}

void ValueSurvey::add(View<const float> values) {
    const std::size_t stride = stride_for(values.size());
    for (std::size_t i = 0; i < values.size(); i += stride) {
        if (std::isfinite(values[i])) sample_.push_back(values[i]);
    }
    for (const float value : values) {
        if (categories_.size() >= most_categories) break;
        if (value >= 0 && value < 1e9f) categories_.insert(static_cast<std::size_t>(value));
    }
}

Range ValueSurvey::robust_range() const {
    if (sample_.empty()) return {0, 1};
    std::vector<float> values = sample_;
    return {quantile(values, 0.005), quantile(values, 0.995)};
}

}  // namespace thixo
