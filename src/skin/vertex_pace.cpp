#include "skin/vertex_pace.h"

#include <algorithm>
#include <cmath>

#include "core/rotation.h"

namespace thixo {

namespace {

/// Spacings.
constexpr double step = 0.06, vertex_reach = 1.5;

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
        const double moved = most_moved(v);
        if (far <= moved + free) return;
        const Vec3d along = rigidly(v, from);
        if (norm(to - along) <= free) return;
        const Vec3d first = from + at_most(to - from, moved + free),
                    second = along + at_most(to - along, free);
        x[v] = to_float(norm2(first - to) < norm2(second - to) ? first : second);
    }

private:
    template <class Visit>
    void each_carrier(Index v, const Visit& visit) const {
        const VertexWeights& w = piece.weights;
        for (Index k = w.first[v]; k < w.first[v + 1]; ++k) visit(w.carrier[k], double{w.weight[k]});
    }
    double most_moved(Index v) const {
        double most = 0;
        const double near2 = vertex_reach * vertex_reach * carriers.spacing() * carriers.spacing();
        each_carrier(v, [&](Index i, double) {
            if (norm2(carriers.rest()[i] - piece.mesh.vertices[v]) < near2)
                most = std::max(most, double{norm2(now[i] - before[i])});
        });
        return std::sqrt(most);
    }
    Vec3d rigidly(Index v, const Vec3d& place) const {
        Vec3d from, to;
        each_carrier(
            v, [&](Index i, double w) { from += w * to_double(before[i]), to += w * to_double(now[i]); });
        Mat3d turn{};
        each_carrier(v, [&](Index i, double w) {
            turn += outer(w * (to_double(now[i]) - to), to_double(before[i]) - from);
        });
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
