#pragma once

#include <optional>

#include "surface/field.h"

namespace thixo {

/// How an active implicit surface moves [DC99, sec. 6]. A unit of time is a frame.
struct ActiveFlow {
    double tracking =
        0.2;  ///< α, the part of its distance to the density's surface that it moves in a unit of time
    double tension = 0;    ///< β, m² in a unit of time
    double inflation = 0;  ///< γ(V₀ − V)/V₀, m in a unit of time
};

/// Moves the surface φ = 0 for a time. With n pointing outwards and κ = ∇·n,
///   ∂φ/∂t = |∇φ| (α d + βκ − γ(V₀ − V)/V₀)       [DC99, eq. 18, with the signs of notes 4.4]
/// d is `target` at the closest point of the surface: how far outside of the density's surface it is. Nodes
/// that are not in the band keep their value. The first and the last term are upwind (Godunov), the curvature
/// is central; steps are as long as both allow.
void advance(const Device& device, SurfaceField& field, View<const BlockBits> band, View<const float> target,
             const ActiveFlow& flow, double time);

/// What an active surface is at the end of a frame: all that the next frame needs of it.
struct ActiveState {
    double cell = 0;  ///< m
    std::vector<BlockPlace> places;
    std::vector<float> values;  ///< φ, `block_nodes` for each place
};

/// The field of the next frame: the state of the last one where it has nodes, the density elsewhere, moved
/// for a unit of time towards the density, `density`, whose iso-value is such that it encloses `volume` (m³).
/// It stays within 0.3 spacings of that surface: liquids that are fast are followed at once, and what remains
/// of surfaces at rest is their mean over some frames. `radius` (m) is that of the finest particles.
void track(const Device& device, const std::optional<ActiveState>& last, SurfaceField& density,
           View<const BlockBits> band, double volume, double radius);

ActiveState state_of(const SurfaceField& field);

}  // namespace thixo
