#pragma once

#include <vector>

#include "render/camera.h"
#include "render/scene.h"

namespace thixo {

/// Hit of a ray with a floor, a wall or, in 2D, the sheet behind the particles.
struct SheetHit {
    std::size_t number;  ///< of the sheet
    float distance;
    Vec3f point;
    Vec3f normal;
    float presence;  ///< 0…1: fades out away from the stage
    float tint;      ///< factor on the background colour: grid lines, solid matter in 2D
};

/// The part of a picture that is computed rather than traced: endless planes, their grid, and outlines a
/// fixed number of pixels wide. All of it is smooth without supersampling.
class Scenery {
public:
    Scenery(const RenderScene& scene, const Lens& lens, int picture_height);

    /// The nearest sheet in front of the ray; its distance is infinite when there is none.
    SheetHit sheet(const Ray& ray) const;
    /// How much of the ray's pixel the outlines of containers cover, as far as nothing nearer hides them.
    float outline(const Ray& ray, float visible) const;
    /// Normal of every sheet, by number.
    std::vector<Vec3f> normals() const;
    bool has_floor() const { return has_floor_; }

private:
    struct Sheet {
        Vec3f point, normal, across, along;
        float tint;
    };
    struct Segment {
        Vec3f from, to;
    };
    void add_sheet(const Vec3d& point, const Vec3d& normal);
    void add_container(const RenderObstacle& obstacle);
    float grid_tint(const Sheet& sheet, const Vec3f& point, float footprint) const;
    float matter_tint(const Vec3f& point, float footprint) const;

    const RenderScene& scene_;
    const Lens& lens_;
    std::vector<Sheet> sheets_;
    std::vector<Segment> edges_;
    std::vector<Sphere> shells_;
    Vec3f centre_;
    float reach_;       // m, radius of the stage
    float grid_;        // m between grid lines
    float line_width_;  // pixels
    bool has_floor_ = false;
};

/// Distance between the floor's grid lines: 1, 2 or 5 times a power of ten, about a tenth of the stage.
double grid_step(const Bounds& stage);

}  // namespace thixo
