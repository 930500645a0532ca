#pragma once

#include <vector>

#include "core/launch.h"
#include "geometry/pose.h"
#include "geometry/surface_mesh.h"
#include "surface/surface_particles.h"

namespace thixo {

struct SurfaceField;

/// What a vertex has to do with obstacles.
enum class WallContact : std::uint8_t {
    none,
    wall,   ///< on one, or where two of them meet
    rim,    ///< where the surface of the matter meets one
    corner  ///< where it meets two
};

/// Scenery that surfaces meet flush.
struct SurfaceObstacle {
    Shape shape;
    bool inside = false;  ///< a container: matter is inside the shape
    Pose pose = {};
    int dimensions = 3;

    /// From the obstacle to x, m; the gradient points away from it.
    SignedDistance distance(const Vec3d& x) const {
        const SignedDistance s = signed_distance(shape, pose.from_world(x), dimensions);
        const double side = inside ? -1 : 1;
        return {side * s.distance, side * pose.rotated(s.gradient)};
    }
};

/// The nearest of them. There must be one.
SignedDistance distance_to(const std::vector<SurfaceObstacle>& obstacles, const Vec3d& x);

/// Particles and, behind the walls, their mirror images. Where there are none, the particles themselves:
/// nothing is copied.
struct MirroredParticles {
    SurfaceParticles passed;  ///< what was mirrored
    std::vector<Vec3f> position;
    std::vector<float> radius, volume;
    std::vector<Index> source;  ///< the particle that each one is, or is an image of; empty: each is itself
    Index real = 0;             ///< rows from here on are images

    SurfaceParticles view() const {
        return position.empty() ? passed : SurfaceParticles{position, radius, volume};
    }
    Index source_of(Index row) const { return source.empty() ? row : source[row]; }
};

/// Adds the images of all particles that are near obstacles. A field that is summed over both goes on behind
/// the wall as it is in front of it: its surface meets the wall at a right angle and leaves no gap. In edges
/// and corners images are mirrored again. `particles` must outlive the result.
MirroredParticles mirror(const Device& device, const SurfaceParticles& particles,
                         const std::vector<SurfaceObstacle>& obstacles);

/// Moves vertices that obstacles cut onto them, along the distance's gradient: on the grid a curved wall is
/// only met to (cell)²/8R. What would move farther than `farthest` (m) stays. Sets the normals of those on
/// one wall.
void meet_walls(const Device& device, const std::vector<SurfaceObstacle>& obstacles,
                View<const WallContact> contact, double farthest, SurfaceMesh& mesh);

/// How far that may be, in cells: of what the grid has put beside them, and of rims that were smoothed along
/// chords of a curved wall.
inline constexpr double meet_from_grid = 0.1, meet_from_chord = 0.5;

/// Makes everything behind the obstacles outside.
void clip(const Device& device, const std::vector<SurfaceObstacle>& obstacles, SurfaceField& field);

}  // namespace thixo
