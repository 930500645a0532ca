#include <algorithm>
#include <cmath>

#include "core/select.h"
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
    if (count == 0 || !(norm(mean) < one_sided * count)) return false;
    // All of it lies in the plane, so one eigenvalue is 0 and the others are those of two dimensions: λ² − t λ + m = 0.
    const double t = trace(spread), m = 0.5 * (t * t - norm2(spread)),
                 root = std::sqrt(std::max(0.0, t * t - 4 * m));
    return 0.5 * (dimensions == 2 ? t + root : t - root) > least_spread;
}

/// Across particles that lie around the origin in one plane (2D: on one line).
Vec3d normal_of_layer(const std::vector<Vec3d>& neighbours, int dimensions) {
    Mat3d spread{};
    for (const Vec3d& x : neighbours) spread += outer(x, x);
    const SymmetricEigen eigen = symmetric_eigen(spread);
    return dimensions == 2 ? cross(eigen.vectors.x, Vec3d{0, 0, 1}) : eigen.vectors.z;
}

/// What others see of a member's surface.
struct Surface {
    std::uint32_t flat = 0, faces = 0;
    Vec3f normal[2];

    Surface() = default;
    explicit Surface(const RigidMember& member) : flat(member.flat), faces(flat ? member.faces : 0) {
        std::copy_n(member.normal, faces, normal);
    }
    friend bool operator==(const Surface&, const Surface&) = default;
};

}  // namespace

void RigidBodies::find_surface(const Device& device, const ParticleTable& particles,
                               const Neighbours& neighbours, View<const std::uint32_t> before,
                               View<const std::uint8_t> fresh) {
    // Who sees others of its body come or go looks different too.
    const View<const std::uint32_t> part(particles.part);
    std::vector<std::uint8_t> marked(particles.size());
    for (const Index i : select(device, particles.size(), [=](Index k) { return before[k] != part[k]; })) {
        for (const Index j : neighbours.of(i)) {
            const bool was = before[i] > 0 && before[i] == before[j], is = part[i] > 0 && part[i] == part[j];
            if (was != is) marked[i] = marked[j] = 1;
        }
    }
    const auto count = static_cast<Index>(row_.size());
    const std::vector<Index> changed =
        select(device, count, [&](Index k) { return fresh[k] || marked[row_[k]]; });
    std::vector<std::uint8_t> turned(changed.size());
    launch<small_grain>(device, static_cast<Index>(changed.size()), [&](Index k) {
        RigidMember& member = state_.members[changed[k]];
        const Surface last = fresh[changed[k]] ? Surface{} : Surface(member);
        describe_member(particles, neighbours, changed[k]);
        turned[k] = fresh[changed[k]] || !(Surface(member) == last);
    });
    // Those beside them take over their faces.
    std::fill(marked.begin(), marked.end(), std::uint8_t{0});
    for (Index k = 0; k < changed.size(); ++k) {
        const Index i = row_[changed[k]];
        marked[i] = 1;
        if (!turned[k]) continue;
        for (const Index j : neighbours.of(i)) marked[j] = 1;
    }
    const std::vector<Index> edges = select(device, count, [&](Index k) {
        return marked[row_[k]] && state_.members[k].outer && !state_.members[k].flat;
    });
    launch<small_grain>(device, static_cast<Index>(edges.size()),
                        [&](Index k) { adopt_faces(particles, neighbours, edges[k]); });
}

/// s⁰ᵢ = min(1 − V⁰ᵢ W(0), Σ own body V⁰ⱼ Wᵢⱼ); the normal is the direction in which its own body is missing.
void RigidBodies::describe_member(const ParticleTable& particles, const Neighbours& neighbours,
                                  Index member) {
    RigidMember& out = state_.members[member];
    const Index i = row_[member];
    const auto reach = static_cast<float>(beside * spacing_);
    double share = 0, most = 0;
    Vec3d open;
    std::size_t count = 0;
    std::uint16_t material = particles.material[i];
    double specific_volume = 1 / materials_[material].density;
    const auto for_each_own = [&](const auto& visit) {
        for (const Index j : neighbours.of(i)) {
            if (particles.part[j] == particles.part[i])
                visit(j, particles.position[j] - particles.position[i]);
        }
    };
    with_kernel(kernel_, support_, dimensions_, [&](const auto& kernel) {
        most = 1 - double{out.volume} * double{kernel.value(0.f)};
        for_each_own([&](Index j, const Vec3f& x) {
            if (particles.material[j] != material) {
                material = particles.material[j];
                specific_volume = 1 / materials_[material].density;
            }
            share += particles.mass[j] * specific_volume * double{kernel.value(norm(x))};
            if (norm2(x) > reach * reach) return;
            open -= to_double(x);
            ++count;
        });
    });
    out.share = static_cast<float>(std::max(0.0, std::min(most, share)));
    const double size = norm(open) / spacing_;
    // Single layers have their body all around them too, but fewer neighbours than the inside.
    const bool layer = size <= inside && count < (dimensions_ == 2 ? 6u : 12u);
    out.outer = layer || size > inside ? 1 : 0;
    out.flat = out.faces = 0;
    if (!out.outer) return;
    const Mat3d back = transposed(matrix(state_.bodies[owner_[member]].orientation)) * (1 / spacing_);
    std::vector<Vec3d> near;
    near.reserve(count);
    for_each_own([&](Index, const Vec3f& x) {
        if (!(norm2(x) > reach * reach)) near.push_back(back * to_double(x));
    });
    const Vec3d n = normalized(layer ? normal_of_layer(near, dimensions_) : back * open);
    if (!is_flat(near, n, dimensions_)) return;
    out.flat = 1;
    out.faces = layer ? 2 : 1;
    out.normal[0] = to_float(n);
    if (layer) out.normal[1] = -out.normal[0];
}

/// At edges and corners: the flat parts whose middle is beside it, and in whose plane it lies.
void RigidBodies::adopt_faces(const ParticleTable& particles, const Neighbours& neighbours, Index member) {
    RigidMember& out = state_.members[member];
    out.faces = 0;
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
