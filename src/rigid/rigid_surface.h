#pragma once

#include <vector>

#include "core/launch.h"
#include "core/marks.h"
#include "core/simd.h"
#include "particles/material.h"
#include "particles/table.h"
#include "rigid/rigid_state.h"
#include "sph/kernel_name.h"
#include "sph/neighbours.h"

namespace thixo {

/// Which rows the members of rigid bodies are.
struct MemberRows {
    View<const Index> row, body;      ///< row and body of each member
    View<const Index> member_of_row;  ///< of the rows that are members
};

/// The surfaces of rigid bodies: which members are outermost, which lie on a flat face, and with which normals; and what
/// members of the same body add to the compression of each.
class RigidSurface {
public:
    RigidSurface(const std::vector<Material>& materials, KernelName kernel, double support, int dimensions,
                 double spacing);

    /// Computes the surface again around rows that `moved` from one body to another, or in or out of one. Members are `fresh` if
    /// nothing is known of them yet.
    void update(const Device& device, const ParticleTable& particles, const Neighbours& neighbours,
                const MemberRows& rows, View<const Index> moved, const Marks& fresh, RigidState& state);

    std::size_t bytes() const { return records_.capacity() * sizeof(Packed4); }

private:
    void record_rows(const Device& device, const ParticleTable& particles);
    template <class Visit>
    void visit_within(const Neighbours& neighbours, Index i, double reach, const Visit& visit) const;
    void compute_member(const ParticleTable& particles, const Neighbours& neighbours, const RigidBody& body,
                        bool several, Index row, RigidMember& out) const;
    void adopt_faces(const ParticleTable& particles, const Neighbours& neighbours, const MemberRows& rows,
                     Index member, RigidState& state) const;

    std::vector<float> specific_volume_;  ///< of each material, m³/kg
    KernelName kernel_;
    double support_;
    int dimensions_;
    double spacing_;
    std::vector<Packed4> records_;  ///< (x, V⁰) of each row; V⁰ = 0 for rows in no body
};

}  // namespace thixo
