#pragma once

#include <cstdint>
#include <vector>

#include "adapt/sizing.h"
#include "heat/content.h"

namespace thixo {

/// Number of children of a particle with the mass of `count` finest particles: seven [DC99, sec. 4.1], or
/// fewer where not all generations down to the finest can be sevenths; below 2 the particle is of the finest
/// size.
int children_of(float count);

/// Positions of `n` children (2 to 7) relative to their parent, whose radius of equal volume (m) is given:
/// evenly on a circle or sphere, from six (2D) or seven (3D) on with one in the middle. The pattern has the
/// moment of inertia of the parent and is then widened by 1.8 % (n − 1).
std::vector<Vec3d> split_pattern(int n, int dimensions, double radius);

/// Splits rows. The first child replaces its parent, the others are new rows at the end. Mass, momentum,
/// centre of mass, angular momentum, kinetic energy and heat are conserved; densities and temperatures follow
/// the gradients around the parent.
class Splitter {
public:
    Splitter(const Sizing& sizing, const std::vector<Material>& materials, std::uint64_t seed)
        : sizing_(sizing), materials_(materials), heat_(heat_constants(materials)), seed_(seed) {}

    void split(const AdaptState& state, const std::vector<Index>& rows, std::uint64_t step,
               std::uint64_t& next_id) const;

private:
    std::vector<Vec3d> place(const AdaptState& state, Index row, int n, std::uint64_t step) const;
    std::vector<double> spread_heat(const AdaptState& state, Index row,
                                    const std::vector<Vec3d>& offsets) const;

    const Sizing& sizing_;
    const std::vector<Material>& materials_;
    std::vector<HeatConstants> heat_;
    std::uint64_t seed_;
};

/// The nearest number with 16 significant bits, so that sums of few masses are exact in single precision.
float whole_mass(float mass);

}  // namespace thixo
