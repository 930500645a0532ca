#pragma once

#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "core/simd.h"
#include "lattice/docked.h"
#include "lattice/lattice_points.h"
#include "lattice/lattice_sites.h"

namespace thixo {

/// What the neighbourhood of a site exerts on those that are docked on it, when it is displaced: ½k' (u − uⱼ)
/// + B l at the lattice point −l.
struct alignas(64) LatticeAnswer {
    Packed4 displacement;  ///< u; w: ½k'
    Packed4 x, y, z;       ///< rows of B, N
};

/// A pair that is not docked both ways.
struct OddBond {
    Index other;
    Index
        point;  ///< opposite the lattice point of the other one at which this one is docked; or beyond all of them
    Vec3f push;  ///< √c n: of the repulsion −c n nᵀ
};

/// The second pass of `LatticeStiffness::respond`: the force on each site.
struct LatticeResponseForces {
    LatticePoints points;
    const Index*
        back;  ///< the sites that each has at its lattice points and that have it at the opposite ones, in whole lanes
    const LatticeAnswer* answers;
    const Vec3f* forward;  ///< what its own neighbourhood exerts on it, N
    const Index* odd_begin;
    const OddBond* odd;
    float repulsion;

    Vec3f force(Index s) const;
};

/// The change of the forces of lattice solids by small displacements u, −(a K + b C) u, with the lattice
/// points as they are and the rotations following the displacements (docs/theory/lattice.md, "Implicit
/// steps"):
///
///     U = ½ Σᵢ (½kᵢ Σⱼ |uⱼᵢ − ωᵢ × rᵢⱼ|² + cᵢ (Σⱼ rᵢⱼ·uⱼᵢ)²) + ½ Σ c (n·uⱼᵢ)²,   rᵢⱼ = Rᵢ lᵢⱼ,   ωᵢ = Jᵢ⁺ Σⱼ rᵢⱼ × uⱼᵢ,   Jᵢ = Σⱼ (|r|² I − r rᵀ)
///
/// symmetric and never negative. The second term stands for the pressure that keeps the volume, whether there
/// is any or not; the last one is the repulsion of those that did not dock. C is τ K without those two, which
/// is no less than the damping.
class LatticeStiffness {
public:
    LatticeStiffness(const LatticePoints& points, int dimensions, double spacing);

    /// What the rest is found from: the lattice points of this step, and who is near.
    struct Inputs {
        const LatticeSites& sites;
        const SiteMotion* motion;
        const std::uint32_t* docked;  ///< in whole lanes
        const std::size_t* near_begin;
        const Index* near;
        const Index* near_count;
        bool damped;
    };
    void prepare(const Device& device, const Inputs& in);

    /// Holds until it is called again. `displacement`: x, y, z of records, by site.
    LatticeResponseForces respond(const Device& device, double a, double b, View<const Packed4> displacement);

    /// The lowest site of each connected component: of those that bonds or repulsion join.
    View<const Index> components() const { return component_; }

    std::size_t bytes() const;

private:
    /// Of eight sites.
    struct Block {
        Quaternion<Lanes> rotation;
        Sym3<Lanes> spin;  ///< J⁺, in the frame of the lattice, in units of D
        Vec3<Lanes> sum;   ///< Σ l
        Lanes stiffness;   ///< k, N/m
        Lanes damping;     ///< β, N s/m
    };
    /// Of a set of lattice points.
    struct Set {
        Sym3f spin;
        Vec3f sum;
    };
    struct Respond;
    void find_odd(const Device& device, const Inputs& in);
    void find_components();

    LatticePoints points_;
    float spacing_, volumetric_;
    std::vector<Set> sets_;

    std::vector<Block> blocks_;
    std::vector<std::uint32_t> docked_;
    std::vector<Index> back_;
    std::vector<Index> odd_count_, odd_begin_;
    std::vector<OddBond> odd_;
    std::vector<Index> component_;
    std::vector<LatticeAnswer> answers_;
    std::vector<Vec3f> forward_;
};

}  // namespace thixo
