#include "rigid/rigid_state.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/state_check.h"

namespace thixo {

namespace {

using Membership = std::pair<std::uint32_t, std::uint32_t>;  // number of the body, id

/// The members in the order of the arrays, which must be that of numbers and ids.
std::vector<Membership> members_of(const RigidState& state) {
    std::vector<Membership> out;
    for (const RigidBody& body : state.bodies) {
        if (body.first_member != out.size() || body.count == 0 ||
            body.count > state.members.size() - out.size())
            refuse_state("rigid_bodies", "body {} has members {} to {} of {}", body.number, body.first_member,
                         std::uint64_t{body.first_member} + body.count, state.members.size());
        for (std::uint32_t k = 0; k < body.count; ++k)
            out.emplace_back(body.number, state.members[body.first_member + k].id);
    }
    check_length("rigid_members", state.members.size(), out.size());
    const auto next = std::adjacent_find(out.begin(), out.end(), std::greater_equal<>());
    if (next != out.end()) refuse_state("rigid_members", "they are not in the order of numbers and ids");
    return out;
}

}  // namespace

void RigidState::check(const ParticleTable& particles) const {
    for (const RigidMember& member : members)
        if (member.faces > 3) refuse_state("rigid_members", "a particle belongs to {} faces", member.faces);
    std::vector<Membership> rows;
    for (Index i = 0; i < particles.size(); ++i)
        if (particles.rigid_cluster[i] > 0) rows.emplace_back(particles.rigid_cluster[i], particles.id[i]);
    std::sort(rows.begin(), rows.end());
    if (rows != members_of(*this)) refuse_state("rigid_members", "they are not the particles with a part");
}

void RigidState::check_holds(std::size_t holds) const {
    for (const RigidBody& body : bodies)
        if (body.kinematic_id > holds)
            refuse_state("rigid_bodies", "hold {} does not exist", body.kinematic_id);
}

}  // namespace thixo
