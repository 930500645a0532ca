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

/// What adaptivity looks at: particles in the order of their lists, and what is around them.
struct AdaptState {
    ParticleTable& particles;
    Neighbours neighbours;       ///< all pairs
    View<const float> supports;  ///< H of each row, m
    View<const WallTerm> walls;
    std::function<void(View<float>)> limit =
        {};  ///< lowers sizes to what obstacles and jets stand, in spacings
};

/// How large particles may be. A row's size is its spacing ℓ = 2 · radius in that of the finest particles.
class Sizing {
public:
    Sizing(const AdaptivitySettings& settings, const std::vector<Material>& materials,
           const Discretisation& discretisation);

    /// The size that each row may have (see sizing.cpp); solids have 0.
    void find(const Device& device, const AdaptState& state);

    View<const float> allowed() const { return allowed_; }
    float size(float radius) const { return radius / finest_radius_; }
    float radius(float size) const { return size * finest_radius_; }
    /// How many of the finest particles one of this size stands for, and the other way round.
    float count_of(float size) const { return dimensions_ == 2 ? size * size : size * size * size; }
    float size_of(float count) const;
    float coarsest() const { return coarsest_; }
    float surface() const { return surface_; }
    int dimensions() const { return dimensions_; }
    /// Fastest motion relative to each other of particles that become one, m/s.
    float slow(std::uint16_t material) const { return slow_[material]; }

    std::size_t bytes() const;

private:
    Discretisation discretisation_;
    int dimensions_;
    float finest_radius_, coarsest_, surface_;
    float refine_, simplify_;  ///< Δ, δ
    float growth_;             ///< of the size with the distance, 1/m
    int sweeps_;               ///< that carry sizes from row to row
    std::vector<float> rest_density_, slow_, stiffness_;
    std::vector<float> inverse_support_;
    std::vector<float> allowed_, other_;
};

}  // namespace thixo
