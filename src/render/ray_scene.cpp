#include "render/ray_scene.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <variant>

#include "core/error.h"

namespace thixo {
namespace {

const Rgb matte_grey{0.42f, 0.43f, 0.45f};

RTCDevice open_device(int threads) {
    RTCDevice device = rtcNewDevice(fmt::format("threads={}", threads).c_str());
    if (device == nullptr) throw RunError("the ray tracer (Embree) does not start on this machine");
    return device;
}

RTCRay embree_ray(const Ray& ray) {
    RTCRay r;
    r.org_x = ray.origin.x, r.org_y = ray.origin.y, r.org_z = ray.origin.z;
    r.dir_x = ray.direction.x, r.dir_y = ray.direction.y, r.dir_z = ray.direction.z;
    r.tnear = 0, r.tfar = no_hit, r.time = 0;
    r.mask = ~0u, r.id = 0, r.flags = 0;
    return r;
}

RTCRayHit embree_hit(const Ray& ray) {
    RTCRayHit query;
    query.ray = embree_ray(ray);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    return query;
}

/// Embree reads 16 bytes from the last element on, whatever its size.
std::vector<float> packed(View<const Vec3f> position, View<const float> radius) {
    std::vector<float> points;
    points.reserve(4 * position.size() + 4);
    for (std::size_t i = 0; i < position.size(); ++i) {
        // A particle that has no place has no picture either; radius 0 keeps the numbering.
        const bool shown = is_finite(position[i]) && std::isfinite(radius[i]);
        const Vec3f x = shown ? position[i] : Vec3f{};
        points.insert(points.end(), {x.x, x.y, x.z, shown ? radius[i] : 0.0f});
    }
    return points;
}

}  // namespace

RayScene::RayScene(const RenderScene& scene, int threads)
    : particles_(packed(scene.particles.position, scene.particles.radius)),
      lift_(static_cast<float>(1e-5 * norm(scene.stage.size()))),
      device_(open_device(threads)),
      scene_(rtcNewScene(device_.get())) {
    colours_.reserve(scene.particles.value.size());
    for (const float value : scene.particles.value) colours_.push_back(scene.colours(value));

    std::vector<Box> boxes;
    for (const RenderObstacle& obstacle : scene.obstacles) {
        if (obstacle.inside || scene.dimensions == 2) continue;
        if (const auto* box = std::get_if<Box>(&obstacle.shape.kind)) boxes.push_back(*box);
        if (const auto* sphere = std::get_if<Sphere>(&obstacle.shape.kind)) {
            const Vec3f c = to_float(sphere->center);
            spheres_.insert(spheres_.end(), {c.x, c.y, c.z, static_cast<float>(sphere->radius)});
        }
    }
    rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_LOW);
    add_points(particles_id, particles_);
    add_points(spheres_id, spheres_);
    add_boxes(boxes_id, boxes);
    rtcCommitScene(scene_.get());
    if (rtcGetDeviceError(device_.get()) != RTC_ERROR_NONE) {
        throw RunError("the ray tracer (Embree) could not hold the scene; is there enough memory?");
    }
}

void RayScene::add_points(unsigned geometry_id, const std::vector<float>& points) {
    if (points.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, points.data(), 0,
                               4 * sizeof(float), points.size() / 4);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_.get(), geometry, geometry_id);
    rtcReleaseGeometry(geometry);
}

void RayScene::add_boxes(unsigned geometry_id, const std::vector<Box>& boxes) {
    if (boxes.empty()) return;
    // Corner number: bit 0 is x, bit 1 is y, bit 2 is z. Counter-clockwise seen from outside.
    static constexpr unsigned faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_QUAD);
    auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), 8 * boxes.size()));
    auto* index = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4, 4 * sizeof(unsigned), 6 * boxes.size()));
    for (unsigned b = 0; b < boxes.size(); ++b) {
        const Vec3f low = to_float(boxes[b].min), high = to_float(boxes[b].max);
        for (unsigned corner = 0; corner < 8; ++corner) {
            *vertex++ = corner & 1 ? high.x : low.x;
            *vertex++ = corner & 2 ? high.y : low.y;
            *vertex++ = corner & 4 ? high.z : low.z;
        }
        for (const auto& face : faces) {
            for (const unsigned corner : face) *index++ = 8 * b + corner;
        }
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_.get(), geometry, geometry_id);
    rtcReleaseGeometry(geometry);
}

Hit RayScene::closest(const Ray& ray, bool coherent) const {
    RTCRayHit query = embree_hit(ray);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    if (coherent) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect1(scene_.get(), &context, &query);

    Hit hit;
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
    hit.distance = query.ray.tfar;
    hit.normal = normalized(Vec3f{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
    hit.particle = query.hit.geomID == particles_id;
    hit.albedo = hit.particle ? colours_[query.hit.primID] : matte_grey;
    if (query.hit.geomID == boxes_id) {
        hit.point = ray.origin + ray.direction * hit.distance;
        hit.lift = lift_;
    } else {
        // From the centre rather than along the ray: far from the camera the distance is too coarse, and
        // a point that sank below the surface would shadow itself.
        const float* p = (hit.particle ? particles_ : spheres_).data() + std::size_t{4} * query.hit.primID;
        hit.point = Vec3f{p[0], p[1], p[2]} + hit.normal * p[3];
        hit.lift = 1e-3f * p[3];
    }
    return hit;
}

bool RayScene::occluded(const Ray& ray) const {
    RTCRay query = embree_ray(ray);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene_.get(), &context, &query);
    return query.tfar < 0;
}

const Rgb* RayScene::met(const Ray& ray) const {
    RTCRayHit query = embree_hit(ray);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene_.get(), &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return nullptr;
    return query.hit.geomID == particles_id ? &colours_[query.hit.primID] : &matte_grey;
}

}  // namespace thixo
