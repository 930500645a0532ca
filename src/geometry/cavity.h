#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/bounds.h"
#include "geometry/signed_distance.h"

namespace thixo {

/// The space that a liquid at rest takes up in a vessel of any shape: what is free below the level, and
/// cannot be left below the level.
///
/// Cells of a grid are flooded from outside, sideways and from below. Only cells whose centre keeps half a
/// cell from the vessel pass the flood on, so that it gets through no wall, however thin; passages narrower
/// than a cell count as closed. Near walls the distance to the vessel decides, not the cells.
class Cavity {
public:
    /// Positive where matter may be, with the direction away from the vessel.
    using FreeDistance = std::function<SignedDistance(const Vec3d& x)>;

    /// `vessel`: a box around it, with an end. `level`: y of the surface, m. `cell`: m.
    Cavity(FreeDistance free, const Bounds& vessel, double level, double cell, int dimensions);

    bool empty() const { return bounds_.empty(); }
    const Bounds& bounds() const { return bounds_; }

    /// Of first order near the surface and the vessel, otherwise a lower bound.
    SignedDistance at(const Vec3d& x) const;

private:
    struct Cell {
        int x, y, z;
    };
    Cell cell_of(const Vec3d& x) const;
    Vec3d center_of(const Cell& c) const;
    bool is_in_grid(const Cell& c) const;
    std::size_t number(const Cell& c) const;
    void flood();
    bool can_reach(const Vec3d& x, const Vec3d& center) const;
    bool belongs(const Vec3d& x) const;

    FreeDistance free_;
    double level_, cell_;
    int dimensions_;
    Vec3d origin_;
    int nx_, ny_, nz_;
    std::vector<std::uint8_t> state_;  ///< of each cell: wall, free or flooded from outside
    Bounds bounds_;
};

/// The highest level (m) that a vessel can be filled to, found to a 24th of its height; −∞ if it holds
/// nothing.
double highest_level(const Cavity::FreeDistance& free, const Bounds& vessel, double cell, int dimensions);

}  // namespace thixo
