#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "adapt/settings.h"
#include "core/launch.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/discretisation.h"
#include "sph/half_space.h"
#include "sph/neighbours.h"

namespace thixo {

/// Input of adaptivity: particles in the order of their neighbour lists, and their surroundings.
struct AdaptState {
    ParticleTable& particles;
    Neighbours neighbours;       ///< all pairs
    View<const float> supports;  ///< H of each row, m
    View<const WallTerm> walls;
    std::function<void(View<float>)> limit =
        {};  ///< lowers sizes to the limits of obstacles and jets, in spacings
};

/// Target sizes of particles. The size of a row is its spacing ℓ = 2 · radius, relative to the finest
/// spacing.
class Sizing {
public:
    Sizing(const AdaptivitySettings& settings, const std::vector<Material>& materials,
           const Discretisation& discretisation);

    /// Computes the target size of each row (see sizing.cpp); solids have 0.
    void find(const Device& device, const AdaptState& state);

    View<const float> allowed() const { return allowed_; }
    /// Angular velocity (1/s) of each row's surroundings where they turn like a rigid body; 0 elsewhere.
    View<const Vec3f> rotation() const { return rotation_; }
    float size(float radius) const { return radius / finest_radius_; }
    float radius(float size) const { return size * finest_radius_; }
    /// Mass of a particle of this size in units of the finest particle's mass, and the inverse.
    float count_of(float size) const { return dimensions_ == 2 ? size * size : size * size * size; }
    float size_of(float count) const;
    float coarsest() const { return coarsest_; }
    float surface() const { return surface_; }
    int dimensions() const { return dimensions_; }
    /// Largest relative speed of particles that merge, m/s.
    float slow(std::uint16_t material) const { return slow_[material]; }

    std::size_t bytes() const;

private:
    Discretisation discretisation_;
    int dimensions_;
    float finest_radius_, coarsest_, surface_;
    float refine_, simplify_;  ///< Δ, δ
    float growth_;             ///< largest gradient of the size, 1/m
    int sweeps_;               ///< passes of LimitGradient
    std::vector<float> rest_density_, slow_, stiffness_;
    std::vector<float> inverse_support_;
    std::vector<float> allowed_, other_;
    std::vector<Vec3f> rotation_;
};

}  // namespace thixo
