#include <doctest/doctest.h>

#include <cmath>

#include "collide/walls.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

constexpr float reach = 0.2f;

Obstacle solid(Shape shape) { return {.name = "", .shape = std::move(shape), .inside = false}; }
Obstacle container(Shape shape) { return {.name = "", .shape = std::move(shape), .inside = true}; }

/// The distance to the nearest wall.
WallDistance nearest_wall(const Walls& walls, const Vec3f& x) {
    WallDistance nearest{std::numeric_limits<float>::infinity(), {}};
    for (const Wall& wall : walls.view()) {
        const WallDistance d = distance_to(wall, x);
        if (d.distance < nearest.distance) nearest = d;
    }
    return nearest;
}

}  // namespace

TEST_CASE("solids keep matter outside, containers inside, in 2D and 3D") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const auto flat = [&](Vec3d a) { return d == 2 ? Vec3d{a.x, a.y, 0} : a; };
        const Vec3d x = flat(any_point(-2, 2));
        const Shape shapes[] = {Box{flat({-1, -0.5, -1}), flat({0.7, 1, 0.4})},
                                Sphere{flat({0.1, 0.2, -0.3}), 0.8},
                                Plane{{0, 0.1, 0}, flat({1, 2, -0.5})},
                                Cylinder{flat({-0.5, -0.5, 0.3}), flat({0.5, 0.8, 0}), 0.6},
                                Capsule{flat({-0.5, -0.5, 0.3}), flat({0.5, 0.8, 0}), 0.6},
                                Torus{{0, 0, 0}, {0, 0, 1}, 1, 0.4}};
        for (const Shape& shape : shapes) {
            const double distance = signed_distance(shape, x, d).distance;
            const WallDistance outside = nearest_wall(Walls({solid(shape)}, d, reach), to_float(x));
            const WallDistance inside = nearest_wall(Walls({container(shape)}, d, reach), to_float(x));
            // Distances beyond the reach do not matter; below, a solid's distance is the shape's.
            if (distance < reach) {
                RC_ASSERT(std::abs(outside.distance - distance) < 1e-5);
                RC_ASSERT(std::abs(norm(outside.normal) - 1) < 1e-5f);
            } else {
                RC_ASSERT(outside.distance > reach * (1 - 1e-5f));
            }
            // A container's walls are the other side of the surface. Outside beyond an edge the faces of a
            // box or cylinder give less than the whole distance.
            const bool has_edges =
                std::holds_alternative<Box>(shape.kind) || std::holds_alternative<Cylinder>(shape.kind);
            if (distance < 0 || !has_edges) {
                RC_ASSERT(std::abs(inside.distance + distance) < 1e-5);
            } else if (distance > 1e-5) {
                RC_ASSERT(inside.distance < 0);
            }
            if (d == 2) RC_ASSERT(inside.normal.z == 0);
        }
    }));
}

TEST_CASE("a wall's normal leads into the fluid") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const auto flat = [&](Vec3d a) { return d == 2 ? Vec3d{a.x, a.y, 0} : a; };
        const Vec3f x = to_float(flat(any_point(-1.1, 1.1)));
        const Shape shapes[] = {Box{flat({-1, -1, -1}), flat({1, 1, 1})}, Sphere{{0, 0, 0}, 1},
                                Plane{{0, 0.3, 0}, {0, 2, 0}}};
        for (const Shape& shape : shapes) {
            for (const bool inside : {false, true}) {
                const Walls walls({{.name = "", .shape = shape, .inside = inside}}, d, reach);
                for (const Wall& wall : walls.view()) {
                    const WallDistance here = distance_to(wall, x);
                    if (!std::isfinite(here.distance)) continue;
                    RC_PRE(norm(x) > 0.05f);
                    const Vec3f ahead = x + 0.01f * here.normal;
                    // A step along the normal gains its length, but for the kinks deep inside a box.
                    const float gain = distance_to(wall, ahead).distance - here.distance;
                    RC_ASSERT((std::abs(gain - 0.01f) < 1e-4f || std::isinf(gain) || here.distance < -0.5f));
                }
            }
        }
    }));
}

TEST_CASE("a container box is made of its faces") {
    CHECK(Walls({container(Box{})}, 3, reach).view().size() == 6);
    CHECK(Walls({container(Box{})}, 2, reach).view().size() == 4);
    CHECK(Walls({solid(Box{})}, 3, reach).view().size() == 1);
    CHECK(Walls({solid(Plane{}), container(Sphere{}), solid(Sphere{})}, 3, reach).view().size() == 3);
    CHECK(Walls({}, 3, reach).view().empty());
}

TEST_CASE("a container cylinder is made of its side and ends, and its rim is felt as both") {
    const Shape can(Cylinder{{0, 0, 0}, {0, 0.5, 0}, 0.25}, {2, Rotation({0, 0, 90}), {0.5, 0, 0}});
    const Walls walls({container(can)}, 3, reach);
    REQUIRE(walls.view().size() == 3);
    CHECK(Walls({container(can)}, 2, reach).view().size() == 4);
    // It lies along x from -0.5 to 0.5, with a radius of 0.5.
    const HalfSpaceIntegral integral({KernelName::wendland_c2, reach, 3, 0.1});
    const float close = 0.05f;
    const std::vector<Vec3f> x{{0, close - 0.5f, 0}, {close - 0.5f, 0, 0}, {close - 0.5f, close - 0.5f, 0}};
    std::vector<WallTerm> terms(3);
    walls.sense(Device{1}, x, integral, terms);
    CHECK(terms[0].gamma == near(terms[1].gamma));
    CHECK(terms[2].gamma > 1.5f * terms[0].gamma);
    CHECK(norm(terms[2].gradient - terms[2].gradient.x * Vec3f{1, 1, 0}) <
          1e-4f * std::abs(terms[2].gradient.x));
}

TEST_CASE("planes and container boxes stay planes wherever they are placed") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const Vec3d turn = any_point(-180, 180), at = any_point(-1, 1);
        const Placement place{any_real(0.5, 2), Rotation(d == 2 ? Vec3d{0, 0, turn.z} : turn),
                              d == 2 ? Vec3d{at.x, at.y, 0} : at};
        const Shape box(Box{{-1, -0.5, -1}, {0.7, 1, 0.4}}, place);
        const Shape plane(Plane{{0, 0.1, 0}, {0.3, 2, 0}}, place);
        const Walls faces({container(box)}, d, reach);
        RC_ASSERT(faces.view().size() == static_cast<std::size_t>(2 * d));
        RC_ASSERT(Walls({solid(plane)}, d, reach).view()[0].shape == nullptr);
        const Vec3d p = any_point(-2, 2), x = d == 2 ? Vec3d{p.x, p.y, 0} : p;
        const double to_box = signed_distance(box, x, d).distance;
        const WallDistance inside = nearest_wall(faces, to_float(x));
        RC_ASSERT((to_box < 0) == (inside.distance > 0) || std::abs(to_box) < 1e-5);
        if (to_box < 0) RC_ASSERT(std::abs(inside.distance + to_box) < 1e-5);
        for (const bool below : {false, true}) {
            const Walls wall({{.name = "", .shape = plane, .inside = below}}, d, reach);
            const double away = signed_distance(plane, x, d).distance;
            RC_ASSERT(std::abs(nearest_wall(wall, to_float(x)).distance - (below ? -away : away)) < 1e-5);
        }
    }));
}

TEST_CASE("friction and restitution reach every wall of an obstacle") {
    Obstacle box = container(Box{});
    box.friction = 0.25;
    box.restitution = 0.75;
    const Walls faces({box}, 3, reach);
    for (const Wall& wall : faces.view()) {
        CHECK(wall.friction == 0.25f);
        CHECK(wall.restitution == 0.75f);
    }
    box.inside = false;
    CHECK(Walls({box}, 3, reach).view()[0].friction == 0.25f);
    CHECK(Walls({box}, 3, reach).view()[0].restitution == 0.75f);
}

TEST_CASE("walls are sensed: nothing far away, one wall, an edge, a corner") {
    const HalfSpaceIntegral integral({KernelName::wendland_c2, 0.2, 3, 0.1});
    const Walls walls({container(Box{{0, 0, 0}, {1, 1, 1}})}, 3, reach);
    const float close = 0.05f;
    std::vector<Vec3f> x{
        {0.5f, 0.5f, 0.5f}, {close, 0.5f, 0.5f}, {close, 1 - close, 0.5f}, {close, close, close}};
    std::vector<WallTerm> terms(x.size());
    walls.sense(Device{1}, x, integral, terms);
    const double g = integral.at(close, {1, 0, 0}).gamma;
    CHECK(terms[0].gamma == 0);
    CHECK(terms[1].gamma == near(g));
    CHECK(terms[2].gamma == near(2 * g - g * g));
    CHECK(terms[2].gradient.x < 0);
    CHECK(terms[2].gradient.y > 0);
    // In a corner 1 − (1−γ)³; the third wall meets a diagonal gradient.
    CHECK(terms[3].gamma == near(1 - std::pow(1 - g, 3), 0.05));
}

TEST_CASE("liquids whose pressure is solved for sense walls their own way, solids do not") {
    const HalfSpaceIntegral integral({KernelName::wendland_c2, 0.2, 3, 0.1});
    const Walls walls({container(Box{{0, 0, 0}, {1, 1, 1}})}, 3, reach);
    const float between = 0.08f;
    const std::vector<Vec3f> x(3, {0.5f, between, 0.5f});
    const std::vector<Phase> phase{Phase::liquid, Phase::elastic, Phase::rigid};
    std::vector<WallTerm> solved(x.size()), by_law(x.size());
    walls.sense(Device{1}, x, integral, solved, {}, {.liquids = WallForm::impulses, .phase = phase});
    walls.sense(Device{1}, x, integral, by_law);
    CHECK(solved[0].gamma == integral.at(between, {0, 1, 0}, WallForm::impulses).gamma);
    CHECK(solved[0].gamma > 1.5f * by_law[0].gamma);
    for (const int solid : {1, 2}) {
        CHECK(solved[solid].gamma == by_law[solid].gamma);
        CHECK(solved[solid].gradient == by_law[solid].gradient);
    }
}

TEST_CASE("the sensed gradient is the one of the sensed boundary volume, in edges too") {
    const HalfSpaceIntegral integral({KernelName::wendland_c2, 0.2, 2, 0.1});
    const Walls walls({container(Box{{0, 0, 0}, {1, 1, 1}})}, 2, reach);
    const float h = 0.2f / 256;
    Stream random(8);
    for (int k = 0; k < 500; ++k) {
        const Vec3f at{random.real(0.02f, 0.12f), random.real(0.02f, 0.12f), 0};
        std::vector<Vec3f> x{at, at + Vec3f{h, 0, 0}, at - Vec3f{h, 0, 0}, at + Vec3f{0, h, 0},
                             at - Vec3f{0, h, 0}};
        std::vector<WallTerm> t(x.size());
        walls.sense(Device{1}, x, integral, t);
        CHECK(std::abs(t[0].gradient.x - (t[1].gamma - t[2].gamma) / (2 * h)) < 0.15f);
        CHECK(std::abs(t[0].gradient.y - (t[3].gamma - t[4].gamma) / (2 * h)) < 0.15f);  // of up to 18
    }
}

TEST_CASE("shapes that are costly to evaluate are sampled, close to the surface as good as exact") {
    struct Sampled {
        Shape shape;
        double steepest;  ///< no slope of its distance is steeper, down to `depth` (m) below the surface
        double depth;
    };
    // A figure's ellipsoids give distances to first order: a little steep where they meet, and spikes along
    // their axes.
    const Sampled all[] = {{Difference{{Sphere{{0, 0, 0}, 1.2}, Sphere{{0, 0.5, 0}, 0.9}}}, 1, reach},
                           {Shape(Duck{1.5}, {1, Rotation({0, 0, 30}), {0.2, 0, 0}}), 1.5, reach / 8}};
    for (const auto& [shape, steepest, depth] : all) {
        for (const int d : {2, 3}) {
            const Walls solid_walls({solid(shape)}, d, reach), container_walls({container(shape)}, d, reach);
            CHECK(solid_walls.view()[0].grid != nullptr);
            // Samples are h = a quarter of the reach apart. Weights w of quadratic B-splines have the mean Σ
            // w xₖ = x and the variance Σ w |xₖ − x|² = d h²/4, so a blend of what is no steeper than L is
            // off by no more than L Σ w |xₖ − x| ≤ L √d h/2; sharp edges come close to half of that. The rest
            // is for rounding.
            const double off = steepest * 0.5 * std::sqrt(d) * reach / 4 + 1e-5;
            CHECK(rc::check([&, depth = depth] {
                Vec3d x = any_point(-2, 2);
                if (d == 2) x.z = 0;
                const double exact = signed_distance(shape, x, d).distance;
                const WallDistance outside = nearest_wall(solid_walls, to_float(x)),
                                   inside = nearest_wall(container_walls, to_float(x));
                if (std::abs(exact) < reach) {
                    if (exact > -depth) RC_ASSERT(std::abs(outside.distance - exact) < off);
                    RC_ASSERT(inside.distance == -outside.distance);
                    RC_ASSERT(std::abs(norm(outside.normal) - 1) < 1e-4f);
                } else {
                    RC_ASSERT((inside.distance > 0) == (exact < 0));
                    if (exact > 0) RC_ASSERT(outside.distance > reach - off);
                }
                if (d == 2) RC_ASSERT(inside.normal.z == 0);
            }));
        }
    }
    CHECK(Walls({solid(Sphere{})}, 3, reach).view()[0].grid == nullptr);
}

TEST_CASE("obstacles allow sizes at which they are flat: a ball up to 0.8 R, a plate up to 0.6 D") {
    const auto allowed = [](const Shape& shape, const Vec3f& x) {
        const Walls walls({solid(shape)}, 3, 4 * reach);
        std::vector<float> size{8};
        walls.limit_sizes({1}, std::vector<Vec3f>{x}, std::vector<float>{4 * reach}, 0.1f, size);
        return size[0];
    };
    // Beside its nearest place by ℓ the ball is √(R² + ℓ²) − R = 0.35 ℓ away for ℓ = 0.8 R. Sizes decrease by
    // a fifth until they fit.
    for (const double radius : {0.2, 0.3, 0.5}) {
        const float size = allowed(Sphere{{0, 0, 0}, radius}, {static_cast<float>(radius) + 0.05f, 0, 0});
        CAPTURE(radius);
        CHECK(size * 0.1 <= 0.81 * radius);
        CHECK(size * 0.1 > 0.8 * 0.79 * radius);
    }
    // ℓ below its surface a plate of the thickness D = 1.65 ℓ has its other side 0.65 ℓ away.
    const float size = allowed(Box{{-5, -0.3, -5}, {5, 0, 5}}, {0, 0.05f, 0});
    CHECK(size * 0.1 * 1.65 <= 0.301);
    CHECK(size * 0.1 * 1.65 > 0.8 * 0.299);
}
