#pragma once

#include <cstdint>
#include <vector>

#include "adapt/sizing.h"
#include "heat/content.h"

namespace thixo {

/// How many a particle that stands for `count` of the finest is divided into: seven [DC99, sec. 4.1], or fewer where not all
/// generations down to the finest can be sevenths; below 2: it is as fine as can be.
int children_of(float count);

/// Where `n` children (2 to 7) lie around their parent, whose radius of equal volume (m) is given: evenly on a circle or sphere,
/// from six (2D) or seven (3D) on with one in the middle. They have the moment of inertia of the parent, and are then moved apart by some
/// percents.
std::vector<Vec3d> split_pattern(int n, int dimensions, double radius);

/// Divides rows; children are new rows behind the last, but for the first, which takes the place of its parent. Mass, momentum,
/// centre of mass, angular momentum, kinetic energy and heat are those of the parent; densities and temperatures follow the slopes
/// around it.
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

/// Masses that are sums of few others must be exact in single precision: the nearest number of 16 bits.
float whole_mass(float mass);

}  // namespace thixo
