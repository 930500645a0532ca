#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"

namespace thixo {

/// A triangle mesh as it is written to files and drawn: single precision, with normals and attributes of its vertices.
struct SurfaceMesh {
    using Corners = std::array<std::uint32_t, 3>;

    struct Attribute {
        std::string name;
        std::string unit;
        std::vector<float> values;  ///< one per vertex
    };

    std::vector<Vec3f> vertices;     ///< m
    std::vector<Vec3f> normals;      ///< of unit length, outward
    std::vector<Corners> triangles;  ///< counter-clockwise seen from outside
    std::vector<Attribute> attributes;
};

}  // namespace thixo
