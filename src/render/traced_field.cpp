#include "render/traced_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "surface/halo.h"

namespace thixo {
namespace {

constexpr float far_from_walls = -std::numeric_limits<float>::max();

/// Linear along each axis between the eight nodes around a point, in cells.
float interpolated(const float* v, int width, const Vec3f& x) {
    const auto low = [&](float c) { return std::clamp(static_cast<int>(c), 0, width - 2); };
    const int i = low(x.x), j = low(x.y), k = low(x.z);
    const float u = x.x - static_cast<float>(i), s = x.y - static_cast<float>(j),
                w = x.z - static_cast<float>(k);
    const float* p = v + (k * width + j) * width + i;
    const auto row = [&](int offset) { return p[offset] + u * (p[offset + 1] - p[offset]); };
    const float a = row(0), b = row(width), c = row(width * width), d = row(width * width + width);
    const float near = a + s * (b - a), far = c + s * (d - c);
    return near + w * (far - near);
}

}  // namespace

TracedField::TracedField(const Device& device, FieldSurface surface, SurfaceMethod method,
                         std::vector<SurfaceObstacle> obstacles, std::vector<std::uint16_t> look,
                         std::vector<Optics> looks, std::vector<float> temperature)
    : points_(device, std::move(surface.particles), method),
      grid_(surface.field.grid),
      level_(surface.level),
      obstacles_(std::move(obstacles)),
      look_(std::move(look)),
      looks_(std::move(looks)),
      temperature_(std::move(temperature)) {
    const SurfaceField& field = surface.field;
    const auto level = static_cast<float>(level_);
    for (Index b = 0; b < grid_.size(); ++b) {
        const Halo phi(grid_, b, field.outside, field.inside, [&](Index n) { return field.block(n); });
        const bool wall = field.clip_of(b) != nullptr;
        const Halo clip(grid_, b, far_from_walls, far_from_walls, [&](Index n) { return field.clip_of(n); });
        std::vector<float> nodes;
        nodes.reserve(width * width * width);
        for (int z = 0; z < width; ++z)
            for (int y = 0; y < width; ++y)
                for (int x = 0; x < width; ++x)
                    nodes.push_back(std::max(phi.at(x, y, z) - level, clip.at(x, y, z)));
        const auto [least, most] = std::minmax_element(nodes.begin(), nodes.end());
        if (!(*least < 0 && *most >= 0)) continue;
        block_.push_back(b);
        at_wall_.push_back(wall ? 1 : 0);
        values_.insert(values_.end(), nodes.begin(), nodes.end());
    }
}

bool TracedField::has_clear() const {
    // Of all looks that are listed only those of particles count.
    for (const std::uint16_t look : look_)
        if (looks_[look].clear) return true;
    return false;
}

Bounds TracedField::bounds(std::size_t b) const {
    return {grid_.world(block_[b], {0, 0, 0}),
            grid_.world(block_[b], {block_width, block_width, block_width})};
}

float TracedField::exact(const std::vector<Index>& rows, const Vec3f& x, bool at_wall) const {
    float phi = points_.value(rows, x) - static_cast<float>(level_);
    if (at_wall)
        for (const SurfaceObstacle& o : obstacles_)
            phi = std::max(phi, static_cast<float>(-o.distance(to_double(x)).distance));
    return phi;
}

float TracedField::value(const Vec3f& x) const {
    thread_local std::vector<Index> rows;
    points_.find(to_double(x), to_double(x), rows);
    return exact(rows, x, true);
}

bool TracedField::meet(std::size_t b, const Ray& ray, float near, float far, float& distance) const {
    const auto cell = static_cast<float>(grid_.cell());
    const Vec3f o = grid_.local(block_[b], ray.origin), d = ray.direction / cell;
    // Where the ray is in the brick.
    float enter = near, leave = far;
    const float from[3] = {o.x, o.y, o.z}, along[3] = {d.x, d.y, d.z};
    for (int k = 0; k < 3; ++k) {
        if (std::abs(along[k]) < 1e-12f) {
            if (from[k] < 0 || from[k] > block_width) return false;
            continue;
        }
        const float a = -from[k] / along[k], c = (block_width - from[k]) / along[k];
        enter = std::max(enter, std::min(a, c));
        leave = std::min(leave, std::max(a, c));
    }
    if (!(enter < leave)) return false;
    // Steps of half a cell see every change of sign that is longer than that.
    const float* v = brick(b);
    const auto cached = [&](float s) { return interpolated(v, width, o + d * s); };
    const float step = 0.5f * cell;
    float last = enter, before = cached(enter);
    while (last < leave) {
        const float next = std::min(leave, last + step), now = cached(next);
        if ((before < 0) != (now < 0)) {
            // Two secants on the cached field, then the field itself close by.
            float s = last + (next - last) * before / (before - now);
            const float f = cached(s);
            s = (f < 0) == (before < 0) ? s + (next - s) * f / (f - now)
                                        : last + (s - last) * before / (before - f);
            if (ray.coarse) {
                if (s >= near && s <= far) return distance = s, true;
            } else if ((refine(b, ray, near, s - 0.05f * cell, s + 0.05f * cell, distance) ||
                        refine(b, ray, near, last - 0.5f * cell, next + 0.5f * cell, distance)) &&
                       distance <= far) {
                return true;
            }
        } else if (!ray.coarse && std::min(std::abs(before), std::abs(now)) < 0.03f * cell) {
            if (refine(b, ray, near, last, next, distance) && distance <= far) return true;
        }
        last = next;
        before = now;
    }
    return false;
}

/// The root of the field itself in [a, c], by regula falsi with halved weights (Illinois).
bool TracedField::refine(std::size_t b, const Ray& ray, float near, float a, float c, float& distance) const {
    thread_local std::vector<Index> rows;
    a = std::max(near, a);
    if (!(a < c)) return false;
    const Vec3d p = to_double(ray.origin + ray.direction * a), q = to_double(ray.origin + ray.direction * c);
    points_.find({std::min(p.x, q.x), std::min(p.y, q.y), std::min(p.z, q.z)},
                 {std::max(p.x, q.x), std::max(p.y, q.y), std::max(p.z, q.z)}, rows);
    const bool wall = at_wall_[b] != 0;
    const auto at = [&](float t) { return exact(rows, ray.origin + ray.direction * t, wall); };
    float fa = at(a), fc = at(c);
    if ((fa < 0) == (fc < 0)) return false;
    const float enough = 2e-3f * points_.smallest_radius();
    int side = 0;
    for (int k = 0; k < 24 && c - a > enough; ++k) {
        const float t = std::clamp((fc * a - fa * c) / (fc - fa), a + 0.02f * (c - a), c - 0.02f * (c - a));
        const float f = at(t);
        if (std::abs(f) < 0.2f * enough) {
            distance = t;
            return true;
        }
        if ((f < 0) == (fc < 0)) {
            c = t, fc = f;
            if (side == -1) fa *= 0.5f;
            side = -1;
        } else {
            a = t, fa = f;
            if (side == 1) fc *= 0.5f;
            side = 1;
        }
    }
    distance = 0.5f * (a + c);
    return true;
}

TracedField::Surroundings TracedField::at(const Vec3f& x) const {
    thread_local std::vector<Index> rows;
    const double r = 0.05 * points_.smallest_radius();
    points_.find(to_double(x) - Vec3d{r, r, r}, to_double(x) + Vec3d{r, r, r}, rows);
    Surroundings out;
    out.normal = points_.normal(rows, x);
    float phi = points_.value(rows, x) - static_cast<float>(level_);
    for (const SurfaceObstacle& o : obstacles_) {
        const SignedDistance s = o.distance(to_double(x));
        if (-s.distance < phi) continue;
        phi = static_cast<float>(-s.distance);
        out.normal = to_float(-1.0 * s.gradient);
    }
    add_looks(rows, x, out);
    return out;
}

TracedField::Surroundings TracedField::coarsely_at(const Vec3f& x, std::size_t b) const {
    thread_local std::vector<Index> rows;
    points_.find(to_double(x), to_double(x), rows);
    const Vec3f at = grid_.local(block_[b], x);
    const auto slope = [&](const Vec3f& e) {
        return interpolated(brick(b), width, at + e) - interpolated(brick(b), width, at - e);
    };
    const Vec3f g{slope({0.5f, 0, 0}), slope({0, 0.5f, 0}), slope({0, 0, 0.5f})};
    Surroundings out;
    out.normal = norm2(g) > 0 ? normalized(g) : Vec3f{0, 1, 0};
    add_looks(rows, x, out);
    return out;
}

void TracedField::add_looks(const std::vector<Index>& rows, const Vec3f& x, Surroundings& out) const {
    const FieldParticles& p = points_.particles();
    float total = 0, heat = 0;
    for (const Index row : rows) {
        const float reach = 3 * p.radius[row], q2 = norm2(p.position[row] - x) / (reach * reach);
        if (q2 >= 1) continue;
        const float w = (1 - q2) * (1 - q2) * (1 - q2);
        const Index source = p.order[row];
        const Optics& o = looks_[look_[source]];
        out.optics = total == 0 ? o : blend(out.optics, o, w / (total + w));
        total += w;
        if (!temperature_.empty()) heat += w * temperature_[source];
    }
    if (total == 0) out.optics = looks_.front();
    if (total > 0 && !temperature_.empty()) out.temperature = heat / total;
}

}  // namespace thixo
