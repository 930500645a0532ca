#pragma once

#include "core/vec.h"

namespace thixo {

/// A flat cut: the parallelogram of two edges; in 2D the segment of the first.
class CutPlane {
public:
    CutPlane(const Vec3d& corner, const Vec3d& edge, const Vec3d& depth, int dimensions)
        : corner_(corner), bounded_(dimensions == 3) {
        const Vec3d other = bounded_ ? depth : Vec3d{0, 0, 1};
        normal_ = cross(edge, other);
        // Coordinates along the edges: x − corner = a edge + b other + c normal.
        along_ = cross(other, normal_) / dot(edge, cross(other, normal_));
        across_ = cross(edge, normal_) / dot(other, cross(edge, normal_));
    }

    /// Whether the way from one point to the other crosses it. The same answer, to the bit, with the two
    /// exchanged.
    bool separates(const Vec3f& a, const Vec3f& b) const {
        const Vec3d p = to_double(a) - corner_, q = to_double(b) - corner_;
        const double from = dot(normal_, p), to = dot(normal_, q);
        if ((from >= 0) == (to >= 0)) return false;
        return from >= 0 ? meets(p, q, from / (from - to)) : meets(q, p, to / (to - from));
    }

private:
    bool meets(const Vec3d& front, const Vec3d& back, double fraction) const {
        const Vec3d x = front + fraction * (back - front);
        return is_within(dot(along_, x)) && (!bounded_ || is_within(dot(across_, x)));
    }
    static bool is_within(double a) { return a >= 0 && a <= 1; }

    Vec3d corner_, normal_, along_, across_;
    bool bounded_;  ///< by the second edge
};

}  // namespace thixo
