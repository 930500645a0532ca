#pragma once

#include <memory>
#include <vector>

#include "core/view.h"
#include "geometry/pose.h"
#include "geometry/shape.h"
#include "geometry/surface_mesh.h"
#include "render/colour_map.h"
#include "render/polygons.h"

namespace thixo {

/// Particle data of a picture: three columns of equal length.
struct RenderParticles {
    View<const Vec3f> position;
    View<const float> radius;
    View<const float> value;      ///< the attribute that chooses the colour
    View<const Rgb> colour = {};  ///< or the colours themselves
};

/// A closed surface in place of the particles; null where there is none.
struct RenderMesh {
    const SurfaceMesh* mesh = nullptr;
    View<const float> value;   ///< of each vertex: the attribute that chooses the colour
    View<const Rgb> colour{};  ///< of each vertex; empty: that of its value
};

struct RenderObstacle {
    Shape shape;
    bool inside = false;  ///< a container: its outline or far side is drawn, so that its contents can be seen
    Pose pose = {};       ///< where the shape is in this frame
    std::shared_ptr<const Polygons> surface = {};  ///< of the shape without the pose; see `prepare`

    SignedDistance distance(const Vec3d& x, int dimensions) const {
        const SignedDistance s = signed_distance(shape, pose.from_world(x), dimensions);
        return {s.distance, pose.rotated(s.gradient)};
    }
    /// Where it is in this frame; infinite if the shape has no end.
    Bounds bounds() const {
        const Bounds box = thixo::bounds(shape);
        return box.has_end() ? moved(box, pose) : box;
    }
};

/// Triangulates obstacles that have no triangles yet. Frames can reuse them; `render` creates missing ones.
void prepare(std::vector<RenderObstacle>& obstacles, const Bounds& stage, int dimensions);

struct RenderScene {
    RenderParticles particles;
    RenderMesh mesh{};
    std::vector<RenderObstacle> obstacles;
    ColourScale colours;
    int dimensions = 3;
    Bounds stage;  ///< sets the scale of the floor, its grid and its fading; the same for all frames
};

}  // namespace thixo
