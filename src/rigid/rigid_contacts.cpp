#include "rigid/rigid_contacts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "core/marks.h"
#include "core/select.h"
#include "rigid/rigid_corner.h"

namespace thixo {

namespace {

constexpr Index no_member = 0xffffffff;

// In spacings: pairs farther apart do not touch within a step, and contacts that stay farther apart do not
// count. A body moves by 0.3 at most (`limit_time_step`), two by 0.6, and beside a particle a face extends
// `face_reach`: √(1.6² + 0.75²) = 1.77. Where one end of a body is stopped the other comes down half as fast
// again: by 0.1 more in a step of 0.2 (tests/unit/rigid/rigid_contacts_test.cpp).
constexpr double attention = 1.8, margin = 0.1;

// In spacings: how far the surface of a face extends beside a particle, slightly more than half the diagonal
// of a lattice square; and how far in front of the face's particles others are pushed along its normal: what
// overlaps by less than 0.7. rigid_contacts_test.cpp pins both.
constexpr double face_reach = 0.75, face_depth = 0.3;

/// Cosine of the angle at which two flat parts face each other: 45° off at most, as of the faces of a block
/// just one is.
constexpr double facing = -0.7;

/// In spacings: bodies that would bounce less high stay at rest: by a tenth of a particle's radius, which
/// does not show. rigid_contacts_test.cpp pins it.
constexpr double least_bounce = 0.05;

struct Touch {
    Vec3d normal;  ///< from b to a
    double gap;
    Vec3d point;  ///< from particle b
};

/// The flat parts of its body that a particle belongs to, in the world.
struct Faces {
    Vec3d normal[3];
    std::uint32_t count = 0;
    bool flat = false;
    std::optional<Vec3d> corner = {};  ///< where they meet, from the particle, m

    /// How much of half a spacing its surface is from it along n, if it faces that way.
    double depth(const Vec3d& n) const {
        double best = count > 0 ? 0.7 : 1;
        for (std::uint32_t f = 0; f < count; ++f) best = std::max(best, dot(normal[f], n));
        return best;
    }
    bool has_corner(const Vec3d& n) const { return corner && dot(*corner, n) > 0; }
};

Faces faces_of(const RigidMember& member, const Mat3d& turn, double spacing) {
    Faces out{{}, member.faces, member.flat != 0};
    for (std::uint32_t f = 0; f < member.faces; ++f) out.normal[f] = turn * to_double(member.normal[f]);
    out.corner = corner_of(member, spacing);
    if (out.corner) out.corner = turn * *out.corner;
    return out;
}

/// A place, from a particle, moved into what its faces beside the normal n leave of the plane.
Vec3d clipped(Vec3d p, const Faces& faces, const Vec3d& n, double spacing) {
    for (std::uint32_t f = 0; f < faces.count; ++f) {
        const Vec3d& m = faces.normal[f];
        if (std::abs(dot(m, n)) < -facing) p -= m * std::max(0.0, dot(m, p) - 0.5 * spacing);
    }
    return p;
}

/// Of a flat part's two sides, if it is a single layer, the one towards x.
Vec3d side(const Faces& faces, const Vec3d& x) {
    return faces.count == 2 && dot(faces.normal[1], x) > dot(faces.normal[0], x) ? faces.normal[1]
                                                                                 : faces.normal[0];
}

/// The normal from b to a, with x = xₐ − x_b, of the flat parts that face each other, or of a flat part that
/// an edge or a corner meets; 0: there is none.
Vec3d face_normal(const Vec3d& x, const Faces& a, const Faces& b) {
    Vec3d n;
    double best = facing;
    for (std::uint32_t k = 0; k < a.count; ++k) {
        for (std::uint32_t l = 0; l < b.count; ++l) {
            const double c = dot(a.normal[k], b.normal[l]);
            const Vec3d between = b.normal[l] - a.normal[k];
            if (c < best && dot(between, x) > 0) {
                best = c;
                n = normalized(between);
            }
        }
    }
    if (best < facing || a.flat == b.flat) return n;
    return a.flat ? -side(a, -x) : side(b, x);
}

/// Where the surfaces of a and b, with the normal n from b to a, touch, from b: at a corner of either, but
/// not beyond an edge of the other. Between two flat parts half-way from particle to particle.
Touch touch_of_faces(const Vec3d& x, const Vec3d& n, const Faces& a, const Faces& b, double spacing) {
    const double half = 0.5 * spacing;
    if (a.has_corner(-n)) {
        const Vec3d p = clipped(x + *a.corner, b, n, spacing);
        return {n, dot(n, p) - half * b.depth(n), p};
    }
    if (b.has_corner(n)) {
        const Vec3d p = clipped(*b.corner - x, a, n, spacing);
        return {n, -dot(n, p) - half * a.depth(-n), x + p};
    }
    return {n, dot(x, n) - spacing, 0.5 * x};
}

/// How particles a and b touch, with x = xₐ − x_b.
std::optional<Touch> touch_of(const Vec3d& x, const Faces& a, const Faces& b, double spacing) {
    const double r = norm(x);
    if (!(r > 0) || r > attention * spacing) return {};
    const Vec3d n = face_normal(x, a, b);
    const double above = dot(x, n);
    if (above > face_depth * spacing) {
        if (norm(x - above * n) > face_reach * spacing) return {};
        return touch_of_faces(x, n, a, b, spacing);
    }
    return Touch{x / r, r - spacing, 0.5 * x};
}

/// Whether all solids are one rigid cluster.
bool is_alone(const Device& device, const ParticleTable& particles, const RigidBodies& bodies) {
    if (bodies.bodies().size() > 1) return false;
    return !reduce_max(device, particles.size(), 0,
                       [phase = View<const Phase>(particles.phase),
                        part = View<const std::uint32_t>(particles.rigid_cluster),
                        own = bodies.bodies()[0].number](Index i) {
                           return (phase[i] != Phase::liquid) & (part[i] != own) ? 1 : 0;
                       });
}

/// Of all members or some, those with neighbours that are solid and not in the same cluster.
std::vector<Index> beside_others(const Device& device, const ParticleTable& particles,
                                 const RigidBodies& bodies, const Neighbours& neighbours,
                                 const Rows& members) {
    // One number per row: its cluster, 0 for liquids, `elastic` for solids without one.
    constexpr std::uint32_t elastic = 0xffffffff;
    std::vector<std::uint32_t> kind(particles.size());
    launch(device, particles.size(),
           [phase = View<const Phase>(particles.phase),
            part = View<const std::uint32_t>(particles.rigid_cluster), out = View(kind)](Index i) {
               if (phase[i] != Phase::liquid) out[i] = part[i] > 0 ? part[i] : elastic;
           });
    const auto found = [&](Index k) {
        const std::uint32_t here = kind[bodies.rows()[k]];
        bool any = false;
        for (const Index j : neighbours.of(bodies.rows()[k])) any |= kind[j] != 0 && kind[j] != here;
        return any;
    };
    if (members.all) return select(device, static_cast<Index>(bodies.rows().size()), found);
    std::vector<Index> out;
    std::copy_if(members.list.begin(), members.list.end(), std::back_inserter(out), found);
    return out;
}

/// Members among some rows, those beside them, and the rows of `last`.
std::vector<Index> members_around(const Neighbours& neighbours, View<const Index> rows,
                                  View<const Index> last, View<const Index> member) {
    Marks marked(static_cast<Index>(member.size()));
    for (const Index i : last) marked.set(i);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        neighbours.prefetch_after(rows, k);
        marked.set(rows[k]);
        for (const Index j : neighbours.of(rows[k])) marked.set(j);
    }
    std::vector<Index> out;
    for (const Index i : marked.rows()) {
        if (member[i] != no_member) out.push_back(member[i]);
    }
    std::sort(out.begin(), out.end());
    return out;
}

/// Whether nothing has changed the velocity of a free body since the last kick, in a step of dt: no liquid
/// touches it.
bool only_forces_act(const RigidBodies& bodies, Index b, double dt) {
    constexpr double rounding = 0.01;  // solvers pass velocities through single precision
    const RigidBody& body = bodies.bodies()[b];
    return body.kinematic_id == 0 && b < bodies.kicked().size() &&
           norm(body.velocity - bodies.kicked()[b]) < rounding * dt * norm(bodies.rate(b).linear);
}

}  // namespace

RigidContacts::RigidContacts(const std::vector<Material>& materials, double spacing, double gravity)
    : materials_(materials), spacing_(spacing), slow_(std::sqrt(2 * gravity * least_bounce * spacing)) {}

void RigidContacts::collect(const Device& device, const ParticleTable& particles, const RigidBodies& bodies,
                            const Neighbours& neighbours, const std::function<bool(Index, Index)>& may_touch,
                            const Rows& changed) {
    pairs_.clear();
    const std::vector<Index> last = std::exchange(outermost_, {});
    if (bodies.empty() || is_alone(device, particles, bodies)) return;
    std::vector<Index> member(particles.size(), no_member);
    for (Index k = 0; k < bodies.rows().size(); ++k) member[bodies.rows()[k]] = k;
    std::vector<Index> affected;
    if (!changed.all) affected = members_around(neighbours, changed.list, last, member);
    for (const Index k :
         beside_others(device, particles, bodies, neighbours, changed.all ? Rows() : Rows(affected))) {
        const Index i = bodies.rows()[k];
        outermost_.push_back(i);
        for (const Index j : neighbours.of(i)) {
            if (particles.phase[j] == Phase::liquid ||
                particles.rigid_cluster[j] == particles.rigid_cluster[i])
                continue;
            if (particles.phase[j] == Phase::rigid && particles.id[j] < particles.id[i]) continue;
            if (!may_touch(i, j)) continue;
            pairs_.push_back({k, j, member[j]});
        }
    }
}

bool RigidContacts::counts(double gap, double opening, double dt) const {
    return gap + std::min(opening, 0.0) * dt < margin * spacing_;
}

std::vector<Mover> RigidContacts::movers_of(const RigidBodies& bodies) const {
    std::vector<Mover> movers;
    for (Index b = 0; b < bodies.bodies().size(); ++b) {
        const RigidBody& body = bodies.bodies()[b];
        Mover mover{.center = body.center, .velocity = body.velocity, .spin = body.angular_velocity()};
        const RigidBodies::Rate rate = bodies.rate(b);
        mover.acceleration = rate.linear;
        mover.spin_rate = rate.angular;
        if (body.kinematic_id == 0) {
            mover.inverse_mass = 1 / body.mass;
            mover.inverse_inertia = body.inverse_inertia_in_world();
        }
        movers.push_back(mover);
    }
    return movers;
}

void RigidContacts::find_contacts(const ParticleTable& particles, const RigidBodies& bodies, double dt,
                                  View<const float> ease, std::vector<Mover>& movers,
                                  std::vector<Contact>& out) {
    elastic_rows_.clear();
    std::vector<Mat3d> turn;
    for (const RigidBody& body : bodies.bodies()) turn.push_back(matrix(body.orientation));
    const auto arm = [&](Index k) { return turn[bodies.body_of_member()[k]] * bodies.members()[k].place; };
    const auto faces = [&](Index k) {
        return faces_of(bodies.members()[k], turn[bodies.body_of_member()[k]], spacing_);
    };
    std::vector<std::uint32_t> mover_of_row;
    for (const Pair& pair : pairs_) {
        const Index i = bodies.rows()[pair.member];
        const Vec3f rough = particles.position[i] - particles.position[pair.row];
        if (double{norm2(rough)} > attention * attention * spacing_ * spacing_ * 1.01) continue;
        const std::uint32_t a = bodies.body_of_member()[pair.member];
        const Vec3d xa = movers[a].center + arm(pair.member);
        const bool rigid = pair.other != no_member;
        std::uint32_t b = rigid ? bodies.body_of_member()[pair.other] : no_mover;
        const Vec3d xb = rigid ? movers[b].center + arm(pair.other) : to_double(particles.position[pair.row]);
        const std::optional<Touch> touch =
            touch_of(xa - xb, faces(pair.member), rigid ? faces(pair.other) : Faces{}, spacing_);
        if (!touch) continue;
        // Both feel the impulse at the same place: so their angular momentum together stays.
        const Vec3d point = rigid ? xb + touch->point : xb;
        const Vec3d of_other =
            rigid ? movers[b].velocity_at(point - movers[b].center) : to_double(particles.velocity[pair.row]);
        const Vec3d u = movers[a].velocity_at(point - movers[a].center) - of_other;
        if (!counts(touch->gap, dot(touch->normal, u), dt)) continue;
        if (!rigid) {
            mover_of_row.resize(particles.size(), no_mover);
            b = mover_of_row[pair.row];
            if (b == no_mover) {
                b = mover_of_row[pair.row] = static_cast<std::uint32_t>(movers.size());
                elastic_rows_.push_back(pair.row);
                const bool held = particles.kinematic_id[pair.row] > 0;
                const double fraction = ease.empty() ? 1. : double{ease[particles.body[pair.row]]};
                movers.push_back({.inverse_mass = held ? 0 : fraction / double{particles.mass[pair.row]},
                                  .center = xb,
                                  .velocity = of_other,
                                  .corrects = false});
            }
        }
        const SolidSettings &sa = materials_[particles.material[i]].solid,
                            &sb = materials_[particles.material[pair.row]].solid;
        out.push_back({.a = a,
                       .b = b,
                       .id = particles.id[i],
                       .other = particles.id[pair.row],
                       .normal = touch->normal,
                       .point = point,
                       .gap = touch->gap,
                       .friction = std::sqrt(sa.friction * sb.friction),
                       .restitution = std::max(sa.restitution, sb.restitution)});
    }
}

void RigidContacts::solve(const Device& device, std::vector<Contact> at_walls, double dt, RigidBodies& bodies,
                          ParticleTable& particles, View<const float> ease, bool again, bool late) {
    std::vector<Mover> movers = movers_of(bodies);
    for (Index b = 0; b < bodies.bodies().size(); ++b) {
        movers[b].late = late && !again && only_forces_act(bodies, b, dt);
        if (again) movers[b].corrects = false;
    }
    // Elastic matter that is linked with a rigid cluster does not follow it.
    const View<const Index> rows = bodies.rows(), body_of = bodies.body_of_member();
    for (Index k = 0; late && k < rows.size(); ++k)
        if (particles.elastic_index[rows[k]] != no_index) movers[body_of[k]].late = false;
    const auto follow_parabolas = [&] {
        for (Index b = 0; b < bodies.bodies().size(); ++b)
            if (movers[b].late && !movers[b].carried)
                bodies.bodies()[b].center -= (0.5 * dt * dt) * movers[b].acceleration;
    };
    std::vector<Contact> found = std::move(at_walls);
    find_contacts(particles, bodies, dt, ease, movers, found);
    const std::vector<Contact> contacts = reduced(std::move(found), spacing_, movers);
    contacts_ = contacts.size();
    iterations_ = 0;
    std::vector<ContactMemory> fresh;
    std::vector<ContactMemory>& memory = again ? fresh : memory_;
    if (contacts.empty()) {
        memory.clear();
        follow_parabolas();
        return;
    }
    iterations_ = solve_contacts(contacts, {.spacing = spacing_, .slow = slow_}, dt, memory, movers);
    const View<RigidBody> body = bodies.bodies();
    for (std::size_t b = 0; b < body.size(); ++b) {
        const Mover& mover = movers[b];
        if (body[b].kinematic_id > 0) continue;
        body[b].velocity += mover.impulse / body[b].mass;
        body[b].angular_momentum += mover.angular_impulse;
        body[b].center += dt * mover.shift;
        if (norm2(mover.turn) > 0) body[b].orientation = turned(body[b].orientation, dt * mover.turn);
    }
    follow_parabolas();
    for (std::size_t k = 0; k < elastic_rows_.size(); ++k)
        particles.velocity[elastic_rows_[k]] = to_float(movers[body.size() + k].velocity);
    bodies.scatter_velocities(device, particles);
}

std::size_t RigidContacts::bytes() const {
    return pairs_.capacity() * sizeof(Pair) + outermost_.capacity() * sizeof(Index) +
           memory_.capacity() * sizeof(ContactMemory);
}

}  // namespace thixo
