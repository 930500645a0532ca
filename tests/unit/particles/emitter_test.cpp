#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "particles/emitter_layers.h"
#include "particles/lattice.h"
#include "unit/core/generators.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

Emitter any_emitter(int dimensions) {
    Emitter emitter;
    const auto size = [] { return 0.1 + 0.01 * *rc::gen::inRange(0, 100); };
    if (*rc::gen::arbitrary<bool>())
        emitter.opening = Disc{size()};
    else
        emitter.opening = Rectangle{size(), size()};
    emitter.direction = any_point(-1, 1) + Vec3d{0, -2, 0};
    if (dimensions == 2) emitter.direction.z = 0;
    emitter.position = {1, 2, 0};
    emitter.speed = 0.5 + *rc::gen::inRange(0, 10);
    emitter.start = 0.1 * *rc::gen::inRange(0, 10);
    return emitter;
}

}  // namespace

TEST_CASE("a layer fills the opening, and the opening alone") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        const Emitter emitter = any_emitter(d);
        constexpr double spacing = 0.05;
        const EmitterLayers layers(emitter, spacing, d);
        const Vec3d n = normalized(emitter.direction);
        const auto* disc = std::get_if<Disc>(&emitter.opening);
        const auto* rectangle = std::get_if<Rectangle>(&emitter.opening);
        double reach =
            disc ? disc->radius : 0.5 * std::hypot(rectangle->width, d == 3 ? rectangle->height : 0);
        Vec3d center{0, 0, 0};
        for (const Vec3d& x : layers.points()) {
            RC_ASSERT(std::abs(dot(x - emitter.position, n)) < 1e-12);
            // A stretched lattice may stand out of a disc by less than half its pitch.
            RC_ASSERT(norm(x - emitter.position) < reach + (disc && d == 3 ? 0.25 * spacing : 0));
            if (d == 2) RC_ASSERT(x.z == 0);
            center += x - emitter.position;
        }
        RC_ASSERT(norm(center) <
                  1e-9 * static_cast<double>(layers.points().size()) + (disc ? 0.5 * spacing : 0));
        for (std::size_t i = 0; i < layers.points().size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                RC_ASSERT(norm(layers.points()[i] - layers.points()[j]) > layers.pitch() * (1 - 1e-9));
        }
        // An opening √2 spacings wide takes one particle or two: both are off by that much.
        RC_ASSERT(layers.pitch() > 0.7 * spacing);
    }));
}

TEST_CASE("as many particles come as the rate says, however time is cut") {
    CHECK(rc::check([] {
        const int d = *rc::gen::element(2, 3);
        Emitter emitter = any_emitter(d);
        constexpr double spacing = 0.05;
        const double full = area(emitter.opening, d) * emitter.speed;
        if (*rc::gen::arbitrary<bool>()) emitter.rate = full * 0.3;
        const EmitterLayers layers(emitter, spacing, d);
        const double rate = emitter.rate > 0 ? emitter.rate : full,
                     n = static_cast<double>(layers.points().size());
        const double per_second = rate / cell_volume(Lattice::cubic, spacing, d);
        const double t = emitter.start + 0.01 * *rc::gen::inRange(0, 500);
        // Half a layer at most is owed or ahead.
        const double made = n * static_cast<double>(layers.due(t));
        RC_ASSERT(std::abs(made - per_second * (t - emitter.start)) <= 0.5 * n * (1 + 1e-9));
        RC_ASSERT(layers.due(emitter.start) == 0);
        const std::uint64_t k = layers.due(t);
        RC_ASSERT(layers.time_of(k) > t);
        if (k > 0) RC_ASSERT(layers.time_of(k - 1) <= t);
        RC_ASSERT(layers.due(layers.time_of(k)) == k + 1);
        // Full jets have their rest density.
        if (emitter.rate == 0) {
            const double apart = emitter.speed * (layers.time_of(1) - layers.time_of(0));
            RC_ASSERT(std::abs(apart * area(emitter.opening, d) / n -
                               cell_volume(Lattice::cubic, spacing, d)) < 1e-12);
        }
    }));
}

TEST_CASE("nothing comes before the start or after the stop") {
    Emitter emitter{.opening = Rectangle{0.2, 0.1}, .speed = 2, .start = 1, .stop = 2};
    const EmitterLayers layers(emitter, 0.1, 3);
    CHECK(layers.points().size() == 2);
    CHECK(layers.due(0.5) == 0);
    CHECK(layers.due(1.024) == 0);
    CHECK(layers.due(1.026) == 1);
    CHECK(layers.due(2) == 20);
    CHECK(layers.due(100) == 20);
}

TEST_CASE("a rectangle's height is along up") {
    Emitter emitter{
        .opening = Rectangle{0.4, 0.1}, .position = {0, 0, 0}, .direction = {1, 0, 0}, .up = {5, 1, 0}};
    const EmitterLayers flat(emitter, 0.1, 3);
    for (const Vec3d& x : flat.points()) CHECK(std::abs(x.y) < 1e-12);
    emitter.up = {0, 0, 1};
    const EmitterLayers upright_one(emitter, 0.1, 3);
    for (const Vec3d& x : upright_one.points()) CHECK(std::abs(x.z) < 1e-12);
    for (const Vec3d& d : {Vec3d{0, -1, 0}, Vec3d{1, 0, 0}, Vec3d{1, 2, 3}}) {
        CHECK(std::abs(dot(upright(d), d)) < 1e-12);
        CHECK(norm(upright(d)) == near(1));
    }
}
