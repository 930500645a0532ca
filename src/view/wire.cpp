#include "view/wire.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace thixo {

static_assert(std::endian::native == std::endian::little, "messages are written as they lie in memory");

namespace {

struct Head {
    char magic[4] = {'T', 'X', 'F', '1'};
    std::uint32_t count = 0;
    std::uint32_t flags = 0;  ///< 1 categories, 2 playing, 4 ended
    float radius = 0;         ///< m, the largest
    double time = 0;
    double step = 0, frame = 0;
    Vec3f low{}, high{};
    float value_low = 0, value_high = 0;
    std::uint32_t unused[2] = {};
};
static_assert(sizeof(Head) == 80);

struct MeshHead {
    char magic[4] = {'T', 'X', 'M', '1'};
    std::uint32_t vertices = 0, triangles = 0, unused = 0;
    Vec3f low{}, high{};
};
static_assert(sizeof(MeshHead) == 40);

struct Corners {
    Vec3f low, high;

    /// 65535 times the fraction of the way.
    Vec3f scale() const {
        const auto one = [](float a, float b) { return b > a ? 65535.f / (b - a) : 0.f; };
        return {one(low.x, high.x), one(low.y, high.y), one(low.z, high.z)};
    }
};

Corners corners_of(const Device& device, View<const Vec3f> x) {
    const auto n = static_cast<Index>(x.size());
    if (n == 0) return {};
    constexpr float least = std::numeric_limits<float>::lowest();
    const auto most = [&](const auto& of) { return reduce_max(device, n, least, of); };
    return {{-most([=](Index i) { return -x[i].x; }), -most([=](Index i) { return -x[i].y; }),
             -most([=](Index i) { return -x[i].z; })},
            {most([=](Index i) { return x[i].x; }), most([=](Index i) { return x[i].y; }),
             most([=](Index i) { return x[i].z; })}};
}

std::uint16_t rounded(float fraction) {
    return static_cast<std::uint16_t>(std::lrint(std::clamp(fraction, 0.f, 65535.f)));
}

template <class T>
T* column(std::string& message, std::size_t offset) {
    return reinterpret_cast<T*>(message.data() + offset);
}

}  // namespace

std::string encode_particles(const Device& device, const ShownParticles& p) {
    const auto n = static_cast<Index>(p.position.size());
    Head head;
    head.count = n;
    head.flags = (p.categories ? 1u : 0u) | (p.playing ? 2u : 0u) | (p.ended ? 4u : 0u);
    head.time = p.time;
    head.step = static_cast<double>(p.step);
    head.frame = static_cast<double>(p.frame);
    for (const float r : p.radius) head.radius = std::max(head.radius, r);
    const Corners box = corners_of(device, p.position);
    head.low = box.low, head.high = box.high;
    constexpr float least = std::numeric_limits<float>::lowest();
    const View<const float> value(p.value);
    if (n > 0) {
        head.value_high = reduce_max(device, n, least, [=](Index i) { return value[i]; });
        head.value_low = -reduce_max(device, n, least, [=](Index i) { return -value[i]; });
    }
    std::string message(sizeof head + 10 * std::size_t{n}, '\0');
    std::memcpy(message.data(), &head, sizeof head);
    auto* places = column<std::uint16_t>(message, sizeof head);
    auto* values = places + 3 * std::size_t{n};
    auto* kinds = column<std::uint8_t>(message, sizeof head + 8 * std::size_t{n});
    auto* sizes = kinds + n;
    const float span = head.value_high - head.value_low, to_value = span > 0 ? 65535 / span : 0;
    launch(
        device, n,
        [=, x = p.position, low = box.low, scale = box.scale(), lowest = head.value_low,
         categories = p.categories, kind = View<const std::uint8_t>(p.kind),
         radius = View<const float>(p.radius), to_size = head.radius > 0 ? 255 / head.radius : 0](Index i) {
            places[3 * i] = rounded((x[i].x - low.x) * scale.x);
            places[3 * i + 1] = rounded((x[i].y - low.y) * scale.y);
            places[3 * i + 2] = rounded((x[i].z - low.z) * scale.z);
            values[i] = rounded(categories ? value[i] : (value[i] - lowest) * to_value);
            kinds[i] = kind[i];
            sizes[i] = static_cast<std::uint8_t>(std::lrint(radius[radius.size() == 1 ? 0 : i] * to_size));
        });
    return message;
}

std::string encode_mesh(const SurfaceMesh& mesh) {
    MeshHead head;
    head.vertices = static_cast<std::uint32_t>(mesh.vertices.size());
    head.triangles = static_cast<std::uint32_t>(mesh.triangles.size());
    const Corners box = corners_of(Device{1}, mesh.vertices);
    head.low = box.low, head.high = box.high;
    const std::size_t places = sizeof head, normals = places + 8 * mesh.vertices.size(),
                      triangles = normals + 4 * mesh.vertices.size();
    std::string message(triangles + 12 * mesh.triangles.size(), '\0');
    std::memcpy(message.data(), &head, sizeof head);
    auto* place = column<std::uint16_t>(message, places);
    auto* normal = column<std::int8_t>(message, normals);
    const Vec3f scale = box.scale();
    for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
        const Vec3f x = mesh.vertices[k] - box.low;
        place[4 * k] = rounded(x.x * scale.x);
        place[4 * k + 1] = rounded(x.y * scale.y);
        place[4 * k + 2] = rounded(x.z * scale.z);
        if (mesh.normals.size() != mesh.vertices.size()) continue;
        const Vec3f n = 127.f * mesh.normals[k];
        normal[4 * k] = static_cast<std::int8_t>(n.x);
        normal[4 * k + 1] = static_cast<std::int8_t>(n.y);
        normal[4 * k + 2] = static_cast<std::int8_t>(n.z);
    }
    if (!mesh.triangles.empty())
        std::memcpy(message.data() + triangles, mesh.triangles.data(), 12 * mesh.triangles.size());
    return message;
}

}  // namespace thixo
