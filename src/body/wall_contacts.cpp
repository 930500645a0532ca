#include "body/wall_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thixo {

std::vector<Contact> contacts_at_walls(const Device& device, const Walls& walls, const RigidBodies& bodies,
                                       const RigidContacts& rules, const std::vector<Material>& materials,
                                       const ParticleTable& particles, double dt) {
    const auto radius = static_cast<float>(0.5 * rules.spacing());
    const auto members = static_cast<Index>(bodies.members().size());
    std::vector<Contact> out;
    std::vector<WallDistance> distance(members);
    for (std::uint32_t w = 0; w < walls.view().size(); ++w) {
        const Wall& wall = walls.view()[w];
        launch(device, members,
               [&wall, far = 4 * radius, row = bodies.rows(), member = bodies.members(),
                x = View<const Vec3f>(particles.position), out = View(distance)](Index k) {
                   const Vec3f& at = x[row[k]];
                   out[k] = {std::numeric_limits<float>::infinity(), {}};
                   if (member[k].outer && !is_beyond(wall, at, far)) out[k] = distance_to(wall, at);
               });
        for (Index k = 0; k < members; ++k) {
            if (!(distance[k].distance < 4 * radius)) continue;
            const Index i = bodies.rows()[k];
            const Vec3d n = to_double(distance[k].normal);
            const double gap = double{distance[k].distance} - double{radius};
            const Vec3f point = particles.position[i] - distance[k].distance * distance[k].normal;
            const Vec3d drive = to_double(velocity_at(wall, point));
            if (!rules.counts(gap, dot(n, to_double(particles.velocity[i]) - drive), dt)) continue;
            const SolidSettings& solid = materials[particles.material[i]].solid;
            out.push_back({.a = bodies.body_of_member()[k],
                           .b = no_mover,
                           .id = particles.id[i],
                           .other = no_mover - w,
                           .normal = n,
                           .point = to_double(point),
                           .gap = gap,
                           .drive = drive,
                           .friction = wall.friction,
                           .restitution = std::max(double{wall.restitution}, solid.restitution)});
        }
    }
    return out;
}

}  // namespace thixo
