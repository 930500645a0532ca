#include "rigid/rigid_corner.h"

#include <algorithm>
#include <cmath>

namespace thixo {

namespace {

/// Cosine of the angle between two normals up to which their faces meet in an edge: between those of a prism
/// of eight sides (0.71), which is round, and of six (0.5).
constexpr double edge = 0.6;

// In spacings: how far nearest neighbours are at most (diagonals are √2), how far in front of a plane others
// may be (matter that froze is not exactly on a lattice), and how far behind it some are (layers are 1, 0.82
// or 0.71 apart). tests/unit/rigid/rigid_corner_test.cpp pins them.
constexpr double nearest = 1.25, in_front = 0.05, behind = 0.5;

/// Whether all particles lie behind the plane with the normal n, or in it, and some behind it.
bool is_face(View<const Vec3d> near, const Vec3d& n) {
    double least = 0;
    for (const Vec3d& x : near) {
        const double height = dot(n, x);
        if (height > in_front) return false;
        least = std::min(least, height);
    }
    return least < -behind;
}

}  // namespace

std::optional<Vec3d> corner_of(const RigidMember& member, double spacing) {
    if (member.faces < 2) return {};
    Vec3d n[3];
    for (std::uint32_t f = 0; f < member.faces; ++f) n[f] = to_double(member.normal[f]);
    for (std::uint32_t f = 0; f < member.faces; ++f) {
        for (std::uint32_t g = 0; g < f; ++g)
            if (std::abs(dot(n[f], n[g])) > edge) return {};
    }
    if (member.faces == 2) return (n[0] + n[1]) * (0.5 * spacing / (1 + dot(n[0], n[1])));
    // No farther away than the sharpest edge. Around a ridge of three faces, as balls of few particles have
    // them, normals lie in one plane, and rounding alone decides where the faces meet: kilometres away.
    const double farthest = std::sqrt(2 / (1 - edge));
    const Vec3d yz = cross(n[1], n[2]), zx = cross(n[2], n[0]), xy = cross(n[0], n[1]), to = yz + zx + xy;
    const double volume = dot(n[0], yz);
    if (norm(to) > farthest * std::abs(volume)) return {};
    return to * (0.5 * spacing / volume);
}

void add_narrow_faces(View<const Vec3d> near, int dimensions, RigidMember& member) {
    const auto add = [&](const Vec3d& across) {
        const Vec3d n = normalized(across);
        const bool meets = std::all_of(member.normal, member.normal + member.faces, [&](const Vec3f& other) {
            return std::abs(dot(to_double(other), n)) < edge;
        });
        if (meets && member.faces < static_cast<std::uint32_t>(dimensions) && is_face(near, n))
            member.normal[member.faces++] = to_float(n);
    };
    for (std::size_t i = 0; i < near.size(); ++i) {
        if (norm(near[i]) > nearest) continue;
        if (dimensions == 2) {
            const Vec3d across = cross(near[i], Vec3d{0, 0, 1});
            add(across);
            add(-across);
            continue;
        }
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3d across = cross(near[i], near[j]);
            if (norm(near[j]) > nearest || norm(across) < 0.5) continue;
            add(across);
            add(-across);
        }
    }
}

}  // namespace thixo
