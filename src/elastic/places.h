#pragma once

#include "core/eight.h"
#include "core/mat3.h"
#include "core/simd.h"

namespace thixo {

/// Where a particle is: the sum of both. Single precision alone would be a strain of 10⁻⁷ next to the origin,
/// of 10⁻⁴ far away.
struct alignas(32) Place {
    Packed4 high, low;

    Vec3d x() const { return {double{high.x} + low.x, double{high.y} + low.y, double{high.z} + low.z}; }
};

/// Differences of eight places to one, as sums of two.
struct Away {
    Vec3<Lanes> high, low;

    Vec3<Lanes> x() const { return high + low; }
};

/// x − A X. Fused operations round what is left of x rather than A X, and `low` comes in where little is
/// left.
inline Vec3<Lanes> deviation(const Away& x, const Mat3f& a, const Vec3<Lanes>& X) {
    const auto row = [&](Lanes high, const Vec3f& r, Lanes low) {
        return (((high - r.x * X.x) - r.y * X.y) - r.z * X.z) + low;
    };
    return {row(x.high.x, a.x, x.low.x), row(x.high.y, a.y, x.low.y), row(x.high.z, a.z, x.low.z)};
}

/// The places of all indices.
struct Places {
    const Place* of;

    /// What gives xⱼ − xᵢ of eight neighbours j.
    auto around(Index i) const {
        return [records = &of->high, high = spread(of[i].high), low = spread(of[i].low)](const Index* rows) {
            return Away{gather<2>(records, rows).xyz - high, gather<2>(records + 1, rows).xyz - low};
        };
    }
};

}  // namespace thixo
