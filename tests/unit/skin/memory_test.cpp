#include "skin/memory.h"

#include <doctest/doctest.h>

#include <cmath>

#include "surface/mesh_report.h"
#include "unit/skin/bodies.h"

using namespace thixo;

namespace {

const Shape bar_shape = Box{{-0.3, -0.06, -0.06}, {0.3, 0.06, 0.06}};

/// Frames of one body.
struct Followed {
    SkinnedShape body;
    SkinMemory memory;
    std::vector<std::uint8_t> present;

    Followed(const Shape& shape, double spacing) : Followed(shape, spacing, filled(shape, spacing)) {}
    Followed(const Shape& shape, double spacing, std::vector<Vec3d> points)
        : body(shape, spacing, std::move(points)),
          memory(body.skin.carriers()),
          present(body.rest.size(), 1) {}

    template <class Map>
    std::vector<Skin::Posed> next(const Map& map, const std::vector<int>& label, int threads = 1) {
        const std::vector<Vec3f> position = moved(body.rest, map);
        memory.follow({threads}, position, label, present);
        body.skin.follow({threads}, memory.grip(), memory.motions(), memory.before(), position);
        return body.skin.pose({threads}, memory.grip(), memory.motions(), position, {});
    }
    template <class Solid>
    std::vector<int> labels(const Solid& body_of) const {
        std::vector<int> out;
        for (const Vec3d& x : body.rest) out.push_back(body_of(x));
        return out;
    }
};

const auto stay = [](const Vec3d& x) { return x; };

}  // namespace

TEST_CASE("what melts carries less and less of the skin, and what freezes again does not carry it any more") {
    Followed bar(bar_shape, 0.03);
    const std::vector<int> solid = bar.labels([](const Vec3d&) { return 4; }),
                           half = bar.labels([](const Vec3d&x) { return x.x < 0 ? 4 : no_body; });
    bar.next(stay, solid);
    std::vector<float> before = bar.memory.grip().firmness;
    for (int frame = 0; frame < 40; ++frame) {
        bar.next(stay, frame < 25 ? half : solid);
        for (Index i = 0; i < before.size(); ++i) {
            const float now = bar.memory.grip().firmness[i];
            CHECK(now <= before[i]);
            CHECK(before[i] - now < 0.09f);
            if (bar.body.rest[i].x < 0) CHECK(now == 1);
        }
        before = bar.memory.grip().firmness;
    }
    for (Index i = 0; i < before.size(); ++i)
        if (bar.body.rest[i].x > 0) CHECK(before[i] == 0);
}

TEST_CASE("texture stays with matter that stays solid, while the rest melts") {
    Followed bar(bar_shape, 0.02);
    bar.next(stay, bar.labels([](const Vec3d&) { return 1; }));
    for (int frame = 0; frame < 22; ++frame) {
        const double front = 0.2 - 0.01 * frame;
        const auto pieces =
            bar.next(stay, bar.labels([&](const Vec3d& x) { return x.x < front ? 1 : no_body; }));
        REQUIRE(pieces.size() == 1);
        const SurfaceMesh& mesh = pieces[0].mesh;
        CHECK(examine({1}, mesh).manifold());
        int compared = 0;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            if (mesh.part[t] != SurfacePart::skin) continue;
            const auto x = [&](std::size_t k) { return to_double(mesh.vertices[mesh.triangles[t][k]]); };
            // Out of reach of what melts: on the face +y, u runs along z and v along x.
            const double last = std::max({x(0).x, x(1).x, x(2).x});
            const Vec3d n = cross(x(1) - x(0), x(2) - x(0));
            if (last > front - (carrier_support + 1) * 0.02 || !(n.y > 0.99 * norm(n))) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                CHECK(std::abs(mesh.texture[t][k][0] - (1 + (x(k).z + 0.06) / 0.12) / 3) < 1e-5);
                CHECK(std::abs(mesh.texture[t][k][1] - (1 + (x(k).x + 0.3) / 0.6) / 2) < 1e-5);
            }
            ++compared;
        }
        CHECK(compared > 50);
    }
}

TEST_CASE("rigid motions are followed from frame to frame to 1e-6 of the size, however fast they are") {
    for (const Shape& shape : {bar_shape, Shape{RectangleSheet{{0, 0, 0}, 0.6, 0.3, 1}}}) {
        std::vector<Vec3d> sheet;
        for (double x = -0.285; x < 0.3; x += 0.03)
            for (double z = -0.135; z < 0.15; z += 0.03) sheet.push_back({x, 0, z});
        Followed bar(shape, 0.03, is_layer(shape) ? sheet : filled(shape, 0.03));
        const std::vector<int> one = bar.labels([](const Vec3d&) { return 1; });
        for (int frame = 0; frame < 6; ++frame) {
            const Mat3d r = turn({50. * frame, -35. * frame, 20. * frame});
            const auto map = [&](const Vec3d& x) {
                return r * (x - Vec3d{0, 0.5, 0}) + Vec3d{0.2 * frame, 0, 0};
            };
            const SurfaceMesh mesh = bar.next(map, one).at(0).mesh;
            double most = 0;
            for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
                most = std::max(most, norm(to_double(mesh.vertices[v]) - map(bar.body.mesh.vertices[v])));
            CHECK(most < 1.5e-6);
        }
    }
}

TEST_CASE("no vertex goes farther in a frame than its carriers and a tenth of a spacing") {
    const double s = 0.03;
    Followed bar(bar_shape, s);
    const std::vector<int> one = bar.labels([](const Vec3d&) { return 1; });
    // The last layer is pulled out by half a spacing at once: by its deformation alone, the face half a
    // spacing beyond it would go farther.
    const auto pulled = [&](const Vec3d& x) { return x + Vec3d{x.x > 0.3 - s ? 0.5 * s : 0, 0, 0}; };
    std::vector<Vec3f> last = bar.next(stay, one).at(0).mesh.vertices;
    const std::vector<Vec3f> wanted = SkinnedShape(bar_shape, s).pose(pulled).vertices;
    double farthest = 0;
    for (std::size_t v = 0; v < last.size(); ++v)
        farthest = std::max(farthest, double{norm(wanted[v] - last[v])});
    CHECK(farthest > 0.65 * s);
    for (int frame = 0; frame < 12; ++frame) {
        const std::vector<Vec3f> now = bar.next(pulled, one).at(0).mesh.vertices;
        double most = 0, off = 0;
        for (std::size_t v = 0; v < now.size(); ++v) {
            most = std::max(most, double{norm(now[v] - last[v])});
            off = std::max(off, double{norm(now[v] - wanted[v])});
        }
        CHECK(most < ((frame == 0 ? 0.5 : 0) + 0.1) * s);
        if (frame == 11) CHECK(off < 0.01 * s);
        last = now;
    }
}

TEST_CASE("halves of a bar part without a jump") {
    const double s = 0.02;
    Followed bar(bar_shape, s);
    // Stretched until a gap of 0.6 spacings opens between x < 0 and x > 0; it becomes two bodies only then,
    // and the halves go on apart.
    const auto apart = [&](double gap) {
        return [=](const Vec3d& x) { return x + Vec3d{x.x < 0 ? -0.5 * gap : 0.5 * gap, 0, 0}; };
    };
    const std::vector<int> one = bar.labels([](const Vec3d&) { return 1; }),
                           two = bar.labels([](const Vec3d&x) { return x.x < 0 ? 1 : 2; });
    double gap = 0;
    std::vector<Skin::Posed> last;
    for (int frame = 0; frame < 30; ++frame) {
        const double step = 0.06 * s;
        gap += step;
        const std::vector<Skin::Posed> now = bar.next(apart(gap), frame < 10 ? one : two);
        // Texture coordinates are the names of places of the skin: the farthest x of each half on the face
        // +y.
        const auto end_of_left = [](const std::vector<Skin::Posed>& pieces) {
            double far = -1;
            for (const auto& piece : pieces)
                for (std::size_t t = 0; t < piece.mesh.triangles.size(); ++t)
                    for (std::size_t k = 0; k < 3; ++k) {
                        const auto& uv = piece.mesh.texture[t][k];
                        if (piece.mesh.part[t] != SurfacePart::skin || uv[0] < 0.34f || uv[0] > 0.66f ||
                            uv[1] < 0.7f || uv[1] > 0.7499f)
                            continue;
                        far = std::max(far, double{piece.mesh.vertices[piece.mesh.triangles[t][k]].x});
                    }
            return far;
        };
        CHECK(now.size() == (frame < 10 ? 1u : 2u));
        if (!last.empty()) CHECK(std::abs(end_of_left(now) - end_of_left(last)) < 0.5 * step + 0.1 * s);
        last = now;
    }
    // In the end each half follows its own particles alone.
    for (const auto& piece : last) {
        double low = 1, high = -1;
        for (const Vec3f& x : piece.mesh.vertices)
            low = std::min(low, double{x.x}), high = std::max(high, double{x.x});
        CHECK(high - low == doctest::Approx(0.3).epsilon(0.02));
    }
}

TEST_CASE("memory gives the same bits for any number of threads") {
    Followed a(bar_shape, 0.03), b(bar_shape, 0.03);
    for (int frame = 0; frame < 12; ++frame) {
        const auto map = [&](const Vec3d& x) { return Vec3d{x.x, x.y + 0.02 * frame * x.x * x.x, x.z}; };
        const auto label = a.labels([&](const Vec3d& x) {
            return x.x < -0.1 ? 1 : x.x > 0.25 - 0.02 * frame ? no_body : frame > 3 ? 2 : 1;
        });
        const auto one = a.next(map, label, 1), four = b.next(map, label, 4);
        REQUIRE(one.size() == four.size());
        for (std::size_t k = 0; k < one.size(); ++k) {
            CHECK(one[k].mesh.vertices == four[k].mesh.vertices);
            CHECK(one[k].mesh.triangles == four[k].mesh.triangles);
        }
    }
}

TEST_CASE(
    "matter is torn when halves of a neighbourhood are out of reach of each other, whatever the spacing") {
    for (const double s : {0.01, 0.02}) {
        const Shape block = Box{{-6 * s, -6 * s, -6 * s}, {6 * s, 6 * s, 6 * s}};
        for (const double gap : {0.9, 1.1, 2.0, 5.0}) {
            Followed body(block, s);
            for (int frame = 0; frame < 3; ++frame)
                body.next(
                    [&](const Vec3d& x) {
                        return x + Vec3d{0, x.y > 0 ? gap * carrier_support * s : 0, 0};
                    },
                    body.labels([](const Vec3d&) { return 1; }));
            Index inner = 0;  // next to the gap, away from the sides
            for (Index i = 0; i < body.body.rest.size(); ++i)
                if (norm(body.body.rest[i] - Vec3d{0.5 * s, -0.5 * s, 0.5 * s}) < 0.1 * s) inner = i;
            CHECK(body.memory.has_left(inner) == (gap > 1));
        }
    }
}

TEST_CASE("a carrier that a blow has put out of its place within a body is no tear") {
    constexpr double s = 0.02;
    const Shape block = Box{{-6 * s, -6 * s, -6 * s}, {6 * s, 6 * s, 6 * s}};
    const Vec3d place{0.5 * s, 0.5 * s, 0.5 * s};
    Followed body(block, s);
    const std::vector<int> one = body.labels([](const Vec3d&) { return 1; });
    // As far as this its own residual is beyond that of a tear: Σ w |u|² / Σ w (|r|² + |u|²) with a mean |r|²
    // of two spacings.
    for (int frame = 0; frame < 3; ++frame)
        body.next(
            [&](const Vec3d& x) {
                return norm(x - place) < 0.1 * s ? x + Vec3d{0, 1.2 * s, 0} : x;
            },
            one);
    for (Index i = 0; i < body.body.rest.size(); ++i) CHECK_FALSE(body.memory.has_left(i));
}

TEST_CASE("a few carriers that a blow has put out of their places within a body are no tear") {
    constexpr double s = 0.02;
    const Shape block = Box{{-3 * s, -3 * s, -3 * s}, {3 * s, 3 * s, 3 * s}};
    // Side by side at an edge of the block, each somewhere else, as in a die that has hit another one.
    const std::pair<Vec3d, Vec3d> displaced[] = {{{2.5 * s, 2.5 * s, 0.5 * s}, {-0.9 * s, 0.5 * s, 0.9 * s}},
                                                 {{2.5 * s, 2.5 * s, -0.5 * s}, {0.8 * s, 1.1 * s, 0.2 * s}},
                                                 {{2.5 * s, 1.5 * s, 0.5 * s}, {1.2 * s, -0.6 * s, 0.9 * s}}};
    Followed body(block, s);
    const std::vector<int> one = body.labels([](const Vec3d&) { return 1; });
    for (int frame = 0; frame < 8; ++frame)
        body.next(
            [&](const Vec3d& x) {
                for (const auto& [place, by] : displaced)
                    if (norm(x - place) < 0.1 * s) return x + by;
                return x;
            },
            one);
    for (Index i = 0; i < body.body.rest.size(); ++i) CHECK_FALSE(body.memory.has_left(i));
}

TEST_CASE("a blow that has displaced matter for two frames is no tear, and a tear that lasts is one") {
    constexpr double s = 0.02;
    const Shape block = Box{{-6 * s, -6 * s, -6 * s}, {6 * s, 6 * s, 6 * s}};
    const auto apart = [&](const Vec3d& x) {
        return x + Vec3d{0, x.y > 0 ? 1.2 * carrier_support * s : 0, 0};
    };
    for (const int frames : {2, 3}) {
        Followed body(block, s);
        const std::vector<int> one = body.labels([](const Vec3d&) { return 1; });
        for (int frame = 0; frame < frames; ++frame) body.next(apart, one);
        body.next(stay, one);
        Index left = 0;
        for (Index i = 0; i < body.body.rest.size(); ++i) left += body.memory.has_left(i) ? 1 : 0;
        CHECK((left > 0) == (frames > 2));
    }
}
