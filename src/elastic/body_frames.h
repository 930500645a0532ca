#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/mat3.h"
#include "core/quaternion.h"
#include "elastic/body_merge.h"
#include "elastic/elastic_columns.h"
#include "elastic/reference.h"
#include "sph/neighbours.h"

namespace thixo {

/// By what the frames of bodies, by number, were turned.
using FrameTurns = std::map<std::uint32_t, Mat3d>;

/// Rotations of bodies that grow together: undeformed states that share links must be in one frame.
struct BodyFrames {
    const ParticleTable& particles;
    const Neighbours& neighbours;      ///< all pairs
    View<const Packed4> rigid_frames;  ///< rotations of rigid rows
    double support;                    ///< m

    /// By what the frame of each body is to be turned before it is linked with others: where the frames of
    /// two differ, the smaller body takes that of the larger one.
    FrameTurns turns_to_unite(const ElasticColumns& columns, const BodyMerge& merge) const;

    /// Gives rotations to rows that have just got an elastic index. Rigid ones have the rotation of their
    /// rigid cluster. The others take that of the solid neighbours they find, those next to them first; far
    /// from any they start with the identity.
    void give_rotations(View<const Index> rows, ElasticColumns& columns) const;
};

/// Turns the frame of some indices: X ← C X, R ← R Cᵀ, ε_p ← C ε_p Cᵀ. Changes no force.
void turn_frame(View<const Index> indices, const Mat3d& c, ElasticColumns& columns,
                ReferenceNeighbourhoods& links);

/// The indices of each body, by number up to `last_body`.
std::vector<std::vector<Index>> indices_of_bodies(const ElasticColumns& columns,
                                                  const ParticleTable& particles, std::uint32_t last_body);

}  // namespace thixo
