#include "render/ray_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <variant>

#include "core/error.h"
#include "render/corner_normals.h"

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

/// A normal that points along the ray belongs to an exit.
void drop_front_faces(const RTCFilterFunctionNArguments* arguments) {
    for (unsigned i = 0; i < arguments->N; ++i) {
        const auto along = [&](auto normal, auto direction) {
            return normal(arguments->hit, arguments->N, i) * direction(arguments->ray, arguments->N, i);
        };
        if (along(RTCHitN_Ng_x, RTCRayN_dir_x) + along(RTCHitN_Ng_y, RTCRayN_dir_y) +
                along(RTCHitN_Ng_z, RTCRayN_dir_z) <
            0)
            arguments->valid[i] = 0;
    }
}

/// A solid ball, which Embree draws as such.
const Sphere* ball_of(const RenderObstacle& obstacle) {
    return obstacle.inside ? nullptr : std::get_if<Sphere>(&obstacle.shape.kind);
}

/// Planes are sheets and balls are balls; of containers boxes and balls are outlines.
bool is_polygonal(const RenderObstacle& obstacle) {
    const ShapeKind& kind = obstacle.shape.kind;
    if (std::holds_alternative<Plane>(kind) || std::holds_alternative<Sphere>(kind)) return false;
    return !(obstacle.inside && std::holds_alternative<Box>(kind));
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

void prepare(std::vector<RenderObstacle>& obstacles, const Bounds& stage, int dimensions) {
    for (RenderObstacle& obstacle : obstacles)
        if (dimensions == 3 && !obstacle.surface && is_polygonal(obstacle))
            obstacle.surface = std::make_shared<const Polygons>(
                polygons_of(obstacle.shape, moved_back(stage, obstacle.pose)));
}

RayScene::RayScene(const RenderScene& scene, int threads)
    : particles_(packed(scene.particles.position, scene.particles.radius)),
      mesh_(scene.mesh.mesh),
      lift_(static_cast<float>(1e-5 * norm(scene.stage.size()))),
      device_(open_device(threads)),
      scene_(rtcNewScene(device_.get())),
      containers_(rtcNewScene(device_.get())) {
    colours_.reserve(scene.particles.value.size());
    for (const float value : scene.particles.value) colours_.push_back(scene.colours(value));
    if (!scene.particles.colour.empty())
        colours_.assign(scene.particles.colour.begin(), scene.particles.colour.end());

    mesh_colours_.reserve(scene.mesh.value.size());
    if (scene.mesh.colour.empty())
        for (const float value : scene.mesh.value) mesh_colours_.push_back(scene.colours(value));
    else
        mesh_colours_.assign(scene.mesh.colour.begin(), scene.mesh.colour.end());

    std::vector<RenderObstacle> obstacles = scene.obstacles;
    prepare(obstacles, scene.stage, scene.dimensions);
    for (RenderObstacle& obstacle : obstacles) {
        if (const Sphere* sphere = ball_of(obstacle); sphere && scene.dimensions == 3) {
            const Placement& place = obstacle.shape.placement;
            const Vec3f c = to_float(obstacle.pose.to_world(place.to_world(sphere->center)));
            spheres_.insert(spheres_.end(),
                            {c.x, c.y, c.z, static_cast<float>(place.scale * sphere->radius)});
        }
        if (obstacle.surface) surfaces_.push_back(std::move(obstacle));
    }
    rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_LOW);
    add_points(particles_id, particles_);
    add_points(spheres_id, spheres_);
    add_mesh();
    for (const RenderObstacle& obstacle : surfaces_) add_surface(obstacle);
    rtcCommitScene(scene_.get());
    rtcCommitScene(containers_.get());
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

void RayScene::add_mesh() {
    if (!mesh_ || mesh_->triangles.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), mesh_->vertices.size()));
    auto* index = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), mesh_->triangles.size()));
    for (const Vec3f& x : mesh_->vertices) *vertex++ = x.x, *vertex++ = x.y, *vertex++ = x.z;
    for (const auto& triangle : mesh_->triangles) index = std::copy(triangle.begin(), triangle.end(), index);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_.get(), geometry, mesh_id);
    rtcReleaseGeometry(geometry);
}

/// Normals and colours of the corners, blended.
Hit RayScene::mesh_hit(const Ray& ray, const RTCRayHit& query) const {
    const SurfaceMesh::Corners& c = mesh_->triangles[query.hit.primID];
    const float v = query.hit.u, w = query.hit.v, u = 1 - v - w;
    Hit hit;
    hit.distance = query.ray.tfar;
    hit.particle = true;
    hit.albedo = u * mesh_colours_[c[0]] + v * mesh_colours_[c[1]] + w * mesh_colours_[c[2]];
    const Vec3f &a = mesh_->vertices[c[0]], &b = mesh_->vertices[c[1]], &d = mesh_->vertices[c[2]];
    hit.point = u * a + v * b + w * d;
    const Vec3f flat = cross(b - a, d - a);
    Vec3f normal = flat;
    if (!mesh_->normals.empty() && norm(flat) > 0) {
        const std::array<Vec3f, 3> corner = corner_normals(*mesh_, query.hit.primID, normalized(flat));
        normal = u * corner[0] + v * corner[1] + w * corner[2];
    }
    // Seen from behind its own triangle a normal would be lit through the matter.
    if (!(dot(normal, ray.direction) < 0) || !(norm(normal) > 0))
        normal = dot(flat, ray.direction) < 0 ? flat : -flat;
    hit.normal = normalized(normal);
    // Off the facets, which bend away from the normals that are blended across them.
    hit.lift = std::max(lift_, 0.05f * std::sqrt(norm(flat)));
    return hit;
}

void RayScene::add_surface(const RenderObstacle& obstacle) {
    const Polygons& surface = *obstacle.surface;
    RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), surface.vertices.size()));
    auto* index =
        static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                       3 * sizeof(unsigned), surface.triangles.size()));
    for (const Vec3f& local : surface.vertices) {
        const Vec3f x = to_float(obstacle.pose.to_world(to_double(local)));
        *vertex++ = x.x, *vertex++ = x.y, *vertex++ = x.z;
    }
    for (const auto& triangle : surface.triangles) index = std::copy(triangle.begin(), triangle.end(), index);
    if (obstacle.inside) rtcSetGeometryIntersectFilterFunction(geometry, drop_front_faces);
    rtcCommitGeometry(geometry);
    const auto number = static_cast<unsigned>(&obstacle - surfaces_.data());
    rtcAttachGeometryByID((obstacle.inside ? containers_ : scene_).get(), geometry,
                          first_surface_id + number);
    rtcReleaseGeometry(geometry);
}

Hit RayScene::surface_hit(const RenderObstacle& obstacle, const Ray& ray, const RTCRayHit& query) const {
    Hit hit;
    hit.distance = query.ray.tfar;
    hit.point = ray.origin + ray.direction * hit.distance;
    // Position from the triangles, normal from the shape: curved surfaces look smooth, edges sharp.
    hit.normal = to_float(obstacle.distance(to_double(hit.point), 3).gradient);
    if (obstacle.inside) hit.normal = -hit.normal;
    hit.lift = std::max(lift_, obstacle.surface->sag);
    hit.albedo = matte_grey;
    return hit;
}

Hit RayScene::closest(const Ray& ray, bool coherent) const {
    RTCRayHit query = embree_hit(ray);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    if (coherent) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect1(scene_.get(), &context, &query);

    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    if (query.hit.geomID >= first_surface_id)
        return surface_hit(surfaces_[query.hit.geomID - first_surface_id], ray, query);
    if (query.hit.geomID == mesh_id) return mesh_hit(ray, query);
    Hit hit;
    hit.distance = query.ray.tfar;
    hit.normal = normalized(Vec3f{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
    hit.particle = query.hit.geomID == particles_id;
    hit.albedo = hit.particle ? colours_[query.hit.primID] : matte_grey;
    // From the centre rather than along the ray: far from the camera the distance is too coarse, and
    // a point that sank below the surface would shadow itself.
    const float* p = (hit.particle ? particles_ : spheres_).data() + std::size_t{4} * query.hit.primID;
    hit.point = Vec3f{p[0], p[1], p[2]} + hit.normal * p[3];
    hit.lift = 1e-3f * p[3];
    return hit;
}

Hit RayScene::far_side(const Ray& ray) const {
    RTCRayHit query = embree_hit(ray);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect1(containers_.get(), &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    return surface_hit(surfaces_[query.hit.geomID - first_surface_id], ray, query);
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
    if (query.hit.geomID == mesh_id) return &mesh_colours_[mesh_->triangles[query.hit.primID][0]];
    return query.hit.geomID == particles_id ? &colours_[query.hit.primID] : &matte_grey;
}

}  // namespace thixo
