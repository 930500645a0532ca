#pragma once

#include <vector>

#include "core/view.h"

#include "geometry/shape.h"
#include "render/scene.h"

namespace thixo {

struct Camera {
    Vec3d eye{0, 0, 1};
    Vec3d target{0, 0, 0};
    Vec3d up{0, 1, 0};
    double fov = 30;          ///< vertical, degrees; of a perspective camera
    double height = 1;        ///< m of the world from the bottom to the top of an orthographic picture
    bool perspective = true;  ///< false: parallel rays, as for 2D scenes
};

struct Ray {
    Vec3f origin;
    Vec3f direction;      ///< of unit length
    float time = 0;       ///< 0 … 1 while the shutter is open
    bool coarse = false;  ///< for light on matte surfaces: of fields the cached values will do
};

/// A camera made ready for a picture of given size. Pixel coordinates grow to the right and downwards.
class Lens {
public:
    Lens(const Camera& camera, int width, int height);

    Ray ray(float x, float y) const;
    /// Width of a pixel, in metres, at a distance along the ray.
    float pixel_width(float distance) const { return pixel_ * (perspective_ ? distance : 1.0f); }
    /// Where a point of the world appears (pixels); meaningless behind the camera.
    Vec3f project(const Vec3f& x) const;

    Vec3f right() const { return right_; }
    Vec3f up() const { return up_; }
    Vec3f forward() const { return forward_; }

private:
    Vec3f eye_, right_, up_, forward_;
    float half_width_, half_height_;  // pixels
    float pixel_;                     // m, at distance 1
    bool perspective_;
};

/// Margins of the picture around the subject, as fractions.
struct Margins {
    double left = 0.06, right = 0.06, bottom = 0.07, top = 0.07;
};

/// The part of an obstacle that belongs into the picture of particles in a box: of what reaches much further
/// than they do (a wide floor, a tall tank) only a strip, so that it does not make them small. Empty:
/// nothing.
Bounds shown_part(const RenderObstacle& obstacle, const Bounds& particles);

/// The particles' bounds over a whole movie joined by the shown parts of the obstacles around them.
Bounds stage_bounds(const Bounds& particles, const std::vector<RenderObstacle>& obstacles, int dimensions);

/// 3D: from above, three-quarter view, the longer horizontal side across the picture. 2D: frontal, parallel.
/// In 3D the points fill the picture up to the margins exactly, or the corners of the stage if there are
/// none.
Camera automatic_camera(const Bounds& stage, int dimensions, double aspect, const Margins& margins = {},
                        View<const Vec3d> points = {});

}  // namespace thixo
