#pragma once

#include <vector>

#include "core/hash.h"
#include "surface/reconstruct.h"

namespace thixo {

struct Cloud {
    std::vector<Vec3f> position;
    std::vector<float> radius;

    SurfaceParticles view() const { return {position, radius, {}}; }
    void add(const Vec3d& x, double r) {
        position.push_back(to_float(x));
        radius.push_back(static_cast<float>(r));
    }
};

/// The points of a cubic lattice that `inside` holds, `spacing` apart.
template <class Inside>
Cloud lattice(double spacing, double extent, const Inside& inside) {
    Cloud cloud;
    const int n = static_cast<int>(extent / spacing) + 1;
    for (int k = -n; k < n; ++k)
        for (int j = -n; j < n; ++j)
            for (int i = -n; i < n; ++i) {
                const Vec3d x = spacing * Vec3d{i + 0.5, j + 0.5, k + 0.5};
                if (inside(x)) cloud.add(x, spacing / 2);
            }
    return cloud;
}

inline double uniform(std::uint64_t seed) { return static_cast<double>(mix(seed) >> 11) * 0x1p-53; }

inline constexpr SurfaceMethod every_method[] = {SurfaceMethod::density, SurfaceMethod::zhu_bridson,
                                                 SurfaceMethod::solenthaler, SurfaceMethod::anisotropic,
                                                 SurfaceMethod::active};

inline constexpr double plenty = 4e9;  // bytes

}  // namespace thixo
