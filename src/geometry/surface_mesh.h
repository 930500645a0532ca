#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"

namespace thixo {

/// What a triangle of a surface belongs to.
enum class SurfacePart : std::uint8_t {
    skin,   ///< a mesh that particles carry
    crack,  ///< where a skin was cut and closed
    liquid  ///< the surface of particles themselves
};

/// A triangle mesh as it is written to files and drawn: single precision, with normals and attributes of its
/// vertices.
struct SurfaceMesh {
    using Corners = std::array<std::uint32_t, 3>;
    using Ends = std::array<std::uint32_t, 2>;

    struct Attribute {
        std::string name;
        std::string unit;
        std::vector<float> values;  ///< one per vertex
    };

    std::vector<Vec3f> vertices;     ///< m
    std::vector<Vec3f> normals;      ///< of unit length, outward
    std::vector<Corners> triangles;  ///< counter-clockwise seen from outside
    std::vector<Ends> edges;         ///< of outlines in 2D: the inside is to their left
    std::vector<Attribute> attributes;

    // Of meshes with skins; all empty otherwise.
    using TextureCorners = std::array<std::array<float, 2>, 3>;
    static constexpr std::uint8_t no_texture = 255;
    std::vector<SurfacePart> part;             ///< of each triangle
    std::vector<TextureCorners> texture;       ///< (u, v) at the corners of each triangle, v upwards
    std::vector<std::uint8_t> texture_number;  ///< of each triangle: which of the textures, or `no_texture`
    std::vector<std::string> textures;         ///< files of pictures

    bool has_parts() const { return !part.empty(); }
};

/// Adds the other mesh. Attributes that only one of them has are dropped; if one has parts, triangles of the
/// other are `liquid`.
void append(SurfaceMesh& mesh, const SurfaceMesh& other);

}  // namespace thixo
