#pragma once

#include <memory>
#include <vector>

#include "surface/field.h"

namespace thixo {

/// φ of the particles at any point, m: the field itself, which SurfaceField has at its nodes. For all methods
/// but `active`, whose field is that of `density`.
class FieldPoints {
public:
    FieldPoints(const Device& device, FieldParticles particles, SurfaceMethod method);
    ~FieldPoints();
    FieldPoints(FieldPoints&&) noexcept;

    /// Rows that act on a box; valid for points in it.
    void find(const Vec3d& low, const Vec3d& high, std::vector<Index>& rows) const;
    float value(const std::vector<Index>& rows, const Vec3f& x) const;
    /// Of unit length, outward, by differences over a fiftieth of the smallest radius.
    Vec3f normal(const std::vector<Index>& rows, const Vec3f& x) const;

    const FieldParticles& particles() const;
    float smallest_radius() const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace thixo
