#include "skin/vertex_pace.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rotation.h"

namespace thixo {

namespace {

/// Spacings.
constexpr double step = 0.06, vertex_reach = 1.2;

Vec3d at_most(const Vec3d& way, double length) {
    const double far = norm(way);
    return far <= length ? way : (length / far) * way;
}

struct PaceVertex {
    const Carriers& carriers;
    const MaterialPiece& piece;
    View<const Vec3f> before, now, last;
    View<Vec3f> x;

    void operator()(Index v) const {
        const Vec3d from = to_double(last[v]), to = to_double(x[v]);
        const double far = norm(to - from), free = step * carriers.spacing();
        if (far <= free) return;
        const double moved = most_moved(v, from, to);
        if (far <= moved + free) return;
        const Vec3d along = rigidly(v, from, to);
        if (norm(to - along) <= free) return;
        const Vec3d first = from + at_most(to - from, moved + free),
                    second = along + at_most(to - along, free);
        x[v] = to_float(norm2(first - to) < norm2(second - to) ? first : second);
    }

private:
    template <class Visit>
    void each_carrier(Index v, const Visit& visit) const {
        const VertexWeights& w = piece.weights;
        for (Index k = w.first[v]; k < w.first[v + 1]; ++k) visit(w.carrier[k]);
    }
    /// Squared distance of a carrier in the frame in which it is farther: where matter is stretched, what
    /// was beside a place at the start, or in the last frame, no longer is.
    double distance2(Index i, const Vec3d& from, const Vec3d& to) const {
        return std::max(norm2(to_double(before[i]) - from), norm2(to_double(now[i]) - to));
    }
    double most_moved(Index v, const Vec3d& from, const Vec3d& to) const {
        double most = 0, nearest2 = std::numeric_limits<double>::infinity(), of_nearest = 0;
        const double near2 = vertex_reach * vertex_reach * carriers.spacing() * carriers.spacing();
        each_carrier(v, [&](Index i) {
            const double d2 = distance2(i, from, to), moved2 = norm2(now[i] - before[i]);
            if (d2 < nearest2) nearest2 = d2, of_nearest = moved2;
            if (d2 < near2) most = std::max(most, moved2);
        });
        return std::sqrt(std::max(most, of_nearest));
    }
    /// Where the carriers would take the first place as one rigid piece.
    Vec3d rigidly(Index v, const Vec3d& place, const Vec3d& wanted) const {
        Vec3d from, to;
        double weight = 0;
        const auto each_near = [&](const auto& visit) {
            each_carrier(v, [&](Index i) {
                const double w = carrier_weight(distance2(i, place, wanted), carriers.support());
                if (w > 0) visit(to_double(before[i]), to_double(now[i]), w);
            });
        };
        each_near([&](const Vec3d& a, const Vec3d& b, double w) { from += w * a, to += w * b, weight += w; });
        if (!(weight > 0)) return place;
        from = from / weight, to = to / weight;
        Mat3d turn{};
        each_near([&](const Vec3d& a, const Vec3d& b, double w) { turn += outer(w * (b - to), a - from); });
        return to + closest_rotation(turn, identity<double>(), false) * (place - from);
    }
};

}  // namespace

void pace_vertices(const Device& device, const Carriers& carriers, const MaterialPiece& whole,
                   View<const Vec3f> before, View<const Vec3f> now, View<const Vec3f> last, View<Vec3f> x) {
    launch<small_grain>(device, static_cast<Index>(x.size()),
                        PaceVertex{carriers, whole, before, now, last, x});
}

}  // namespace thixo
