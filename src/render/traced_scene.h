#pragma once

#include <embree3/rtcore.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/optics.h"
#include "render/scene.h"
#include "render/texture.h"
#include "render/traced_field.h"

namespace thixo {

/// A closed surface of matter.
struct TracedSurface {
    std::string name = {};  ///< of what it is made of, for exports
    SurfaceMesh mesh;       ///< or
    std::shared_ptr<const TracedField>
        field;                       ///< no mesh: the field itself, which has its own optics and temperatures
    std::vector<Optics> optics;      ///< one for all, or one for each vertex
    std::vector<float> temperature;  ///< °C, of each vertex; empty: it does not glow
    std::vector<Vec3f> motion;       ///< m, while the shutter is open, of each vertex; empty: at rest
    int priority = 0;                ///< where clear surfaces overlap the highest one counts
    std::vector<std::shared_ptr<const Texture>> textures = {};  ///< by the numbers that the mesh has for them
};

/// An obstacle with its look; containers are not part of what is traced.
struct TracedObstacle {
    RenderObstacle obstacle;
    Optics optics;
};

/// What a ray meets.
struct TracedHit {
    float distance = std::numeric_limits<float>::infinity();
    Vec3f point;
    Vec3f normal;    ///< of the facet, outward
    Vec3f smooth;    ///< blended over the facets, on the side of `normal`
    float lift = 0;  ///< m to step off the surface before the next ray
    float step = 0;  ///< m, the same for rays that cross it
    Optics optics;
    float temperature = -300;  ///< °C
    unsigned surface = ~0u;    ///< number of the surface or obstacle

    explicit operator bool() const { return distance < std::numeric_limits<float>::infinity(); }
};

/// Matter and obstacles as the path tracer sees them.
class TracedScene {
public:
    TracedScene(const std::vector<TracedSurface>& surfaces, const std::vector<TracedObstacle>& obstacles,
                const Bounds& stage, int threads);

    TracedHit closest(const Ray& ray, float far = std::numeric_limits<float>::infinity()) const;

    /// Whether anything is in the way; of use where nothing is clear.
    bool blocked(const Ray& ray) const;
    bool has_clear() const { return has_clear_; }

    int priority(unsigned surface) const {
        return surface < surfaces_->size() ? (*surfaces_)[surface].priority : 0;
    }
    /// m, a length well below what can be seen.
    float small() const { return lift_; }

private:
    struct Release {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };
    void add(const TracedSurface& surface, unsigned id);
    void add(const TracedField& field, unsigned id);
    void add(const TracedObstacle& obstacle, unsigned id);
    void fill_surface_hit(const RTCRayHit& query, TracedHit& hit) const;
    void fill_obstacle_hit(const RTCRayHit& query, TracedHit& hit) const;

    const std::vector<TracedSurface>* surfaces_;
    std::vector<TracedObstacle> obstacles_;
    std::vector<std::vector<float>> balls_;  ///< x y z radius of each obstacle that is one
    float lift_;
    bool has_clear_ = false;
    std::unique_ptr<RTCDeviceTy, Release> device_;
    std::unique_ptr<RTCSceneTy, Release> scene_;
};

}  // namespace thixo
