#pragma once

#include <algorithm>

#include "body/matter.h"
#include "elastic/rigid_parts.h"

namespace thixo {

/// The free rigid clusters whose particles are linked with elastic ones, at their places now.
inline RigidParts rigid_parts_of(const Matter& matter) {
    RigidParts out;
    const RigidBodies& rigid = matter.solids.rigid;
    if (rigid.empty()) return out;
    const ParticleTable& particles = matter.particles;
    const View<const Index> row = matter.solids.elastic.rows();
    const View<const RigidBody> bodies = rigid.bodies();
    std::vector<Index> part(bodies.size(), no_index);
    for (Index s = 0; s < row.size(); ++s) {
        const Index i = row[s];
        if (i == ElasticBodies::vacant || particles.phase[i] != Phase::rigid) continue;
        const auto at = std::lower_bound(
            bodies.begin(), bodies.end(), particles.rigid_cluster[i],
            [](const RigidBody& body, std::uint32_t number) { return body.number < number; });
        const auto k = static_cast<std::size_t>(at - bodies.begin());
        if (at->kinematic_id > 0) continue;
        if (part[k] == no_index) {
            part[k] = static_cast<Index>(out.parts.size());
            const Mat3d turn = matrix(at->orientation);
            out.parts.push_back({.mass = at->mass,
                                 .inertia = turn * at->inertia * transposed(turn),
                                 .inverse_inertia = at->inverse_inertia_in_world(),
                                 .center = at->center,
                                 .body = particles.body[i],
                                 .cluster = static_cast<std::uint32_t>(k)});
        }
        out.members.push_back({s, part[k], to_double(particles.position[i]) - at->center});
    }
    return out;
}

}  // namespace thixo
