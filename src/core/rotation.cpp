#include "core/rotation.h"

#include "core/symmetric_eigen.h"

namespace thixo {

namespace {

/// A second singular value below this fraction of the largest is rounding of a collinear neighbourhood.
constexpr double collinear = 1e-5;

/// Any direction perpendicular to a unit vector.
Vec3d perpendicular(const Vec3d& a) {
    const Vec3d axis = std::abs(a.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    return normalized(cross(a, axis));
}

/// The shortest turn that brings unit vector a to b.
Mat3d turn(const Vec3d& a, const Vec3d& b) {
    const double c = dot(a, b);
    if (c < -1 + 1e-12) {
        const Vec3d axis = perpendicular(a);
        return outer(axis, axis) * 2.0 - identity<double>();
    }
    const Vec3d s = cross(a, b);
    const Mat3d cross_s{{0, -s.z, s.y}, {s.z, 0, -s.x}, {-s.y, s.x, 0}};
    return identity<double>() + cross_s + cross_s * cross_s * (1 / (1 + c));
}

Mat3d closest_turn_about_z(const Mat3d& a, const Mat3d& last) {
    const double c = a.x.x + a.y.y, s = a.y.x - a.x.y, size = std::hypot(c, s);
    // Mirrored and equal in all directions, or nothing at all: every turn is as good.
    if (!(size > collinear * std::sqrt(norm2(a)))) return last;
    return {{c / size, -s / size, 0}, {s / size, c / size, 0}, {0, 0, 1}};
}

}  // namespace

Quaternion<double> quaternion(const Mat3d& r) {
    // Shepperd: the largest of the four components is found first, the others by differences and sums.
    const double t = trace(r);
    if (t > r.x.x && t > r.y.y && t > r.z.z) return normalized(Quaternion<double>{axial(r), 1 + t});
    if (r.x.x > r.y.y && r.x.x > r.z.z)
        return normalized(
            Quaternion<double>{{1 + r.x.x - r.y.y - r.z.z, r.x.y + r.y.x, r.x.z + r.z.x}, r.z.y - r.y.z});
    if (r.y.y > r.z.z)
        return normalized(
            Quaternion<double>{{r.x.y + r.y.x, 1 - r.x.x + r.y.y - r.z.z, r.y.z + r.z.y}, r.x.z - r.z.x});
    return normalized(
        Quaternion<double>{{r.x.z + r.z.x, r.y.z + r.z.y, 1 - r.x.x - r.y.y + r.z.z}, r.y.x - r.x.y});
}

Mat3d closest_rotation(const Mat3d& a, const Mat3d& last, bool planar) {
    if (planar) return closest_turn_about_z(a, last);
    const double scale = std::sqrt(norm2(a));
    if (!(scale > 0) || !std::isfinite(scale)) return last;
    const Mat3d unit = a * (1 / scale);
    // A = Σ σₖ uₖ vₖᵀ: v and σ² are those of AᵀA, and the last pair follows from the others, whatever its
    // sign and size.
    const SymmetricEigen right = symmetric_eigen(transposed(unit) * unit);
    const Vec3d v1 = right.vectors.x, v2 = right.vectors.y, v3 = right.vectors.z;
    const Vec3d u1 = normalized(unit * v1);
    Vec3d u2 = unit * v2;
    u2 -= u1 * dot(u1, u2);
    if (!(norm(u2) > collinear)) return turn(last * v1, u1) * last;
    u2 = normalized(u2);
    return transposed(Mat3d{u1, u2, cross(u1, u2)}) * Mat3d{v1, v2, v3};
}

}  // namespace thixo
