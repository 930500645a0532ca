#include "render/container_walls.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "render/fresnel.h"

namespace thixo {
namespace {

const Rgb wall_grey{0.42f, 0.43f, 0.45f};

}  // namespace

ContainerWalls::ContainerWalls(const std::vector<RenderObstacle>& obstacles, const Bounds& stage,
                               int threads) {
    for (const RenderObstacle& o : obstacles)
        if (o.inside) containers_.push_back(o);
    prepare(containers_, stage, 3);
    std::erase_if(containers_, [](const RenderObstacle& o) { return !o.surface; });
    if (containers_.empty()) return;
    device_.reset(rtcNewDevice(fmt::format("threads={}", threads).c_str()));
    if (!device_) throw RunError("the ray tracer (Embree) does not start on this machine");
    scene_.reset(rtcNewScene(device_.get()));
    for (std::size_t k = 0; k < containers_.size(); ++k) {
        const Polygons& surface = *containers_[k].surface;
        RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                                   RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                                                   surface.vertices.size()));
        auto* index = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                                     RTC_FORMAT_UINT3, 3 * sizeof(unsigned),
                                                                     surface.triangles.size()));
        for (const Vec3f& local : surface.vertices) {
            const Vec3f x = to_float(containers_[k].pose.to_world(to_double(local)));
            *vertex++ = x.x, *vertex++ = x.y, *vertex++ = x.z;
        }
        for (const auto& triangle : surface.triangles)
            index = std::copy(triangle.begin(), triangle.end(), index);
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene_.get(), geometry, static_cast<unsigned>(k));
        rtcReleaseGeometry(geometry);
    }
    rtcCommitScene(scene_.get());
}

Rgb ContainerWalls::over(const Rgb& light, const Ray& ray, float visible, const Lights& lights) const {
    if (containers_.empty()) return light;
    Rgb front{};
    float clear = 1, start = 0;
    for (int k = 0; k < 6; ++k) {
        RTCRayHit query;
        query.ray.org_x = ray.origin.x, query.ray.org_y = ray.origin.y, query.ray.org_z = ray.origin.z;
        query.ray.dir_x = ray.direction.x, query.ray.dir_y = ray.direction.y,
        query.ray.dir_z = ray.direction.z;
        query.ray.tnear = start, query.ray.tfar = visible, query.ray.time = 0;
        query.ray.mask = ~0u, query.ray.id = 0, query.ray.flags = 0;
        query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene_.get(), &context, &query);
        if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) break;
        const Vec3f point = ray.origin + ray.direction * query.ray.tfar;
        Vec3f n = to_float(containers_[query.hit.geomID].distance(to_double(point), 3).gradient);
        const bool far = dot(n, ray.direction) > 0;
        if (far) n = -n;
        const float cosine = std::clamp(-dot(n, ray.direction), 0.0f, 1.0f);
        const float shine = 0.8f * fresnel(cosine, 1.5f), grey = far ? 0.25f : 0.04f;
        front += (lights.mirrored(reflected(ray.direction, n)) * shine +
                  modulate(wall_grey, lights.open(n)) * grey) *
                 clear;
        clear *= std::max(0.0f, 1 - shine - grey);
        start = query.ray.tfar * 1.0001f + 1e-6f;
    }
    return front + light * clear;
}

}  // namespace thixo
