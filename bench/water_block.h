#pragma once

#include <cmath>
#include <vector>

#include "core/hash.h"
#include "core/vec.h"

namespace thixo {

/// A block of water, twice as long as wide and high, with particles moved at random by a tenth of a spacing.
struct WaterBlock {
    std::vector<Vec3f> position;
    std::vector<float> radius;
};

inline WaterBlock water_block(std::size_t particles) {
    constexpr double spacing = 0.01;
    const auto side = static_cast<std::uint64_t>(std::lround(std::cbrt(static_cast<double>(particles) / 2)));
    WaterBlock block;
    for (std::uint64_t i = 0; i < 2 * side * side * side; ++i) {
        const auto jitter = [&](std::uint64_t k) {
            return 0.2 * (static_cast<double>(mix(3 * i + k) >> 11) * 0x1p-53 - 0.5);
        };
        block.position.push_back(
            to_float(spacing * Vec3d{static_cast<double>(i % (2 * side)) + jitter(0),
                                     static_cast<double>(i / (2 * side) % side) + jitter(1),
                                     static_cast<double>(i / (2 * side * side)) + jitter(2)}));
        block.radius.push_back(static_cast<float>(spacing / 2));
    }
    return block;
}

}  // namespace thixo
