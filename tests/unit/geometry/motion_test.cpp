#include <doctest/doctest.h>

#include <cmath>

#include "geometry/motion.h"
#include "unit/core/generators.h"

using namespace thixo;

namespace {

Motion any_motion() {
    Motion motion;
    motion.pivot = any_point(-1, 1);
    motion.interpolation = *rc::gen::element(Interpolation::linear, Interpolation::smooth);
    double time = 0;
    const int keys = *rc::gen::inRange(2, 6);
    for (int k = 0; k < keys; ++k) {
        motion.keyframes.push_back({time, any_point(-2, 2), any_point(-400, 400)});
        time += 0.2 + 0.1 * *rc::gen::inRange(0, 10);
    }
    if (*rc::gen::arbitrary<bool>()) {
        motion.repeat = true;
        motion.keyframes.back().translate = motion.keyframes.front().translate;
        motion.keyframes.back().rotate = motion.keyframes.front().rotate + Vec3d{0, 720, -360};
    }
    return motion;
}

Motion turning(double degrees, double seconds) {
    Motion motion;
    motion.keyframes = {{.time = 0}, {.time = seconds, .rotate = {0, 0, degrees}}};
    return motion;
}

}  // namespace

TEST_CASE("a point's velocity is the derivative of its place") {
    CHECK(rc::check([] {
        const Motion motion = any_motion();
        const double span = motion.keyframes.back().time, h = 1e-6;
        const double t = span * (0.01 + 0.019 * *rc::gen::inRange(0, 100));
        // On a keyframe a linear motion has two velocities, and behind the last one it stops.
        for (const Keyframe& key : motion.keyframes) {
            RC_PRE(std::abs(std::remainder(t - key.time, motion.repeat ? span : 1e9)) > 2 * h);
        }
        const Vec3d x = any_point(-3, 3), now = motion.at(t).to_world(x);
        const Vec3d slope = (motion.at(t + h).to_world(x) - motion.at(t - h).to_world(x)) / (2 * h);
        // Third derivatives are below (rate)³ times the distance: 1e-12 · 100³ · 10.
        RC_ASSERT(norm(motion.at(t).velocity_at(now) - slope) < 1e-4 * (1 + norm(slope)));
    }));
}

TEST_CASE("a pose is rigid, and from_world undoes to_world") {
    CHECK(rc::check([] {
        const Pose pose = any_motion().at(0.01 * *rc::gen::inRange(0, 500));
        const Vec3d a = any_point(-3, 3), b = any_point(-3, 3);
        RC_ASSERT(norm(pose.from_world(pose.to_world(a)) - a) < 1e-12);
        RC_ASSERT(std::abs(norm(pose.to_world(a) - pose.to_world(b)) - norm(a - b)) < 1e-12);
        RC_ASSERT(norm(cross(pose.axes[0], pose.axes[1]) - pose.axes[2]) < 1e-12);
    }));
}

TEST_CASE("angles are taken as written: ten turns are ten turns") {
    const Motion motion = turning(3600, 5);
    CHECK(norm(motion.at(1).angular_velocity - Vec3d{0, 0, 4 * std::acos(-1.0)}) < 1e-12);
    CHECK(norm(motion.at(0.125).to_world({1, 0, 0}) - Vec3d{0, 1, 0}) < 1e-12);
    CHECK(norm(motion.at(0.25).to_world({1, 0, 0}) - Vec3d{-1, 0, 0}) < 1e-12);
}

TEST_CASE("rotations are about x, then y, then z, through the pivot") {
    Motion motion;
    motion.keyframes = {{.time = 0, .translate = {0, 0, 5}, .rotate = {90, 90, 0}}};
    // x: y goes to z; y: z goes to x.
    CHECK(norm(motion.at(0).to_world({0, 1, 0}) - Vec3d{1, 0, 5}) < 1e-12);
    motion.pivot = {0, 1, 0};
    CHECK(norm(motion.at(7).to_world({0, 1, 0}) - Vec3d{0, 1, 5}) < 1e-12);
    CHECK(norm(motion.at(7).to_world({0, 2, 0}) - Vec3d{1, 1, 5}) < 1e-12);
    CHECK(norm(motion.at(7).velocity) == 0);
}

TEST_CASE("before the first keyframe and after the last it stands still") {
    const Motion motion = turning(90, 2);
    for (const double t : {-1.0, 2.0, 9.0}) CHECK(norm(motion.at(t).angular_velocity) == 0);
    CHECK(motion.at(-1).to_world({1, 0, 0}) == Vec3d{1, 0, 0});
    CHECK(norm(motion.at(9).to_world({1, 0, 0}) - Vec3d{0, 1, 0}) < 1e-12);
    CHECK_FALSE(Motion{}.moves());
    CHECK(Motion{}.at(3).to_world({1, 2, 3}) == Vec3d{1, 2, 3});
}

TEST_CASE("smooth motions pass their keyframes without a jump in speed, and rest at the ends") {
    CHECK(rc::check([] {
        Motion motion = any_motion();
        motion.interpolation = Interpolation::smooth;
        const double end = motion.keyframes.back().time, h = 1e-9;
        for (const Keyframe& key : motion.keyframes) {
            const Pose before = motion.at(key.time - h), after = motion.at(key.time + h);
            RC_ASSERT(norm(before.from_world(after.to_world({1, 1, 1})) - Vec3d{1, 1, 1}) < 1e-6);
            if (motion.repeat && key.time == 0) continue;  // it has not begun before its first keyframe
            RC_ASSERT(norm(before.velocity - after.velocity) < 1e-4);
            RC_ASSERT(norm(before.angular_velocity - after.angular_velocity) < 1e-4);
        }
        if (!motion.repeat) RC_ASSERT(norm(motion.at(end - h).velocity) < 1e-4);
    }));
}

TEST_CASE("a motion that repeats is the same a period later") {
    CHECK(rc::check([] {
        Motion motion = any_motion();
        RC_PRE(motion.repeat);
        const double period = motion.keyframes.back().time, t = period * 0.01 * *rc::gen::inRange(0, 100);
        const Pose a = motion.at(t), b = motion.at(t + 3 * period);
        RC_ASSERT(norm(a.to_world({1, 2, 3}) - b.to_world({1, 2, 3})) < 1e-9);
    }));
}

TEST_CASE("keyframes on the way are found, again in each round") {
    Motion motion = turning(360, 2);
    motion.keyframes.insert(motion.keyframes.begin() + 1, {.time = 0.5});
    CHECK(motion.keyframes_between(0.1, 0.4).empty());
    CHECK(motion.keyframes_between(0.4, 0.6) == std::vector{0.5});
    CHECK(motion.keyframes_between(4.4, 4.6).empty());
    motion.repeat = true;
    CHECK(motion.keyframes_between(4.4, 4.6) == std::vector{0.5});
    CHECK(motion.keyframes_between(3.9, 4.1) == std::vector{0.0, 2.0});
}
