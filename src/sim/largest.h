#pragma once

#include <algorithm>

#include "core/launch.h"
#include "core/vec.h"

namespace thixo {

/// The largest |a|² of the rows. Eight rows at a time have a maximum of their own: a single chain of
/// comparisons would take as long as the processor needs for one after the other, four times longer.
inline float largest_norm2(const Device& device, View<const Vec3f> a) {
    constexpr Index group = 8;
    const auto n = static_cast<Index>(a.size());
    return reduce_max(device, (n + group - 1) / group, 0.f, [=](Index k) {
        float largest = 0;
        for (Index i = group * k; i < std::min(n, group * k + group); ++i)
            largest = largest < norm2(a[i]) ? norm2(a[i]) : largest;
        return largest;
    });
}

}  // namespace thixo
