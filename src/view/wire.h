#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/launch.h"
#include "core/vec.h"
#include "geometry/surface_mesh.h"

namespace thixo {

/// Particles as a page sees them, with what it colours them by.
struct ShownParticles {
    View<const Vec3f> position;
    View<const float> radius;        ///< of each, or of all if it has one entry
    std::vector<float> value;        ///< of each: what is shown in colour
    std::vector<std::uint8_t> kind;  ///< phase, + 4 while a hand or the scene holds it
    bool categories = false;         ///< values are numbers of things, not measurements
    double time = 0;                 ///< s
    std::uint64_t step = 0, frame = 0;
    bool playing = false, ended = false;
};

/// A message of the kind "TXF1", little endian: head of 80 bytes, then columns of all particles,
///
///     x y z    3 × 16 bits   fraction of the way from one corner of the box to the other
///     value    16 bits       the same between the lowest and the highest; for categories the number itself
///     kind     8 bits
///     size     8 bits        radius, in 1/255 of the largest
///
/// 10 bytes a particle. The box is that of the particles: 16 bits are 1/65535 of it. Replaces `message`,
/// whose memory is used again.
void encode_particles(const Device& device, const ShownParticles& particles, std::string& message);

/// A message of the kind "TXM1", little endian: head of 48 bytes, then
///
///     x y z value   4 × 16 bits   as those of particles; the value is one of the range that the particles of the frame have
///     normal, 0     4 × 8 bits    in 1/127
///     corners       3 × 32 bits   of each triangle
///     ends          2 × 32 bits   of each edge of an outline in 2D
///
/// `values`: of each vertex, or empty where the mesh does not have them.
std::string encode_mesh(const SurfaceMesh& mesh, const std::vector<float>& values,
                        const ShownParticles& shown);

}  // namespace thixo
