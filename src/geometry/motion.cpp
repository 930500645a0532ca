#include "geometry/motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thixo {

namespace {

/// Translation and angles, or how fast they change.
struct KeyValue {
    Vec3d translate, rotate;

    friend KeyValue operator+(const KeyValue& a, const KeyValue& b) {
        return {a.translate + b.translate, a.rotate + b.rotate};
    }
    friend KeyValue operator-(const KeyValue& a, const KeyValue& b) {
        return {a.translate - b.translate, a.rotate - b.rotate};
    }
    friend KeyValue operator*(double s, const KeyValue& a) { return {s * a.translate, s * a.rotate}; }
};

struct Moment {
    KeyValue value, rate;
};

KeyValue value_of(const Keyframe& key) { return {key.translate, key.rotate}; }

/// Slope at keyframe k. At the ends a motion that repeats sees its other end, another one comes to rest.
KeyValue slope(const Motion& motion, std::size_t k) {
    const auto& keys = motion.keyframes;
    const std::size_t last = keys.size() - 1;
    const auto difference = [&](std::size_t from) { return value_of(keys[from + 1]) - value_of(keys[from]); };
    const auto length = [&](std::size_t from) { return keys[from + 1].time - keys[from].time; };
    const bool at_an_end = k == 0 || k == last;
    if (at_an_end && !motion.repeat) return {};
    const std::size_t before = at_an_end ? last - 1 : k - 1, after = at_an_end ? 0 : k;
    return 1 / (length(before) + length(after)) * (difference(before) + difference(after));
}

/// Interpolates keyframes k and k + 1 at the fraction u of the time between them.
Moment between(const Motion& motion, std::size_t k, double u) {
    const KeyValue a = value_of(motion.keyframes[k]), b = value_of(motion.keyframes[k + 1]);
    const double h = motion.keyframes[k + 1].time - motion.keyframes[k].time;
    if (motion.interpolation == Interpolation::linear) return {a + u * (b - a), 1 / h * (b - a)};
    const KeyValue ma = h * slope(motion, k), mb = h * slope(motion, k + 1);
    const double v = 1 - u;
    return {(1 + 2 * u) * v * v * a + u * v * v * ma + u * u * (3 - 2 * u) * b - u * u * v * mb,
            1 / h * (6 * u * v * (b - a) + v * (1 - 3 * u) * ma + u * (3 * u - 2) * mb)};
}

/// Time within the keyframes, for a motion that repeats.
double folded(const Motion& motion, double time) {
    const double first = motion.keyframes.front().time, period = motion.keyframes.back().time - first;
    if (!motion.repeat || !(period > 0) || time < first) return time;
    return first + std::fmod(time - first, period);
}

Moment moment(const Motion& motion, double time) {
    const auto& keys = motion.keyframes;
    time = folded(motion, time);
    if (time < keys.front().time) return {value_of(keys.front()), {}};
    if (time >= keys.back().time) return {value_of(keys.back()), {}};
    const auto next = std::upper_bound(keys.begin(), keys.end(), time,
                                       [](double t, const Keyframe& key) { return t < key.time; });
    const auto k = static_cast<std::size_t>(next - keys.begin()) - 1;
    return between(motion, k, (time - keys[k].time) / (keys[k + 1].time - keys[k].time));
}

Pose rotation_about(int axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    Pose pose;
    if (axis == 0) pose.axes[1] = {0, c, s}, pose.axes[2] = {0, -s, c};
    if (axis == 1) pose.axes[0] = {c, 0, -s}, pose.axes[2] = {s, 0, c};
    if (axis == 2) pose.axes[0] = {c, s, 0}, pose.axes[1] = {-s, c, 0};
    return pose;
}

/// The fastest point of a box that moves: speed is a convex function of place, so it is a corner.
double fastest_corner(const Pose& pose, const Bounds& box, bool in_world) {
    double fastest2 = 0;
    for (int k = 0; k < 8; ++k) {
        const Vec3d x = box.corner(k);
        fastest2 = std::max(fastest2, norm2(pose.velocity_at(in_world ? x : pose.to_world(x))));
    }
    return std::sqrt(fastest2);
}

}  // namespace

Pose Motion::at(double time) const {
    if (!moves()) return {};
    constexpr double degree = std::numbers::pi / 180;
    const auto [value, rate] = moment(*this, time);
    const Vec3d angle = degree * value.rotate, spin = degree * rate.rotate;
    const Pose x = rotation_about(0, angle.x), y = rotation_about(1, angle.y), z = rotation_about(2, angle.z);
    Pose pose;
    for (int a = 0; a < 3; ++a) pose.axes[a] = z.rotated(y.rotated(x.axes[a]));
    // Each rate turns about its axis as the later rotations have left it.
    pose.angular_velocity = z.rotated(y.rotated({spin.x, 0, 0}) + Vec3d{0, spin.y, 0}) + Vec3d{0, 0, spin.z};
    const Vec3d arm = pose.rotated(pivot);
    pose.translation = pivot + value.translate - arm;
    pose.velocity = rate.translate - cross(pose.angular_velocity, arm);
    return pose;
}

std::vector<double> Motion::keyframes_between(double from, double to) const {
    std::vector<double> times;
    if (!moves()) return times;
    const double period = keyframes.back().time - keyframes.front().time;
    for (const Keyframe& key : keyframes) {
        double ahead = key.time - folded(*this, from);
        if (repeat && ahead < 0) ahead += period;
        if (ahead >= 0 && ahead <= to - from) times.push_back(key.time);
    }
    return times;
}

double top_speed(const Motion& motion, const Bounds& box, bool in_world, double from, double to) {
    const auto speed = [&](double t) { return fastest_corner(motion.at(t), box, in_world); };
    double fastest = speed(from);
    for (const double t : {0.5 * (from + to), to}) fastest = std::max(fastest, speed(t));
    for (const double t : motion.keyframes_between(from, to)) fastest = std::max(fastest, speed(t));
    return fastest;
}

}  // namespace thixo
