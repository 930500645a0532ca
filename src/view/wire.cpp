#include "view/wire.h"

#include <algorithm>
#include <array>
#include <bit>
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
    std::uint32_t vertices = 0, triangles = 0, edges = 0;
    Vec3f low{}, high{};
    std::uint32_t flags = 0;  ///< 1 categories, 2 there are values
    std::uint32_t unused = 0;
};
static_assert(sizeof(MeshHead) == 48);

// Vectors are read as plain numbers, 24 at a time: a multiple of three and of the numbers that a processor
// takes at once. The simulation waits while a message is made.
static_assert(sizeof(Vec3f) == 3 * sizeof(float));
constexpr std::size_t wire_lanes = 24;
using WireLanes = std::array<float, wire_lanes>;

WireLanes spread_lanes(const Vec3f& v) {
    WireLanes out;
    for (std::size_t k = 0; k < wire_lanes; ++k) out[k] = k % 3 == 0 ? v.x : k % 3 == 1 ? v.y : v.z;
    return out;
}

struct ValueRange {
    float low = std::numeric_limits<float>::max(), high = -low;

    void include(const ValueRange& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
};

/// Ranges of the numbers 0, 3, 6 …, of 1, 4, 7 …, and of 2, 5, 8 …
std::array<ValueRange, 3> ranges_of(const float* from, std::size_t count) {
    WireLanes low = spread_lanes(ValueRange{}.low * Vec3f{1, 1, 1}),
              high = spread_lanes(ValueRange{}.high * Vec3f{1, 1, 1});
    const auto include = [&](const float* numbers, std::size_t here) {
        for (std::size_t k = 0; k < here; ++k) {
            low[k] = numbers[k] < low[k] ? numbers[k] : low[k];
            high[k] = numbers[k] > high[k] ? numbers[k] : high[k];
        }
    };
    std::size_t at = 0;
    for (; at + wire_lanes <= count; at += wire_lanes) include(from + at, wire_lanes);
    include(from + at, count - at);
    std::array<ValueRange, 3> out;
    // Lanes that had no number have no effect: their lowest is above all others, their highest below.
    for (std::size_t k = 0; k < wire_lanes; ++k) out[k % 3].include({low[k], high[k]});
    return out;
}

ValueRange range_of(const float* from, std::size_t count) {
    std::array<ValueRange, 3> parts = ranges_of(from, count);
    parts[0].include(parts[1]);
    parts[0].include(parts[2]);
    return parts[0];
}

/// The box of some places, the range of the values there, and the largest radius.
struct ShownExtent {
    Vec3f low{}, high{};
    float value_low = 0, value_high = 0, radius = 0;
};

/// `radius`: of each place, of all, or none.
ShownExtent extent_of(const Device& device, View<const Vec3f> x, View<const float> value,
                      View<const float> radius) {
    const auto n = static_cast<Index>(x.size());
    if (n == 0) return {};
    struct Part {
        std::array<ValueRange, 3> place;
        ValueRange values, radii;
    };
    std::vector<Part> parts((n + launch_grain - 1) / launch_grain);
    for_each_block<launch_grain>(device, n, [&](Index begin, Index end, std::size_t block) {
        parts[block].place = ranges_of(&x[begin].x, 3 * std::size_t{end - begin});
        if (!value.empty()) parts[block].values = range_of(&value[begin], end - begin);
        if (radius.size() == n) parts[block].radii = range_of(&radius[begin], end - begin);
    });
    std::array<ValueRange, 3> place;
    ValueRange values, radii{0, 0};
    if (radius.size() == 1) radii.high = std::max(radii.high, radius[0]);
    for (const Part& part : parts) {
        for (std::size_t axis = 0; axis < 3; ++axis) place[axis].include(part.place[axis]);
        values.include(part.values);
        radii.include(part.radii);
    }
    if (value.empty()) values = {0, 0};
    return {{place[0].low, place[1].low, place[2].low},
            {place[0].high, place[1].high, place[2].high},
            values.low,
            values.high,
            radii.high};
}

/// From 0 to 65535, to the nearest. What is no number becomes 0.
std::uint16_t quantised(float fraction) {
    fraction = fraction > 0 ? fraction : 0;
    fraction = fraction < 65535 ? fraction : 65535;
    return static_cast<std::uint16_t>(static_cast<std::int32_t>(fraction + 0.5f));
}

/// From numbers between two bounds to 0 … 65535.
struct Quantiser {
    float low = 0, scale = 0;

    Quantiser() = default;
    Quantiser(float from, float to) : low(from), scale(to > from ? 65535 / (to - from) : 0) {}
    std::uint16_t operator()(float a) const { return quantised((a - low) * scale); }
};

/// The same for the coordinates of a box.
struct PlaceQuantiser {
    WireLanes low, scale;

    explicit PlaceQuantiser(const ShownExtent& box)
        : low(spread_lanes(box.low)),
          scale(spread_lanes({Quantiser(box.low.x, box.high.x).scale, Quantiser(box.low.y, box.high.y).scale,
                              Quantiser(box.low.z, box.high.z).scale})) {}
    void operator()(const float* from, std::size_t count, std::uint16_t* to) const {
        for (std::size_t at = 0; at < count; at += wire_lanes) {
            const std::size_t here = std::min(wire_lanes, count - at);
            for (std::size_t k = 0; k < here; ++k) to[at + k] = quantised((from[at + k] - low[k]) * scale[k]);
        }
    }
};

/// Values as pages see them: measurements between bounds, categories as they are.
Quantiser value_quantiser(bool categories, float low, float high) {
    return categories ? Quantiser(0, 65535) : Quantiser(low, high);
}

/// Files may hold what is no normal.
std::int8_t to_normal(float a) { return static_cast<std::int8_t>(a > -1 ? (a < 1 ? 127 * a : 127) : -127); }

template <class T>
T* column(std::string& message, std::size_t offset) {
    return reinterpret_cast<T*>(message.data() + offset);
}

}  // namespace

void encode_particles(const Device& device, const ShownParticles& p, std::string& message) {
    const auto n = static_cast<Index>(p.position.size());
    Head head;
    head.count = n;
    head.flags = (p.categories ? 1u : 0u) | (p.playing ? 2u : 0u) | (p.ended ? 4u : 0u);
    head.time = p.time;
    head.step = static_cast<double>(p.step);
    head.frame = static_cast<double>(p.frame);
    const ShownExtent box = extent_of(device, p.position, p.value, p.radius);
    head.radius = box.radius;
    head.low = box.low, head.high = box.high;
    head.value_low = box.value_low, head.value_high = box.value_high;
    message.resize(sizeof head + 10 * std::size_t{n});
    std::memcpy(message.data(), &head, sizeof head);
    auto* places = column<std::uint16_t>(message, sizeof head);
    auto* values = places + 3 * std::size_t{n};
    auto* kinds = column<std::uint8_t>(message, sizeof head + 8 * std::size_t{n});
    auto* sizes = kinds + n;
    const float to_size = head.radius > 0 ? 255 / head.radius : 0;
    const PlaceQuantiser to_place(box);
    const Quantiser to_value = value_quantiser(p.categories, box.value_low, box.value_high);
    const bool one_size = p.radius.size() == 1;
    for_each_block<launch_grain>(device, n, [&](Index begin, Index end, std::size_t) {
        to_place(&p.position[begin].x, 3 * std::size_t{end - begin}, places + 3 * std::size_t{begin});
        for (Index i = begin; i < end; ++i) values[i] = to_value(p.value[i]);
        for (Index i = begin; i < end; ++i)
            sizes[i] = static_cast<std::uint8_t>(p.radius[one_size ? 0 : i] * to_size + 0.5f);
        std::copy(&p.kind[begin], &p.kind[begin] + (end - begin), kinds + begin);
    });
}

std::string encode_mesh(const SurfaceMesh& mesh, const std::vector<float>& values,
                        const ShownParticles& shown) {
    MeshHead head;
    head.vertices = static_cast<std::uint32_t>(mesh.vertices.size());
    head.triangles = static_cast<std::uint32_t>(mesh.triangles.size());
    head.edges = static_cast<std::uint32_t>(mesh.edges.size());
    const Device device{1};
    const ShownExtent box = extent_of(device, mesh.vertices, {}, {}),
                      range = extent_of(device, shown.position, shown.value, {});
    head.low = box.low, head.high = box.high;
    const bool has_values = values.size() == mesh.vertices.size();
    head.flags = (shown.categories ? 1u : 0u) | (has_values ? 2u : 0u);
    const std::size_t places = sizeof head, normals = places + 8 * mesh.vertices.size(),
                      triangles = normals + 4 * mesh.vertices.size(),
                      edges = triangles + 12 * mesh.triangles.size();
    std::string message(edges + 8 * mesh.edges.size(), '\0');
    std::memcpy(message.data(), &head, sizeof head);
    auto* place = column<std::uint16_t>(message, places);
    auto* normal = column<std::int8_t>(message, normals);
    const PlaceQuantiser to_place(box);
    const Quantiser to_value = value_quantiser(shown.categories, range.value_low, range.value_high);
    for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
        to_place(&mesh.vertices[k].x, 3, place + 4 * k);
        place[4 * k + 3] = has_values ? to_value(values[k]) : 0;
        if (mesh.normals.size() != mesh.vertices.size()) continue;
        const Vec3f& n = mesh.normals[k];
        normal[4 * k] = to_normal(n.x);
        normal[4 * k + 1] = to_normal(n.y);
        normal[4 * k + 2] = to_normal(n.z);
    }
    if (!mesh.triangles.empty())
        std::memcpy(message.data() + triangles, mesh.triangles.data(), 12 * mesh.triangles.size());
    if (!mesh.edges.empty()) std::memcpy(message.data() + edges, mesh.edges.data(), 8 * mesh.edges.size());
    return message;
}

}  // namespace thixo
