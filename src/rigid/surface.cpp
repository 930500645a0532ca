#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/symmetric_eigen.h"
#include "rigid/rigid_bodies.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

// In spacings: who counts as a neighbour on the lattice (diagonals of a square do), and how far from a plane it may be to lie in it.
constexpr double beside = 1.6, in_plane = 0.3;

// In spacings: a sum of vectors to all neighbours that is shorter than this is that of the inside; one of those in
// the plane that is longer, in the mean, is that of an edge.
constexpr double inside = 1, one_sided = 0.25;

/// In spacings squared: neighbours in the plane spread at least that much in every direction of it.
constexpr double least_spread = 1;

/// Cosine of the angle up to which two normals are those of one flat part.
constexpr float same_face = 0.9f;

/// Whether the neighbours in the plane through the origin lie all around it.
bool is_flat(const std::vector<Vec3d>& neighbours, const Vec3d& n, int dimensions) {
    Vec3d mean;
    Mat3d spread{};
    int count = 0;
    for (const Vec3d& x : neighbours) {
        if (std::abs(dot(x, n)) > in_plane) continue;
        const Vec3d along = x - dot(x, n) * n;
        mean += along;
        spread += outer(along, along);
        ++count;
    }
    const Vec3d moments = symmetric_eigen(spread).values;
    return count > 0 && norm(mean) < one_sided * count &&
           (dimensions == 2 ? moments.x : moments.y) > least_spread;
}

/// Across particles that lie around the origin in one plane (2D: on one line).
Vec3d normal_of_layer(const std::vector<Vec3d>& neighbours, int dimensions) {
    Mat3d spread{};
    for (const Vec3d& x : neighbours) spread += outer(x, x);
    const SymmetricEigen eigen = symmetric_eigen(spread);
    return dimensions == 2 ? cross(eigen.vectors.x, Vec3d{0, 0, 1}) : eigen.vectors.z;
}

}  // namespace

void RigidBodies::find_surface(const Device& device, const ParticleTable& particles,
                               const Neighbours& neighbours, View<const Index> changed) {
    const auto count = static_cast<Index>(changed.size());
    launch(device, count, [&](Index k) { describe_member(particles, neighbours, changed[k]); });
    launch(device, count, [&](Index k) {
        const RigidMember& member = state_.members[changed[k]];
        if (member.outer && !member.flat) adopt_faces(particles, neighbours, changed[k]);
    });
}

/// s⁰ᵢ = min(1 − V⁰ᵢ W(0), Σ own body V⁰ⱼ Wᵢⱼ); the normal is the direction in which its own body is missing.
void RigidBodies::describe_member(const ParticleTable& particles, const Neighbours& neighbours,
                                  Index member) {
    RigidMember& out = state_.members[member];
    const Index i = row_[member];
    double share = 0, most = 0;
    Vec3d open;
    std::vector<Vec3d> near;
    const Mat3d back = transposed(matrix(state_.bodies[owner_[member]].orientation));
    with_kernel(kernel_, support_, dimensions_, [&](const auto& kernel) {
        most = 1 - double{out.volume} * double{kernel.value(0.f)};
        for (const Index j : neighbours.of(i)) {
            if (particles.part[j] != particles.part[i]) continue;
            const Vec3f x = particles.position[j] - particles.position[i];
            const double volume = particles.mass[j] / materials_[particles.material[j]].density;
            share += volume * double{kernel.value(norm(x))};
            const Vec3d in_spacings = back * to_double(x) / spacing_;
            if (norm2(in_spacings) > beside * beside) continue;
            near.push_back(in_spacings);
            open -= in_spacings;
        }
    });
    out.share = static_cast<float>(std::max(0.0, std::min(most, share)));
    const double size = norm(open);
    // Single layers have their body all around them too, but fewer neighbours than the inside.
    const bool layer = size <= inside && near.size() < (dimensions_ == 2 ? 6u : 12u);
    const Vec3d n = layer ? normal_of_layer(near, dimensions_) : open / std::max(size, inside);
    out.outer = layer || size > inside ? 1 : 0;
    out.flat = out.outer && is_flat(near, normalized(n), dimensions_) ? 1 : 0;
    out.faces = 0;
    if (!out.flat) return;
    out.faces = layer ? 2 : 1;
    out.normal[0] = to_float(normalized(n));
    if (layer) out.normal[1] = -out.normal[0];
}

/// At edges and corners: the flat parts whose middle is beside it, and in whose plane it lies.
void RigidBodies::adopt_faces(const ParticleTable& particles, const Neighbours& neighbours, Index member) {
    RigidMember& out = state_.members[member];
    const Index i = row_[member];
    const RigidBody& body = state_.bodies[owner_[member]];
    const Mat3d back = transposed(matrix(body.orientation));
    const auto first = state_.members.begin() + body.first_member;
    for (const Index j : neighbours.of(i)) {
        const Vec3d x =
            back * (to_double(particles.position[j]) - to_double(particles.position[i])) / spacing_;
        if (particles.part[j] != particles.part[i] || norm2(x) > beside * beside) continue;
        const auto other = std::lower_bound(first, first + body.count, particles.id[j],
                                            [](const RigidMember& m, std::uint32_t id) { return m.id < id; });
        for (std::uint32_t f = 0; other->flat && f < other->faces && out.faces < 3; ++f) {
            const Vec3f n = other->normal[f];
            const bool known = std::any_of(out.normal, out.normal + out.faces,
                                           [&](const Vec3f& own) { return dot(own, n) > same_face; });
            if (!known && std::abs(dot(x, to_double(n))) < in_plane) out.normal[out.faces++] = n;
        }
    }
}

}  // namespace thixo
