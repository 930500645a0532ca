#include "rigid/rigid_surface.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/eight.h"
#include "core/prefetch.h"
#include "core/symmetric_eigen.h"
#include "rigid/rigid_corner.h"
#include "sph/influence_radius.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

// Numbers lie between those of the lattices that bodies are sampled on (distances of neighbours 1, √2, √3;
// layers 1, 1/√2, √(2/3) apart); tests/unit/rigid/rigid_surface_test.cpp and rigid_bodies_test.cpp test
// faces, edges and corners.

// In spacings: how far neighbours on the lattice are (diagonals of a square are), and how far from a plane
// one may be to lie in it.
constexpr double beside = 1.6, in_plane = 0.3;

// In spacings: a sum of vectors to all neighbours that is shorter than this is that of the inside; one of
// those in the plane that is longer, in the mean, is that of an edge. The first is 1.7 and more at flat
// surfaces, √2 where a neighbour on a diagonal is missing, and below 1 where particles are 0.03 out of place.
// The second is 0.43 and more at edges, and 0.2 at most where one neighbour in the plane is missing.
constexpr double inside = 1, one_sided = 0.25;

/// In spacings squared: neighbours in the plane spread at least that much in every direction of it. It is 0
/// along a row, in a plane 3 (triangles) or 6 (squares); in 2D 2 within a row, and 1 at its end.
constexpr double least_spread = 1;

/// Cosine of the angle up to which two normals are those of one flat part: 26°, as of neighbours around a
/// radius of 2.2 spacings. Sides of a prism of twelve are 30° off.
constexpr float same_face = 0.9f;

/// In spacings: a bit more than `beside`, whatever is rounded.
constexpr double around = 1.01 * beside;

/// The neighbours of a member in its body, relative to it, in spacings.
struct Beside {
    static constexpr Index most =
        64;  ///< a member with more is not at a surface: they would not fit on one side
    Index x[most + 2 * lane_count], y[most + 2 * lane_count],
        z[most + 2 * lane_count];  ///< bits of floats
    Index count = 0;

    /// After the last one was added: what is read behind it is 0.
    void close() {
        for (Index* of_all : {x, y, z}) std::fill_n(of_all + count, lane_count, Index{0});
    }

    void add(const Vec3<Lanes>& place, LaneMask there) {
        const auto append = [&](Index* to, Lanes from) {
            return append_rows(to + count, there, (LaneMask)from);
        };
        if (count > most) return;
        append(x, place.x);
        append(y, place.y);
        count += append(z, place.z);
    }

    /// Calls visit(eight places, 1 or 0 where there is none).
    template <class Visit>
    void for_each_lanes(const Visit& visit) const {
        for (Index k = 0; k < count; k += lane_count) {
            const LaneMask there = LaneMask{0, 1, 2, 3, 4, 5, 6, 7} < static_cast<std::int32_t>(count - k);
            visit(Vec3<Lanes>{(Lanes)load(x + k), (Lanes)load(y + k), (Lanes)load(z + k)},
                  there ? spread<Lanes>(1.f) : Lanes{});
        }
    }
};

/// Sums of x xᵀ.
struct Spread {
    Sym3<Lanes> lanes;

    void add(const Vec3<Lanes>& x) {
        lanes.xx += x.x * x.x;
        lanes.yy += x.y * x.y;
        lanes.zz += x.z * x.z;
        lanes.xy += x.x * x.y;
        lanes.xz += x.x * x.z;
        lanes.yz += x.y * x.z;
    }
    Mat3d sum() const {
        Sym3<double> out;
        out.xx = thixo::sum(lanes.xx), out.yy = thixo::sum(lanes.yy), out.zz = thixo::sum(lanes.zz);
        out.xy = thixo::sum(lanes.xy), out.xz = thixo::sum(lanes.xz), out.yz = thixo::sum(lanes.yz);
        return out.full();
    }
};

/// Whether the neighbours in the plane through the origin lie all around it.
bool is_flat(const Beside& near, const Vec3f& n, int dimensions) {
    Vec3<Lanes> mean{};
    Lanes count_lanes{};
    Spread spread;
    const Vec3<Lanes> normal = thixo::spread(n);
    near.for_each_lanes([&](const Vec3<Lanes>& x, Lanes there) {
        const Lanes height = dot(x, normal);
        const Lanes in = larger(height, -height) <= static_cast<float>(in_plane) ? there : Lanes{};
        const Vec3<Lanes> along = (x - normal * height) * in;
        mean += along;
        spread.add(along);
        count_lanes += in;
    });
    const float count = sum(count_lanes);
    if (count == 0 || !(norm(sum(mean)) < static_cast<float>(one_sided) * count)) return false;
    // All of it lies in the plane, so one eigenvalue is 0 and the others are those of two dimensions: λ² − t
    // λ + m = 0.
    const Mat3d all = spread.sum();
    const double t = trace(all), m = 0.5 * (t * t - norm2(all)),
                 root = std::sqrt(std::max(0.0, t * t - 4 * m));
    return 0.5 * (dimensions == 2 ? t + root : t - root) > least_spread;
}

/// Across particles that lie around the origin in one plane (2D: on one line).
Vec3d normal_of_layer(const Beside& near, int dimensions) {
    Spread spread;
    near.for_each_lanes([&](const Vec3<Lanes>& x, Lanes there) { spread.add(x * there); });
    const SymmetricEigen eigen = symmetric_eigen(spread.sum());
    return dimensions == 2 ? cross(eigen.vectors.x, Vec3d{0, 0, 1}) : eigen.vectors.z;
}

/// Volumes of eight rows, those in the same body as row i; 0 for the others.
Lanes of_cluster(View<const std::uint32_t> cluster, Index i, const Index* rows, Lanes volume) {
    for (Index l = 0; l < lane_count; ++l) {
        if (rows[l] >= cluster.size() || cluster[rows[l]] != cluster[i]) volume[l] = 0;
    }
    return volume;
}

/// What the neighbours of a member take over from it.
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

RigidSurface::RigidSurface(const std::vector<Material>& materials, KernelName kernel, double support,
                           int dimensions, double spacing)
    : kernel_(kernel), support_(support), dimensions_(dimensions), spacing_(spacing) {
    for (const Material& material : materials)
        specific_volume_.push_back(static_cast<float>(1 / material.density));
}

void RigidSurface::record_rows(const Device& device, const ParticleTable& particles) {
    records_.resize(particles.size() + 1);
    records_.back() = padding_record;
    launch(device, particles.size(),
           [cluster = View<const std::uint32_t>(particles.rigid_cluster),
            x = View<const Vec3f>(particles.position), mass = View<const float>(particles.mass),
            material = View<const std::uint16_t>(particles.material),
            per_mass = View<const float>(specific_volume_), out = View(records_)](Index i) {
               out[i] = {x[i].x, x[i].y, x[i].z, cluster[i] > 0 ? mass[i] * per_mass[material[i]] : 0.f};
           });
}

/// Calls visit(j) for the rows in bodies that are less than `reach` (m) from row i.
template <class Visit>
void RigidSurface::visit_within(const Neighbours& neighbours, Index i, double reach,
                                const Visit& visit) const {
    const Vec3<Lanes> here = spread(records_[i]);
    const Lanes reach2 = spread<Lanes>(static_cast<float>(reach * reach));
    neighbours.for_each_lanes(i, [&](const Index* rows) {
        const auto [x, volume] = thixo::gather(records_.data(), rows);
        unsigned found = bits((volume > 0.f) & (norm2(x - here) < reach2));
        for (; found != 0; found &= found - 1) visit(rows[std::countr_zero(found)]);
    });
}

void RigidSurface::update(const Device& device, const ParticleTable& particles, const Neighbours& neighbours,
                          const MemberRows& rows, View<const Index> moved, const Marks& fresh,
                          RigidState& state) {
    const View<const std::uint32_t> cluster(particles.rigid_cluster);
    const View<const Index> member_of_row = rows.member_of_row;
    Marks marked(particles.size());
    for (const Index k : fresh.rows()) marked.set(rows.row[k]);
    record_rows(device, particles);
    // A row that comes or goes changes the surface at all members within its influence.
    const double influence = std::max(influence_radius * support_, beside * spacing_);
    launch<small_grain>(device, static_cast<Index>(moved.size()), [&](Index k) {
        neighbours.prefetch_after(moved, k);
        const Index i = moved[k];
        if (cluster[i] > 0) marked.set(i);
        visit_within(neighbours, i, influence, [&](Index j) { marked.set(j); });
    });
    const std::vector<Index> changed = marked.rows();
    // Nothing writes to lists and records meanwhile, and members are not read.
    const auto prefetch_after = [&](std::size_t k) {
        if (k + prefetch_ahead < changed.size())
            prefetch(&state.members[member_of_row[changed[k + prefetch_ahead]]], sizeof(RigidMember));
        constexpr std::size_t soon = 2;  // their lists were prefetched some rows ago
        if (k + soon >= changed.size()) return;
        for (const Index j : neighbours.of(changed[k + soon])) prefetch(&records_[j], sizeof(Packed4));
    };
    const bool several = state.bodies.size() > 1;
    Marks near(particles.size());  // members beside them take over their faces
    launch<small_grain>(device, static_cast<Index>(changed.size()), [&](Index k) {
        neighbours.prefetch_after(changed, k);
        prefetch_after(k);
        const Index i = changed[k], own = member_of_row[i];
        RigidMember& member = state.members[own];
        const Surface last = fresh[own] ? Surface{} : Surface(member);
        compute_member(particles, neighbours, state.bodies[rows.body[own]], several, i, member);
        near.set(i);
        if (!fresh[own] && Surface(member) == last) return;
        visit_within(neighbours, i, around * spacing_, [&](Index j) { near.set(j); });
    });
    std::vector<Index> edges = near.rows();
    std::erase_if(edges, [&](Index i) {
        return !state.members[member_of_row[i]].outer || state.members[member_of_row[i]].flat;
    });
    launch<small_grain>(device, static_cast<Index>(edges.size()), [&](Index k) {
        adopt_faces(particles, neighbours, rows, member_of_row[edges[k]], state);
    });
}

/// s⁰ᵢ = min(1 − V⁰ᵢ W(0), Σ own body V⁰ⱼ Wᵢⱼ); the normal is the direction in which its own body is missing.
void RigidSurface::compute_member(const ParticleTable& particles, const Neighbours& neighbours,
                                  const RigidBody& body, bool several, Index i, RigidMember& out) const {
    const Vec3<Lanes> place = spread(records_[i]);
    const Lanes reach2 = spread<Lanes>(static_cast<float>(beside * beside * spacing_ * spacing_));
    const auto per_spacing = static_cast<float>(1 / spacing_);
    DoubleLanes gamma{};
    Vec3<DoubleLanes> open{};
    Beside near;
    double most = 0;
    with_kernel(kernel_, support_, dimensions_, [&](const auto& kernel) {
        most = 1 - double{out.volume} * double{kernel.value(0.f)};
        neighbours.for_each_lanes(i, [&](const Index* rows) {
            const auto [at, volume_of_any] = thixo::gather(records_.data(), rows);
            const Lanes volume =
                several ? of_cluster(particles.rigid_cluster, i, rows, volume_of_any) : volume_of_any;
            const Vec3<Lanes> x = at - place;
            const Lanes r2 = norm2(x);
            gamma += in_double(volume) * in_double(kernel.value(square_root(r2)));
            const LaneMask there = (volume > 0.f) & (r2 <= reach2);
            if (bits(there) == 0) return;
            const Lanes weight = there ? spread<Lanes>(per_spacing) : Lanes{};
            const Vec3<Lanes> beside_it = x * weight;
            open.x -= in_double(beside_it.x);
            open.y -= in_double(beside_it.y);
            open.z -= in_double(beside_it.z);
            near.add(beside_it, there);
        });
    });
    near.close();
    out.own_gamma = static_cast<float>(std::max(0.0, std::min(most, thixo::sum(gamma))));
    const Vec3d missing{thixo::sum(open.x), thixo::sum(open.y), thixo::sum(open.z)};
    const double size = norm(missing);
    // Single layers have their body all around them too, but fewer neighbours than the inside.
    const bool layer = size <= inside && near.count < (dimensions_ == 2 ? 6u : 12u);
    out.outer = near.count <= Beside::most && (layer || size > inside) ? 1 : 0;
    out.flat = out.faces = 0;
    if (!out.outer) return;
    const Vec3d n = normalized(layer ? normal_of_layer(near, dimensions_) : missing);
    if (!is_flat(near, to_float(n), dimensions_)) return;
    out.flat = 1;
    out.faces = layer ? 2 : 1;
    out.normal[0] = to_float(transposed(matrix(body.orientation)) * n);
    if (layer) out.normal[1] = -out.normal[0];
}

/// At edges and corners: the flat parts whose middle is beside it, and in whose plane it lies; then those
/// that have no middle.
void RigidSurface::adopt_faces(const ParticleTable& particles, const Neighbours& neighbours,
                               const MemberRows& rows, Index member, RigidState& state) const {
    RigidMember& out = state.members[member];
    out.faces = 0;
    const Index i = rows.row[member];
    const RigidBody& body = state.bodies[rows.body[member]];
    const Mat3d back = transposed(matrix(body.orientation));
    Vec3d near[Beside::most];
    std::size_t count = 0;
    for (const Index j : neighbours.of(i)) {
        if (particles.rigid_cluster[j] != particles.rigid_cluster[i]) continue;
        const Vec3d x =
            back * (to_double(particles.position[j]) - to_double(particles.position[i])) / spacing_;
        if (norm2(x) > beside * beside) continue;
        if (count < Beside::most) near[count++] = x;
        const RigidMember& other = state.members[rows.member_of_row[j]];
        if (!other.flat) continue;
        for (std::uint32_t f = 0; f < other.faces && out.faces < 3; ++f) {
            const Vec3f n = other.normal[f];
            const bool known = std::any_of(out.normal, out.normal + out.faces,
                                           [&](const Vec3f& own) { return dot(own, n) > same_face; });
            if (!known && std::abs(dot(x, to_double(n))) < in_plane) out.normal[out.faces++] = n;
        }
    }
    add_narrow_faces({near, count}, dimensions_, out);
}

}  // namespace thixo
