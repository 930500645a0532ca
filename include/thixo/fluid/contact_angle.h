#pragma once

#include <string>

namespace thixo {

/// How a liquid wets a solid. Pairs that are not listed do not adhere.
struct ContactAngle {
    std::string liquid = {};  ///< material
    std::string solid = {};   ///< material of solids made of particles, or an obstacle
    double angle = 60;        ///< degrees, measured in the liquid
};

}  // namespace thixo
