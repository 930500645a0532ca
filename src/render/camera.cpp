#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thixo {
namespace {

constexpr double automatic_fov = 28;  // degrees: a long lens keeps parallel edges nearly parallel

struct Axes {
    Vec3d right, up, forward;
};

Axes axes_of(const Camera& camera) {
    const Vec3d forward = normalized(camera.target - camera.eye);
    Vec3d right = cross(forward, camera.up);
    if (norm2(right) < 1e-12) right = cross(forward, Vec3d{0, 0, -1});
    if (norm2(right) < 1e-12) right = {1, 0, 0};
    right = normalized(right);
    return {right, cross(right, forward), forward};
}

/// One screen axis of the fitting problem. For points with coordinate u across and z away from the camera,
/// the eye (e, ez) sees all of them between the tangents −low and high when
/// u − e ≤ high (z − ez) and e − u ≤ low (z − ez): two lower and upper bounds of e, linear in ez.
struct FrameFit {
    double low, high;
    double lower = -1e300, upper = 1e300;

    void add(double u, double z) {
        lower = std::max(lower, u - high * z);
        upper = std::min(upper, u + low * z);
    }
    double nearest() const { return (upper - lower) / (low + high); }
    double centre(double ez) const { return 0.5 * (lower + high * ez + upper - low * ez); }
};

Camera frontal_camera(const Bounds& stage, double aspect, const Margins& margins) {
    const double wide = 1 - margins.left - margins.right, tall = 1 - margins.bottom - margins.top;
    const Vec3d size = stage.size();
    Camera camera;
    camera.perspective = false;
    camera.height = std::max(size.y / tall, size.x / wide / aspect);
    const Vec3d shift{0.5 * (margins.right - margins.left) * camera.height * aspect,
                      0.5 * (margins.top - margins.bottom) * camera.height, 0};
    camera.target = stage.center() + shift;
    camera.eye = camera.target + Vec3d{0, 0, camera.height + size.z};
    return camera;
}

}  // namespace

Lens::Lens(const Camera& camera, int width, int height)
    : eye_(to_float(camera.eye)),
      half_width_(0.5f * static_cast<float>(width)),
      half_height_(0.5f * static_cast<float>(height)),
      perspective_(camera.perspective) {
    const Axes axes = axes_of(camera);
    right_ = to_float(axes.right);
    up_ = to_float(axes.up);
    forward_ = to_float(axes.forward);
    const double view = perspective_ ? 2 * std::tan(camera.fov * std::numbers::pi / 360) : camera.height;
    pixel_ = static_cast<float>(view / height);
}

Ray Lens::ray(float x, float y) const {
    const Vec3f across = right_ * ((x - half_width_) * pixel_) + up_ * ((half_height_ - y) * pixel_);
    if (perspective_) return {eye_, normalized(forward_ + across)};
    return {eye_ + across, forward_};
}

Vec3f Lens::project(const Vec3f& x) const {
    const Vec3f d = x - eye_;
    const float depth = dot(d, forward_);
    const float scale = 1 / pixel_width(depth);
    return {half_width_ + dot(d, right_) * scale, half_height_ - dot(d, up_) * scale, depth};
}

Bounds shown_part(const RenderObstacle& obstacle, const Bounds& particles) {
    const Bounds whole = obstacle.bounds();
    if (!whole.has_end()) return {};
    // Of a container its empty rest says nothing, of a block or a spoon it does.
    const double strip = 0.1 * norm(particles.size()), near = (obstacle.inside ? 1 : 3) * strip;
    Bounds part;
    for (const auto axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
        // An end that is near is shown. Of what goes on, the rest is not missed.
        const double low = whole.min.*axis, high = whole.max.*axis;
        const double first = particles.min.*axis, last = particles.max.*axis;
        if (low > last + near || high < first - near) return {};
        part.min.*axis = low >= first - near ? low : std::min(high, first) - strip;
        part.max.*axis = high <= last + near ? high : std::max(low, last) + strip;
    }
    // Nor of walls that go on above the matter.
    if (obstacle.inside) part.max.y = std::min(part.max.y, particles.max.y + 0.15 * particles.size().y);
    return part;
}

Bounds stage_bounds(const Bounds& particles, const std::vector<RenderObstacle>& obstacles, int dimensions) {
    Bounds stage = particles;
    if (stage.empty()) {
        for (const RenderObstacle& obstacle : obstacles)
            if (const Bounds box = obstacle.bounds(); box.has_end()) stage.include(box);
    }
    if (stage.empty()) stage = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    const Bounds matter = stage;
    for (const RenderObstacle& obstacle : obstacles)
        if (const Bounds part = shown_part(obstacle, matter); !part.empty()) stage.include(part);
    if (dimensions == 2) stage.min.z = stage.max.z = 0;
    // A single point still needs a size to look at.
    const double least = std::max(1e-3, 1e-2 * norm(stage.size()));
    if (stage.size().x < least) stage.min.x -= least, stage.max.x += least;
    if (stage.size().y < least) stage.min.y -= least, stage.max.y += least;
    return stage;
}

Camera automatic_camera(const Bounds& stage, int dimensions, double aspect, const Margins& margins,
                        View<const Vec3d> points) {
    if (dimensions == 2) return frontal_camera(stage, aspect, margins);
    const Vec3d size = stage.size();
    const double degree = std::numbers::pi / 180;
    const double azimuth = (size.z > 1.25 * size.x ? 62 : 28) * degree;
    const double elevation = 22 * degree;
    const Vec3d toward{std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                       std::cos(azimuth) * std::cos(elevation)};
    Camera camera;
    camera.fov = automatic_fov;
    camera.target = stage.center();
    camera.eye = camera.target + toward;
    const Axes axes = axes_of(camera);

    const double ty = std::tan(0.5 * automatic_fov * degree), tx = ty * aspect;
    FrameFit across{tx * (1 - 2 * margins.left), tx * (1 - 2 * margins.right)};
    FrameFit along{ty * (1 - 2 * margins.bottom), ty * (1 - 2 * margins.top)};
    const auto add = [&](const Vec3d& x) {
        const double z = dot(x, axes.forward);
        across.add(dot(x, axes.right), z);
        along.add(dot(x, axes.up), z);
    };
    for (const Vec3d& x : points) add(x);
    for (int k = 0; k < 8 && points.empty(); ++k) add(stage.corner(k));
    const double ez = std::min(across.nearest(), along.nearest());
    camera.eye = axes.right * across.centre(ez) + axes.up * along.centre(ez) + axes.forward * ez;
    const double depth = std::max(dot(stage.center(), axes.forward) - ez, 1e-6);
    camera.target = camera.eye + axes.forward * depth;
    return camera;
}

}  // namespace thixo
