#include "body/wall_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigid/rigid_corner.h"

namespace thixo {

namespace {

/// In spacings: a corner counts until it is so much farther from the wall than the place below its particle.
/// With less, rounding alone would move the contact of a block at rest from its corner inwards.
constexpr float lifted = 0.05f;

/// The place of a particle's surface that is nearest to a wall: below it, or the corner of the body there.
struct Nearest {
    float gap = std::numeric_limits<float>::infinity();  ///< m
    Vec3f normal;
    Vec3f from, point;  ///< particle or corner, and the place on the wall, m
};

/// A body's members in the world.
struct BodyFrame {
    Mat3d turn;
    Vec3d center, velocity, spin;
};

Nearest nearest_place(const Wall& wall, const Vec3f& x, const std::optional<Vec3d>& corner, const Mat3d& turn,
                      float radius) {
    const WallDistance below = distance_to(wall, x);
    Nearest out{below.distance - radius, below.normal, x, x - below.distance * below.normal};
    if (!corner) return out;
    const Vec3f at = x + to_float(turn * *corner);
    const WallDistance there = distance_to(wall, at);
    if (there.distance < out.gap + lifted * 2 * radius)
        out = {there.distance, there.normal, at, at - there.distance * there.normal};
    return out;
}

}  // namespace

std::vector<Contact> contacts_at_walls(const Device& device, const Walls& walls, const RigidBodies& bodies,
                                       const RigidContacts& rules, const std::vector<Material>& materials,
                                       const ParticleTable& particles, double dt) {
    const auto radius = static_cast<float>(0.5 * rules.spacing());
    const auto members = static_cast<Index>(bodies.members().size());
    std::vector<Contact> out;
    std::vector<Nearest> nearest(members);
    std::vector<BodyFrame> frames;
    for (const RigidBody& body : bodies.bodies())
        frames.push_back({matrix(body.orientation), body.center, body.velocity, body.angular_velocity()});
    for (std::uint32_t w = 0; w < walls.view().size(); ++w) {
        const Wall& wall = walls.view()[w];
        launch(device, members,
               [&wall, radius, spacing = rules.spacing(), row = bodies.rows(), member = bodies.members(),
                owner = bodies.body_of_member(), frame = View<const BodyFrame>(frames),
                x = View<const Vec3f>(particles.position), out = View(nearest)](Index k) {
                   const Vec3f& at = x[row[k]];
                   out[k] = {};
                   if (member[k].outer && !is_beyond(wall, at, 4 * radius))
                       out[k] = nearest_place(wall, at, corner_of(member[k], spacing), frame[owner[k]].turn,
                                              radius);
               });
        for (Index k = 0; k < members; ++k) {
            if (!(nearest[k].gap < 3 * radius)) continue;
            const Index i = bodies.rows()[k];
            const BodyFrame& body = frames[bodies.body_of_member()[k]];
            const Vec3d n = to_double(nearest[k].normal), point = to_double(nearest[k].point);
            const Vec3d v = body.velocity + cross(body.spin, to_double(nearest[k].from) - body.center);
            const double gap = nearest[k].gap;
            const Vec3d drive = to_double(velocity_at(wall, nearest[k].point));
            if (!rules.counts(gap, dot(n, v - drive), dt)) continue;
            const SolidSettings& solid = materials[particles.material[i]].solid;
            out.push_back({.a = bodies.body_of_member()[k],
                           .b = no_mover,
                           .id = particles.id[i],
                           .other = no_mover - w,
                           .normal = n,
                           .point = point,
                           .gap = gap,
                           .drive = drive,
                           .friction = wall.friction,
                           .restitution = std::max(double{wall.restitution}, solid.restitution)});
        }
    }
    return out;
}

}  // namespace thixo
