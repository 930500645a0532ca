#pragma once

#include "core/launch.h"
#include "core/mat3.h"
#include "core/simd.h"

namespace thixo {

// Helpers for passes that process eight items at once, one per SIMD lane.

inline constexpr Index whole_blocks(Index n) { return (n + lane_count - 1) / lane_count * lane_count; }

/// Calls body(first) for every eight of n. Threads get as many at a time as they get rows elsewhere.
template <Index grain = launch_grain, class Body>
void launch_blocks(const Device& device, Index n, const Body& body) {
    static_assert(grain % lane_count == 0 && std::is_trivially_copyable_v<Body>);
    for_each_block<grain>(device, n, [&](Index begin, Index end, std::size_t) {
        for (Index i = begin; i < end; i += lane_count) body(i);
    });
}

/// One of eight matrices.
inline Mat3f lane(const Mat3<Lanes>& a, Index l) {
    return {{a.x.x[l], a.x.y[l], a.x.z[l]}, {a.y.x[l], a.y.y[l], a.y.z[l]}, {a.z.x[l], a.z.y[l], a.z.z[l]}};
}

inline void set_lane(Mat3<Lanes>& to, Index l, const Mat3f& from) {
    for (int k = 0; k < 9; ++k) (&to.x.x)[k][l] = (&from.x.x)[k];
}

inline Mat3<Lanes> spread(const Mat3f& a) { return {spread(a.x), spread(a.y), spread(a.z)}; }
inline Vec3<Lanes> spread(const Packed4& a) { return spread(Vec3f{a.x, a.y, a.z}); }

template <class T>
Vec3<T> select(LaneMask mask, const Vec3<T>& a, const Vec3<T>& b) {
    return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}
template <class T>
Mat3<T> select(LaneMask mask, const Mat3<T>& a, const Mat3<T>& b) {
    return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

/// Sums for each of eight, before their lanes are added up. T is made of lanes alone.
template <class T>
class EightSums {
public:
    void set(Index l, const T& a) {
        const auto* from = reinterpret_cast<const Lanes*>(&a);
        for (Index k = 0; k < size; ++k) lanes_[k][l] = from[k];
    }

    /// Lane l is the sum that was set there.
    T sums() const {
        T out;
        auto* to = reinterpret_cast<Lanes*>(&out);
        for (Index k = 0; k < size; ++k) to[k] = sum_each(lanes_[k]);
        return out;
    }

private:
    static constexpr Index size = sizeof(T) / sizeof(Lanes);
    static_assert(size * sizeof(Lanes) == sizeof(T));
    Lanes lanes_[size][lane_count] = {};
};

}  // namespace thixo
