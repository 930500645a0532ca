#pragma once

#include <embree3/rtcore.h>

#include <limits>
#include <memory>
#include <vector>

#include "render/camera.h"
#include "render/scene.h"

namespace thixo {

inline constexpr float no_hit = std::numeric_limits<float>::infinity();

/// Hit of a ray with the surface of a particle or of a solid obstacle.
struct Hit {
    float distance = no_hit;
    Vec3f point;
    Vec3f normal;  ///< of unit length, outward
    Rgb albedo;
    float lift = 0;         ///< m to step off the surface before the next ray
    bool particle = false;  ///< or the surface of particles

    explicit operator bool() const { return distance < no_hit; }
};

/// The ray-traced part of a picture: particles, and in 3D the obstacles. Containers cast no shadow and are
/// seen by `far_side` alone.
class RayScene {
public:
    RayScene(const RenderScene& scene, int threads);

    Hit closest(const Ray& ray, bool coherent) const;
    /// Where the ray leaves a container that has no outline; none of it is in front of what it holds.
    Hit far_side(const Ray& ray) const;
    bool occluded(const Ray& ray) const;
    /// Colour at the hit, or null; sufficient for indirect light.
    const Rgb* met(const Ray& ray) const;

private:
    struct Release {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };

    void add_points(unsigned geometry_id, const std::vector<float>& points);
    void add_mesh();
    void add_surface(const RenderObstacle& obstacle);
    Hit mesh_hit(const Ray& ray, const RTCRayHit& query) const;
    Hit surface_hit(const RenderObstacle& obstacle, const Ray& ray, const RTCRayHit& query) const;

    static constexpr unsigned particles_id = 0, spheres_id = 1, mesh_id = 2, first_surface_id = 3;
    std::vector<float> particles_, spheres_;  // x y z radius, in the layout Embree shares
    std::vector<Rgb> colours_;                // of the particles
    const SurfaceMesh* mesh_;                 // or null
    std::vector<Rgb> mesh_colours_;           // of its vertices
    std::vector<RenderObstacle> surfaces_;    // those drawn as triangles, by geometry id − first_surface_id
    float lift_;                              // m, for surfaces without sag
    std::unique_ptr<RTCDeviceTy, Release> device_;
    std::unique_ptr<RTCSceneTy, Release> scene_;       // geometry that occludes and casts shadows
    std::unique_ptr<RTCSceneTy, Release> containers_;  // back faces only
};

}  // namespace thixo
