#pragma once

#include <cstdint>
#include <vector>

#include "core/state.h"
#include "core/vec.h"
#include "particles/table.h"
#include "rigid/rigid_body.h"

namespace thixo {

/// A particle of a rigid body.
struct RigidMember {
    std::uint32_t id;
    float mass;           ///< kg
    float volume;         ///< V⁰, m³
    float own_gamma;      ///< what its own body adds to its compression; V⁰ W(0) is not part of it
    std::uint32_t outer;  ///< 1: it is at the surface
    std::uint32_t flat;   ///< 1: in the middle of a flat part of it
    std::uint32_t faces;  ///< how many flat parts it belongs to: along edges two, at corners three
    Vec3f normal[3];      ///< of those, out of the body, in its own frame
    Vec3d place;          ///< in the body's own frame, from its centre, m
};

/// What rigid bodies keep from one step to the next.
struct RigidState {
    std::vector<RigidBody> bodies;     ///< by number
    std::vector<RigidMember> members;  ///< body after body, each by id

    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("rigid_bodies", self.bodies, StateOrder::listed);
        visit("rigid_members", self.members, StateOrder::listed);
    }

    /// Refuses, by an InputError, bodies and members that are not those of the rows.
    void check(const ParticleTable& particles) const;
    /// Refuses what moves by a prescribed motion that does not exist.
    void check_holds(std::size_t holds) const;
};

}  // namespace thixo
