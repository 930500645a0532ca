#pragma once

#include "core/launch.h"
#include "lattice/docked.h"
#include "lattice/lattice_points.h"
#include "lattice/lattice_sites.h"

namespace thixo {

/// Each direction of a pair has its half. Where j docked on i at l it is a spring, otherwise a push [WHP06,
/// eq. 8, 14]:
///
///     F on i = ½ k (xⱼᵢ − Rᵢ l)   or   −½ k max(0, D − |xⱼᵢ|) xⱼᵢ/|xⱼᵢ|
///
/// and −β (vᵢ − v̄ − ω × (xᵢ − c)) by the rigid motion of every neighbourhood that it is a member of.
struct BondForces {
    LatticePoints points;
    float spacing;
    Docked docked;
    const SiteMotion* motion;
    const Packed4* v;
    const std::size_t* begin;
    const Index* near;
    const Index* near_count;
    bool damped;
    const LatticeConstants* constants;
    const std::uint16_t* material;
    std::uint16_t* torn = nullptr;  ///< if given, gets the lattice points of each site whose bonds tear

    /// Force on a site, N.
    Vec3f operator()(Index s) const;

    /// U = ¼ k Σᵢ Σⱼ |xⱼᵢ − Rᵢ l|², and ¼ k max(0, D − |xⱼᵢ|)² for those that did not dock, J. `distance`: D,
    /// m.
    double energy(const Device& device, Index sites, double distance) const;

    /// Adds what the forces accelerate rows by.
    void add(const Device& device, const LatticeSites& sites, View<Vec3f> acceleration) const;

private:
    struct Hands;
    Hands hands_of(Index s, Index p) const;
    Vec3f odd_pairs(Index s) const;
    double energy_of(Index s, double distance) const;
};

}  // namespace thixo
