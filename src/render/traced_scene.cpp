#include "render/traced_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "core/error.h"
#include "render/corner_normals.h"

namespace thixo {
namespace {

RTCRay embree_ray(const Ray& ray, float far) {
    RTCRay r;
    r.org_x = ray.origin.x, r.org_y = ray.origin.y, r.org_z = ray.origin.z;
    r.dir_x = ray.direction.x, r.dir_y = ray.direction.y, r.dir_z = ray.direction.z;
    r.tnear = 0, r.tfar = far, r.time = ray.time;
    r.mask = ~0u, r.id = ray.coarse ? 1 : 0, r.flags = 0;
    return r;
}

void put(float*& to, const Vec3f& x) { *to++ = x.x, *to++ = x.y, *to++ = x.z; }

template <class Triangles>
void add_triangles(RTCGeometry geometry, const Triangles& triangles) {
    auto* index = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), triangles.size()));
    for (const auto& triangle : triangles) index = std::copy(triangle.begin(), triangle.end(), index);
}

float* new_vertices(RTCGeometry geometry, unsigned slot, std::size_t count) {
    return static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, slot,
                                                       RTC_FORMAT_FLOAT3, 3 * sizeof(float), count));
}

void brick_bounds(const RTCBoundsFunctionArguments* arguments) {
    const Bounds box = static_cast<const TracedField*>(arguments->geometryUserPtr)->bounds(arguments->primID);
    RTCBounds& out = *arguments->bounds_o;
    out.lower_x = static_cast<float>(box.min.x), out.upper_x = static_cast<float>(box.max.x);
    out.lower_y = static_cast<float>(box.min.y), out.upper_y = static_cast<float>(box.max.y);
    out.lower_z = static_cast<float>(box.min.z), out.upper_z = static_cast<float>(box.max.z);
}

void hide_behind_brick(const RTCOccludedFunctionNArguments* arguments) {
    if (!arguments->valid[0]) return;
    auto& ray = *reinterpret_cast<RTCRay*>(arguments->ray);
    const auto& field = *static_cast<const TracedField*>(arguments->geometryUserPtr);
    float distance = 0;
    if (field.meet(arguments->primID,
                   {{ray.org_x, ray.org_y, ray.org_z}, {ray.dir_x, ray.dir_y, ray.dir_z}, 0, true}, ray.tnear,
                   ray.tfar, distance))
        ray.tfar = -std::numeric_limits<float>::infinity();
}

/// Single rays alone are sent.
void meet_brick(const RTCIntersectFunctionNArguments* arguments) {
    if (!arguments->valid[0]) return;
    auto& query = *reinterpret_cast<RTCRayHit*>(arguments->rayhit);
    const auto& field = *static_cast<const TracedField*>(arguments->geometryUserPtr);
    const Ray ray{{query.ray.org_x, query.ray.org_y, query.ray.org_z},
                  {query.ray.dir_x, query.ray.dir_y, query.ray.dir_z},
                  0,
                  query.ray.id == 1};
    float distance = 0;
    if (!field.meet(arguments->primID, ray, query.ray.tnear, query.ray.tfar, distance)) return;
    query.ray.tfar = distance;
    query.hit.u = query.hit.v = 0;
    query.hit.Ng_x = 0, query.hit.Ng_y = 1, query.hit.Ng_z = 0;  // found later, for the nearest hit alone
    query.hit.primID = arguments->primID;
    query.hit.geomID = arguments->geomID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
}

}  // namespace

TracedScene::TracedScene(const std::vector<TracedSurface>& surfaces,
                         const std::vector<TracedObstacle>& obstacles, const Bounds& stage, int threads)
    : surfaces_(&surfaces),
      lift_(static_cast<float>(1e-5 * norm(stage.size()))),
      device_(rtcNewDevice(fmt::format("threads={}", threads).c_str())) {
    if (!device_) throw RunError("the ray tracer (Embree) does not start on this machine");
    scene_.reset(rtcNewScene(device_.get()));
    rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_MEDIUM);
    rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
    for (const TracedSurface& surface : surfaces)
        has_clear_ = has_clear_ || (surface.field ? surface.field->has_clear()
                                                  : !surface.optics.empty() && surface.optics.front().clear);
    unsigned id = 0;
    for (const TracedSurface& surface : surfaces) add(surface, id++);
    // Planes are sheets, and containers are seen through.
    for (const TracedObstacle& o : obstacles)
        if (!o.obstacle.inside && !std::holds_alternative<Plane>(o.obstacle.shape.kind))
            obstacles_.push_back(o);
    for (const TracedObstacle& o : obstacles_) has_clear_ = has_clear_ || o.optics.clear;
    balls_.resize(obstacles_.size());
    for (TracedObstacle& o : obstacles_) {
        std::vector<RenderObstacle> one{o.obstacle};
        prepare(one, stage, 3);
        o.obstacle = one.front();
        add(o, id++);
    }
    rtcCommitScene(scene_.get());
    if (rtcGetDeviceError(device_.get()) != RTC_ERROR_NONE)
        throw RunError("the ray tracer (Embree) could not hold the scene; is there enough memory?");
}

void TracedScene::add(const TracedSurface& surface, unsigned id) {
    if (surface.field) return add(*surface.field, id);
    if (surface.mesh.triangles.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    const bool moves = !surface.motion.empty();
    if (moves) rtcSetGeometryTimeStepCount(geometry, 2);
    float* vertex = new_vertices(geometry, 0, surface.mesh.vertices.size());
    for (std::size_t v = 0; v < surface.mesh.vertices.size(); ++v)
        put(vertex, moves ? surface.mesh.vertices[v] - surface.motion[v] * 0.5f : surface.mesh.vertices[v]);
    if (moves) {
        vertex = new_vertices(geometry, 1, surface.mesh.vertices.size());
        for (std::size_t v = 0; v < surface.mesh.vertices.size(); ++v)
            put(vertex, surface.mesh.vertices[v] + surface.motion[v] * 0.5f);
    }
    add_triangles(geometry, surface.mesh.triangles);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_.get(), geometry, id);
    rtcReleaseGeometry(geometry);
}

void TracedScene::add(const TracedField& field, unsigned id) {
    RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(field.bricks()));
    rtcSetGeometryUserData(geometry, const_cast<TracedField*>(&field));
    rtcSetGeometryBoundsFunction(geometry, brick_bounds, nullptr);
    rtcSetGeometryOccludedFunction(geometry, hide_behind_brick);
    rtcSetGeometryIntersectFunction(geometry, meet_brick);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_.get(), geometry, id);
    rtcReleaseGeometry(geometry);
}

void TracedScene::add(const TracedObstacle& o, unsigned id) {
    const RenderObstacle& obstacle = o.obstacle;
    RTCGeometry geometry = nullptr;
    if (const auto* sphere = std::get_if<Sphere>(&obstacle.shape.kind)) {
        const Placement& place = obstacle.shape.placement;
        const Vec3f c = to_float(obstacle.pose.to_world(place.to_world(sphere->center)));
        geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT);
        auto* ball = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                                 RTC_FORMAT_FLOAT4, 4 * sizeof(float), 1));
        put(ball, c);
        *ball = static_cast<float>(place.scale * sphere->radius);
        balls_[static_cast<std::size_t>(&o - obstacles_.data())] = {c.x, c.y, c.z, *ball};
    } else if (obstacle.surface) {
        geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
        float* vertex = new_vertices(geometry, 0, obstacle.surface->vertices.size());
        for (const Vec3f& local : obstacle.surface->vertices)
            put(vertex, to_float(obstacle.pose.to_world(to_double(local))));
        add_triangles(geometry, obstacle.surface->triangles);
    } else {
        return;
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_.get(), geometry, id);
    rtcReleaseGeometry(geometry);
}

bool TracedScene::blocked(const Ray& ray) const {
    RTCRay query = embree_ray(ray, std::numeric_limits<float>::infinity());
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene_.get(), &context, &query);
    return query.tfar < 0;
}

TracedHit TracedScene::closest(const Ray& ray, float far) const {
    RTCRayHit query;
    query.ray = embree_ray(ray, far);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene_.get(), &context, &query);
    TracedHit hit;
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
    hit.distance = query.ray.tfar;
    hit.point = ray.origin + ray.direction * hit.distance;
    hit.normal = normalized(Vec3f{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
    hit.smooth = hit.normal;
    hit.surface = query.hit.geomID;
    hit.step = lift_;
    if (hit.surface < surfaces_->size())
        fill_surface_hit(query, hit);
    else
        fill_obstacle_hit(query, hit);
    return hit;
}

namespace {

/// The texture of a skin in place of the colour. Crack faces are rough.
void paint_part(const TracedSurface& s, std::uint32_t triangle, float u, float v, float w, Optics& optics) {
    if (s.mesh.part[triangle] == SurfacePart::crack) optics.roughness = std::max(optics.roughness, 0.6f);
    const std::size_t number = s.mesh.texture_number[triangle];
    if (number >= s.textures.size() || !s.textures[number]) return;
    const SurfaceMesh::TextureCorners& t = s.mesh.texture[triangle];
    optics.colour = s.textures[number]->at(u * t[0][0] + v * t[1][0] + w * t[2][0],
                                           u * t[0][1] + v * t[1][1] + w * t[2][1]);
}

}  // namespace

void TracedScene::fill_surface_hit(const RTCRayHit& query, TracedHit& hit) const {
    const TracedSurface& s = (*surfaces_)[hit.surface];
    if (s.field) {
        const TracedField::Surroundings around =
            query.ray.id == 1 ? s.field->coarsely_at(hit.point, query.hit.primID) : s.field->at(hit.point);
        hit.normal = hit.smooth = around.normal;
        hit.optics = around.optics;
        hit.temperature = around.temperature;
        // Coarse rays start off the cached surface too.
        hit.lift = std::max(lift_, s.field->cache_error());
        hit.step = std::max(lift_, 0.02f * s.field->radius());
        return;
    }
    const SurfaceMesh::Corners& c = s.mesh.triangles[query.hit.primID];
    const float v = query.hit.u, w = query.hit.v, u = 1 - v - w;
    if (!s.mesh.normals.empty()) {
        const std::array<Vec3f, 3> corner = corner_normals(s.mesh, query.hit.primID, hit.normal);
        const Vec3f n = u * corner[0] + v * corner[1] + w * corner[2];
        if (dot(n, hit.normal) > 0.05f * norm(n)) hit.smooth = normalized(n);
    }
    const Vec3f &a = s.mesh.vertices[c[0]], &b = s.mesh.vertices[c[1]], &d = s.mesh.vertices[c[2]];
    hit.lift = std::max(lift_, 0.05f * std::sqrt(norm(cross(b - a, d - a))));
    if (s.optics.size() == 1) {
        hit.optics = s.optics.front();
    } else {
        const float vw = v + w;
        const Optics edge = vw > 0 ? blend(s.optics[c[1]], s.optics[c[2]], w / vw) : s.optics[c[1]];
        hit.optics = blend(s.optics[c[0]], edge, vw);
    }
    if (s.mesh.has_parts()) paint_part(s, query.hit.primID, u, v, w, hit.optics);
    if (!s.temperature.empty())
        hit.temperature = u * s.temperature[c[0]] + v * s.temperature[c[1]] + w * s.temperature[c[2]];
}

void TracedScene::fill_obstacle_hit(const RTCRayHit& query, TracedHit& hit) const {
    const std::size_t k = hit.surface - surfaces_->size();
    const TracedObstacle& o = obstacles_[k];
    hit.optics = o.optics;
    if (!balls_[k].empty()) {
        hit.point = Vec3f{balls_[k][0], balls_[k][1], balls_[k][2]} + hit.normal * balls_[k][3];
        hit.smooth = hit.normal;
        hit.lift = std::max(lift_, 1e-3f * balls_[k][3]);
        return;
    }
    (void)query;
    // Position from the triangles, normal from the shape: curved surfaces look smooth, edges sharp.
    const Vec3f n = to_float(o.obstacle.distance(to_double(hit.point), 3).gradient);
    if (dot(n, hit.normal) > 0.05f) hit.smooth = normalized(n);
    hit.lift = std::max(lift_, o.obstacle.surface->sag);
}

}  // namespace thixo
