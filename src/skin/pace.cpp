#include "skin/pace.h"

#include <algorithm>
#include <cmath>

#include "core/rotation.h"

namespace thixo {

namespace {

/// By which a place of the matter may differ in a frame from the motion of the carriers around, in spacings,
/// and the deformation. Vertices lie up to 0.87 spacings from their carriers, and 0.05 (1 + 0.87) is less
/// than a tenth; smaller steps leave more to make good where a crack takes carriers away (golden_skin).
constexpr double step_of_place = 0.05, step_of_deformation = 0.05;

/// At most `step` of the way.
template <class T>
T towards(const T& from, const T& to, double step) {
    const T way = to - from;
    const double length = std::sqrt(norm2(way));
    return length <= step ? to : from + (step / length) * way;
}

/// The rigid motion of the carriers around one of them from the last frame to this one.
struct MotionOfNeighbours {
    Vec3d from, to;
    Mat3d turn = identity<double>();

    Vec3d operator()(const Vec3d& x) const { return to + turn * (x - from); }
};

struct Around {
    const Carriers& carriers;
    const SkinGrip& grip;
    View<const std::uint8_t> holds;
    View<const Vec3f> before, now;

    MotionOfNeighbours motion(Index i) const {
        double weight = 1;
        Vec3d from = to_double(before[i]), to = to_double(now[i]);
        const Vec3d x = from, y = to;
        const auto each = [&](const auto& visit) {
            carriers.for_each_neighbour(i, [&](Index j, double w) {
                if (holds[j] && grip.piece[j] == grip.piece[i]) visit(j, w * grip.firmness[j]);
            });
        };
        Vec3d off_from, off_to;
        each([&](Index j, double w) {
            off_from += w * (to_double(before[j]) - x), off_to += w * (to_double(now[j]) - y), weight += w;
        });
        from += off_from / weight, to += off_to / weight;
        Mat3d turned = outer(y - to, x - from);
        each([&](Index j, double w) {
            turned += outer(w * (to_double(now[j]) - to), to_double(before[j]) - from);
        });
        return {from, to, closest_rotation(turned, identity<double>(), false)};
    }
};

}  // namespace

std::vector<CarriedMatter> paced(const Device& device, const Carriers& carriers, const SkinGrip& grip,
                                 View<const std::uint8_t> holds, View<const Vec3f> before,
                                 View<const Vec3f> now, const std::vector<CarriedMatter>& last,
                                 const std::vector<CarriedMatter>& target) {
    std::vector<CarriedMatter> out = target;
    const double step = step_of_place * carriers.spacing();
    launch<small_grain>(device, carriers.size(), [&](Index i) {
        if (!holds[i]) return;
        const CarriedMatter &from = last[i], &to = target[i];
        const double moved = norm(to_double(now[i] - before[i]));
        const bool near = norm(to.x - from.x) <= moved + step;
        if (near && norm2(to.a - from.a) <= step_of_deformation * step_of_deformation) return;
        const MotionOfNeighbours rigid = Around{carriers, grip, holds, before, now}.motion(i);
        out[i].a = towards(rigid.turn * from.a, to.a, step_of_deformation);
        // As far as the carrier itself goes, or as all of them together.
        const Vec3d alone = towards(from.x, to.x, moved + step), along = towards(rigid(from.x), to.x, step);
        out[i].x = norm2(alone - to.x) <= norm2(along - to.x) ? alone : along;
    });
    return out;
}

}  // namespace thixo
