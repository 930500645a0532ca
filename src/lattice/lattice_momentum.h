#pragma once

#include <vector>

#include "core/rigid_fit.h"
#include "lattice/lattice_sites.h"

namespace thixo {

/// The rigid motions of the free connected components of lattices: what gives solutions that end before they
/// are exact the momentum and the angular momentum that they lack. Components with a site of mass 0 have
/// kinematic particles, and no such motion.
class LatticeMomentum {
public:
    /// `component`: the lowest site of that of each.
    void prepare(const LatticeSites& sites, View<const Vec3f> position, View<const Index> component,
                 View<const float> mass);

    /// Adds to `solution` the rigid motion of each component that has the momentum and angular momentum of
    /// `missing` (N s or N, of each site).
    void give(const Device& device, View<const Vec3f> missing, View<Vec3f> solution);

    /// The motion that was given to a site last.
    Vec3f given(Index s) const {
        return part_[s] == not_free ? Vec3f{} : to_float(motion_[part_[s]].at(to_double(arm_[s])));
    }

    /// ω × (ω × r), m/s², where that motion was one of velocities.
    Vec3f centripetal(Index s) const {
        if (part_[s] == not_free) return {};
        const Vec3d spin = motion_[part_[s]].spin;
        return to_float(cross(spin, cross(spin, to_double(arm_[s]))));
    }

    std::size_t bytes() const {
        return part_.capacity() * sizeof(Index) + arm_.capacity() * sizeof(Vec3f) +
               parts_.capacity() * sizeof(Part) + motion_.capacity() * sizeof(RigidMotion);
    }

private:
    static constexpr Index not_free = ~Index{0};
    struct Part {
        double mass = 0;
        Mat3d inverse_inertia{};
    };

    std::vector<Index> part_;  ///< of each site, or `not_free`
    std::vector<Vec3f> arm_;   ///< from the centre of mass, m
    std::vector<Part> parts_;
    std::vector<RigidMotion> motion_;  ///< about the centre of mass
};

}  // namespace thixo
