#pragma once

#include <cstdint>
#include <vector>

#include "core/launch.h"
#include "core/vec.h"
#include "sph/cell_grid.h"
#include "surface/row_ranges.h"

namespace thixo {

/// The liquid particles of a saved frame.
struct LiquidFrame {
    std::vector<std::uint32_t> id;
    std::vector<Vec3f> position, velocity;
    std::vector<float> radius;  ///< m, half the spacing
};

/// The liquid at the fraction u of the time between two frames that are `seconds` apart: positions by cubic
/// Hermite interpolation, which has the velocities of both frames; velocities are its derivative. A particle
/// that the second frame lacks goes on at its velocity. One that the first lacks is not there yet.
LiquidFrame between(const Device& device, const LiquidFrame& from, const LiquidFrame& to, double seconds,
                    double u);

/// Liquid particles that can be found by place.
class Liquid {
public:
    Liquid(const Device& device, LiquidFrame frame, int dimensions);

    const LiquidFrame& rows() const { return frame_; }  ///< in the order of cells
    int dimensions() const { return dimensions_; }
    Index size() const { return static_cast<Index>(frame_.id.size()); }

    /// Support radius of two spacings, m.
    float support(Index j) const { return 4 * frame_.radius[j]; }

    /// Neighbours of a particle with a full neighbourhood: the volume of its support, in spacings.
    double full_neighbourhood() const;

    /// visit(j, x − xⱼ, distance) for all rows whose support contains x, in a fixed order.
    template <class Visit>
    void for_each_near(const Vec3f& x, const Visit& visit) const {
        thread_local std::vector<RowRange> ranges;
        const Vec3d at = to_double(x);
        find_ranges(
            grid_, at, at, [&](std::size_t l) { return grid_.levels()[l].reach; }, ranges);
        for (const auto [begin, end] : ranges)
            for (Index j = begin; j < end; ++j) {
                const Vec3f d = x - frame_.position[j];
                const float r2 = norm2(d), h = support(j);
                if (r2 < h * h) visit(j, d, std::sqrt(r2));
            }
    }

private:
    LiquidFrame frame_;
    int dimensions_;
    CellGrid grid_;
};

}  // namespace thixo
