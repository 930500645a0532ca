#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "skin/hand_over.h"
#include "skin/memory.h"
#include "skin/skin.h"
#include "surface/reconstruct.h"
#include "unit/core/generators.h"
#include "unit/skin/bodies.h"

using namespace thixo;

namespace {

/// Triangles by cells, through which rays walk.
class RayGrid {
public:
    RayGrid(const SurfaceMesh& mesh, int cells) : mesh_(mesh), cells_(cells) {
        low_ = Vec3d{1e300, 1e300, 1e300};
        Vec3d high = -low_;
        for (const Vec3f& v : mesh.vertices) {
            const Vec3d x = to_double(v);
            low_ = {std::min(low_.x, x.x), std::min(low_.y, x.y), std::min(low_.z, x.z)};
            high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
        }
        size_ = std::max({high.x - low_.x, high.y - low_.y, high.z - low_.z}) * 1.0001;
        lists_.resize(static_cast<std::size_t>(cells * cells));
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            double min_x = 1e300, max_x = -1e300, min_y = 1e300, max_y = -1e300;
            for (const auto v : mesh.triangles[t]) {
                const Vec3d x = to_double(mesh.vertices[v]);
                min_x = std::min(min_x, x.x), max_x = std::max(max_x, x.x);
                min_y = std::min(min_y, x.y), max_y = std::max(max_y, x.y);
            }
            for (int i = cell(min_x - low_.x); i <= cell(max_x - low_.x); ++i)
                for (int k = cell(min_y - low_.y); k <= cell(max_y - low_.y); ++k)
                    lists_[static_cast<std::size_t>(i * cells_ + k)].push_back(t);
        }
    }

    /// A ray along −z or +z at a random place: 1 if it meets the front of a triangle first, −1 if the back, 0
    /// if nothing.
    int first_hit(Stream& stream) const {
        const Vec3d o = low_ + Vec3d{size_ * stream.unit(), size_ * stream.unit(), 0};
        const double side = stream.unit() < 0.5f ? 1 : -1;
        double best = -std::numeric_limits<double>::infinity();
        int sign = 0;
        for (const std::uint32_t t :
             lists_[static_cast<std::size_t>(cell(o.x - low_.x) * cells_ + cell(o.y - low_.y))]) {
            const auto& c = mesh_.triangles[t];
            const Vec3d a = to_double(mesh_.vertices[c[0]]) - o, b = to_double(mesh_.vertices[c[1]]) - o,
                        d = to_double(mesh_.vertices[c[2]]) - o;
            const double u = b.x * d.y - b.y * d.x, v = d.x * a.y - d.y * a.x, w = a.x * b.y - a.y * b.x,
                         sum = u + v + w;
            if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue;
            const double z = side * (u * a.z + v * b.z + w * d.z) / sum;
            if (z > best) best = z, sign = (sum > 0) == (side > 0) ? 1 : -1;
        }
        return sign;
    }

private:
    int cell(double x) const { return std::clamp(static_cast<int>(cells_ * x / size_), 0, cells_ - 1); }

    const SurfaceMesh& mesh_;
    int cells_;
    Vec3d low_;
    double size_;
    std::vector<std::vector<std::uint32_t>> lists_;
};

/// A skin and the surface of what it does not cover, turned so that rays come from all sides.
SurfaceMesh skin_and_liquid(SkinnedShape& body, const std::vector<int>& label, const Mat3d& r, int frames) {
    const auto map = [&](const Vec3d& x) { return r * x; };
    const std::vector<Vec3f> position = moved(body.rest, map);
    const std::vector<std::uint8_t> present(position.size(), 1);
    SkinMemory memory(body.skin.carriers());
    for (int frame = 0; frame < frames; ++frame) memory.follow({1}, position, label, present);
    SurfaceMesh all;
    for (const auto& piece : body.skin.pose({1}, memory.grip(), memory.motions(), position, {}))
        append(all, piece.mesh);
    std::vector<Vec3f> liquid;
    std::vector<float> grown;
    for (Index i = 0; i < position.size(); ++i)
        if (memory.is_shown(i)) liquid.push_back(position[i]), grown.push_back(memory.grown()[i]);
    const std::vector<float> radius(liquid.size(), static_cast<float>(0.5 * body.spacing));
    SurfaceMesh surface = reconstruct({1}, {liquid, radius, {}}, {{grown_attribute, "", grown, true}}, {},
                                      0.5 * body.spacing, 1e9)
                              .mesh;
    lower_ungrown({1}, surface, liquid, body.spacing);
    append(all, surface);
    return all;
}

}  // namespace

TEST_CASE("rays from outside never see an inside face of skins and liquid, and no gap opens between them") {
    const Shape box = Box{{-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}};
    SkinnedShape body(box, 0.04);
    Stream stream(7);
    const int rays = std::getenv("THIXO_FULL") ? 100000 : 10000;
    for (const double level : {0.15, 0.05, -0.1}) {
        std::vector<int> label;
        for (const Vec3d& x : body.rest) label.push_back(x.y + 0.3 * x.x < level ? 1 : no_body);
        for (const Vec3d& angle : {Vec3d{0, 0, 0}, Vec3d{90, 0, 0}, Vec3d{30, 50, 70}}) {
            const Mat3d r = turn(angle);
            const SurfaceMesh all = skin_and_liquid(body, label, r, 20);
            const RayGrid grid(all, 64);
            int hits = 0, inside = 0;
            for (int k = 0; k < rays; ++k) {
                const int hit = grid.first_hit(stream);
                hits += hit != 0 ? 1 : 0;
                inside += hit < 0 ? 1 : 0;
            }
            CHECK(hits > rays / 4);
            CHECK(inside == 0);
            // Nothing but the matter's places is open: every particle is inside the skin or the surface, and
            // so is all between two neighbours. A line through the seam meets something wherever the box
            // does.
            if (angle != Vec3d{0, 0, 0}) continue;
            for (int k = 0; k < 400; ++k) {
                const double x = -0.17 + 0.34 * k / 400 + 1.37e-5, y = level - 0.3 * x + 0.71e-5;
                if (std::abs(y) > 0.16) continue;
                double top = -1;
                for (const auto& t : all.triangles) {
                    const Vec3d o{x, y, 0};
                    const Vec3d a = to_double(all.vertices[t[0]]) - o, b = to_double(all.vertices[t[1]]) - o,
                                d = to_double(all.vertices[t[2]]) - o;
                    const double u = b.x * d.y - b.y * d.x, v = d.x * a.y - d.y * a.x,
                                 w = a.x * b.y - a.y * b.x;
                    if (u > 0 && v > 0 && w > 0)
                        top = std::max(top, (u * a.z + v * b.z + w * d.z) / (u + v + w));
                }
                // At most half a spacing below the face of the box.
                CHECK(top > 0.18);
                CHECK(top < 0.22);
            }
        }
    }
}
