#pragma once

#include <cstdint>

#include "geometry/shape.h"
#include "render/camera.h"
#include "render/optics.h"
#include "surface/field_points.h"
#include "surface/field_surface.h"

namespace thixo {

/// A surface that rays meet without a mesh [SSP07, sec. 5]: they march the bricks of a cached field from cell
/// to cell, and where it changes its sign the root of the field of the particles itself is found.
class TracedField {
public:
    /// `look`: of each particle that the surface was made of, a number in `looks`; `temperature` (°C) may be
    /// empty.
    TracedField(const Device& device, FieldSurface surface, SurfaceMethod method,
                std::vector<SurfaceObstacle> obstacles, std::vector<std::uint16_t> look,
                std::vector<Optics> looks, std::vector<float> temperature);

    bool has_clear() const;
    std::size_t bricks() const { return block_.size(); }
    Bounds bounds(std::size_t brick) const;
    /// The first root between `near` and `far`; false if there is none in this brick. Coarse rays end at
    /// roots of the cached field.
    bool meet(std::size_t brick, const Ray& ray, float near, float far, float& distance) const;

    /// Of the particles around a point of the surface.
    struct Surroundings {
        Vec3f normal;
        Optics optics;
        float temperature = -300;
    };
    Surroundings at(const Vec3f& x) const;
    /// The same with the normal of the cached field.
    Surroundings coarsely_at(const Vec3f& x, std::size_t brick) const;

    /// φ − level at any point near the surface, m; walls cut it off.
    float value(const Vec3f& x) const;
    float radius() const { return points_.smallest_radius(); }
    /// m that the cached surface may be off: linear interpolation along three axes is wrong by 3/8 h² φ″ at
    /// most, and the field of particles bends no more than a particle does, φ″ = 1/r.
    float cache_error() const {
        const auto h = static_cast<float>(grid_.cell());
        return 0.375f * h * h / radius();
    }

private:
    static constexpr int width = block_width + 1;  ///< nodes of a brick along each axis

    void add_looks(const std::vector<Index>& rows, const Vec3f& x, Surroundings& out) const;
    float exact(const std::vector<Index>& rows, const Vec3f& x, bool at_wall) const;
    bool refine(std::size_t brick, const Ray& ray, float near, float a, float b, float& distance) const;
    const float* brick(std::size_t b) const { return values_.data() + b * width * width * width; }

    FieldPoints points_;
    BlockGrid grid_;
    double level_;
    std::vector<SurfaceObstacle> obstacles_;
    std::vector<std::uint16_t> look_;
    std::vector<Optics> looks_;
    std::vector<float> temperature_;
    std::vector<Index> block_;           ///< of the grid, that each brick is
    std::vector<std::uint8_t> at_wall_;  ///< a wall passes it
    std::vector<float> values_;
};

}  // namespace thixo
