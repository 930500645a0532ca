#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "core/base64.h"
#include "core/error.h"
#include "geometry/gltf_scene.h"
#include "unit/geometry/meshes.h"

using namespace thixo;

namespace {

/// Buffers of a glTF file, one accessor after the other, and its other lists.
class GltfText {
public:
    /// The number of an accessor with these numbers as floats.
    int floats(const std::vector<double>& numbers, const char* type, int width) {
        const std::size_t at = bytes_.size();
        for (const double x : numbers) {
            const auto value = static_cast<float>(x);
            bytes_.append(reinterpret_cast<const char*>(&value), 4);
        }
        return accessor(at, 5126, numbers.size() / static_cast<std::size_t>(width), type);
    }
    int shorts(const std::vector<int>& numbers, const char* type, int width) {
        const std::size_t at = bytes_.size();
        for (const int x : numbers) {
            const auto value = static_cast<std::uint16_t>(x);
            bytes_.append(reinterpret_cast<const char*>(&value), 2);
        }
        bytes_.append(bytes_.size() % 4, '\0');
        return accessor(at, 5123, numbers.size() / static_cast<std::size_t>(width), type);
    }
    std::string text(const std::string& lists) const {
        return fmt::format(R"({{"asset": {{"version": "2.0"}}, {}, "accessors": [{}], "bufferViews": [{}],
            "buffers": [{{"byteLength": {}, "uri": "data:application/octet-stream;base64,{}"}}]}})",
                           lists, accessors_, views_, bytes_.size(), base64_encode(bytes_));
    }

private:
    int accessor(std::size_t at, int component, std::size_t count, const char* type) {
        const char* comma = count_ > 0 ? ", " : "";
        views_ += fmt::format(R"({}{{"buffer": 0, "byteOffset": {}, "byteLength": {}}})", comma, at,
                              bytes_.size() - at);
        accessors_ += fmt::format(R"({}{{"bufferView": {}, "componentType": {}, "count": {}, "type": "{}"}})",
                                  comma, count_, component, count, type);
        return count_++;
    }
    std::string bytes_, accessors_, views_;
    int count_ = 0;
};

std::vector<double> numbers_of(const TriangleMesh& mesh) {
    std::vector<double> out;
    for (const Vec3d& x : mesh.vertices) out.insert(out.end(), {x.x, x.y, x.z});
    return out;
}

std::vector<int> corners_of(const TriangleMesh& mesh) {
    std::vector<int> out;
    for (const TriangleMesh::Corners& t : mesh.triangles)
        for (const std::uint32_t corner : t) out.push_back(static_cast<int>(corner));
    return out;
}

bool is_near(const Vec3d& a, const Vec3d& b) { return norm(a - b) < 1e-5; }

/// A bar along y from 0 to 2. What is above y = 1.5 follows a joint at y = 1, which turns by 90° about z
/// within a second; what is below 0.5 stays; the middle follows both by half.
std::string bending_bar() {
    GltfText file;
    const TriangleMesh low = box_mesh({-0.1, 0, -0.1}, {0.1, 2, 0.1});
    const int position = file.floats(numbers_of(low), "VEC3", 3),
              index = file.shorts(corners_of(low), "SCALAR", 1);
    std::vector<int> joints;
    std::vector<double> weights;
    for (const Vec3d& x : low.vertices) {
        joints.insert(joints.end(), {0, 1, 0, 0});
        // Their sum is not 1: the reader sees to that.
        weights.insert(weights.end(), {x.y > 1 ? 0. : 2., x.y > 1 ? 2. : 0., 0., 0.});
    }
    const int joint = file.shorts(joints, "VEC4", 4), weight = file.floats(weights, "VEC4", 4);
    const std::vector<double> root = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                              hinge = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};
    std::vector<double> both = root;
    both.insert(both.end(), hinge.begin(), hinge.end());
    const int inverse = file.floats(both, "MAT4", 16);
    const double h = std::sqrt(0.5);
    const int time = file.floats({0, 1}, "SCALAR", 1),
              turn = file.floats({0, 0, 0, 1, 0, 0, h, h}, "VEC4", 4);
    return file.text(fmt::format(R"("scene": 0, "scenes": [{{"nodes": [0, 1]}}],
        "nodes": [{{"mesh": 0, "skin": 0, "translation": [50, 0, 0]}}, {{"children": [2]}}, {{"translation": [0, 1, 0]}}],
        "skins": [{{"joints": [1, 2], "inverseBindMatrices": {}}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": {}, "JOINTS_0": {}, "WEIGHTS_0": {}}}, "indices": {}}}]}}],
        "animations": [{{"name": "bend", "samplers": [{{"input": {}, "output": {}}}],
                         "channels": [{{"sampler": 0, "target": {{"node": 2, "path": "rotation"}}}}]}}])",
                                 inverse, position, joint, weight, index, time, turn));
}

/// A cube whose corners x > 0 are moved by a morph target, within a node that is scaled, turned and moved; in
/// a clip of the given kind.
std::string morphing_cube(const std::string& interpolation, const std::vector<double>& weights) {
    GltfText file;
    const TriangleMesh cube = box_mesh({-1, -1, -1}, {1, 1, 1});
    std::vector<double> moved;
    for (const Vec3d& x : cube.vertices) moved.insert(moved.end(), {x.x > 0 ? 1. : 0., 0, 0});
    const int position = file.floats(numbers_of(cube), "VEC3", 3), target = file.floats(moved, "VEC3", 3),
              index = file.shorts(corners_of(cube), "SCALAR", 1);
    const int time = file.floats({1, 2}, "SCALAR", 1), weight = file.floats(weights, "SCALAR", 1);
    const double h = std::sqrt(0.5);
    return file.text(fmt::format(R"("nodes": [{{"children": [1], "translation": [0, 0, 5]}},
                  {{"mesh": 0, "scale": [2, 1, 1], "rotation": [0, 0, {}, {}]}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": {}}}, "indices": {}, "targets": [{{"POSITION": {}}}]}}]}}],
        "animations": [{{"samplers": [{{"input": {}, "output": {}, "interpolation": "{}"}}],
                         "channels": [{{"sampler": 0, "target": {{"node": 1, "path": "weights"}}}}]}}])",
                                 h, h, position, index, target, time, weight, interpolation));
}

double height(const std::string& text, double time) {
    const GltfScene scene(text, ".");
    return bounds(scene.at(&scene.clip(""), time)).max.y;
}

}  // namespace

TEST_CASE("a skinned mesh follows its joints, and not its node") {
    const GltfScene scene(bending_bar(), ".");
    for (const double time : {0., 0.3, 1., 7.}) {
        const double angle = std::min(time, 1.) * std::numbers::pi / 2;
        const TriangleMesh mesh = scene.at(&scene.clip("bend"), time);
        REQUIRE(mesh.vertices.size() == 8);
        for (const Vec3d& rest : box_mesh({-0.1, 0, -0.1}, {0.1, 2, 0.1}).vertices) {
            const Vec3d arm{rest.x, rest.y - 1, rest.z};
            const Vec3d expected = rest.y < 1
                                       ? rest
                                       : Vec3d{arm.x * std::cos(angle) - arm.y * std::sin(angle),
                                               1 + arm.x * std::sin(angle) + arm.y * std::cos(angle), arm.z};
            CHECK(std::any_of(mesh.vertices.begin(), mesh.vertices.end(),
                              [&](const Vec3d& x) { return is_near(x, expected); }));
        }
    }
}

TEST_CASE("nodes, morph targets and the three interpolations") {
    // Turned by 90° about z and scaled along its own x, the cube is 2 high above the origin, and 2 w higher
    // with the weight w.
    CHECK(height(morphing_cube("LINEAR", {0.5, 1}), 0) == doctest::Approx(3));
    CHECK(height(morphing_cube("LINEAR", {0.5, 1}), 1.5) == doctest::Approx(3.5));
    CHECK(height(morphing_cube("LINEAR", {0.5, 1}), 9) == doctest::Approx(4));
    CHECK(height(morphing_cube("STEP", {0.5, 1}), 1.9) == doctest::Approx(3));
    // Hermite's polynomial with tangents 0 at the first and 2 at the second: at a quarter of the way 0.84375
    // a + 0.15625 b − 0.046875 · 2.
    const double quarter = 0.84375 * 0.5 + 0.15625 * 1 - 0.046875 * 2;
    CHECK(height(morphing_cube("CUBICSPLINE", {0, 0.5, 0, 2, 1, 0}), 1.25) ==
          doctest::Approx(2 + 2 * quarter));
    const GltfScene scene(morphing_cube("STEP", {0, 0}), ".");
    CHECK(scene.at(nullptr, 0).vertices[0].z == doctest::Approx(4));
}

TEST_CASE("a clip is sampled up to its end, and a repeated one without the end") {
    const GltfScene scene(bending_bar(), ".");
    const auto once = scene.sampled(scene.clip(""), 8, false), again = scene.sampled(scene.clip(""), 8, true);
    CHECK(once.size() == 9);
    CHECK(again.size() == 8);
    CHECK(scene.sampled(scene.clip(""), 0.1, true).size() == 2);
    for (const TriangleMesh& mesh : once) {
        CHECK(mesh.triangles == once.front().triangles);
        CHECK(volume(mesh) > 0);
    }
    CHECK_THROWS_AS(scene.sampled(scene.clip(""), 1e6, false), InputError);
}

TEST_CASE("vertices are joined where they stay together, and not where they only meet") {
    // Two cubes: in the first mesh they touch at a face, in the second they do not.
    TriangleMesh both = box_mesh({0, 0, 0}, {1, 1, 1});
    const TriangleMesh other = box_mesh({1, 0, 0}, {2, 1, 1});
    for (const TriangleMesh::Corners& t : other.triangles)
        both.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    both.vertices.insert(both.vertices.end(), other.vertices.begin(), other.vertices.end());
    TriangleMesh apart = both;
    for (std::size_t v = 8; v < 16; ++v) apart.vertices[v].x += 1;
    CHECK_THROWS_AS(closed_mesh(both), InputError);
    const auto meshes = closed_meshes({both, apart});
    CHECK(meshes[0].vertices.size() == 16);
    CHECK(meshes[0].triangles == meshes[1].triangles);
    // A corner that is written twice, as exporters do at seams, is one.
    TriangleMesh seam = box_mesh({0, 0, 0}, {1, 1, 1});
    seam.vertices.push_back(seam.vertices[0]);
    seam.triangles[0][0] = 8;
    TriangleMesh moved = seam;
    for (Vec3d& x : moved.vertices) x.y *= 2;
    CHECK(closed_meshes({seam, moved})[1].vertices.size() == 8);
}

TEST_CASE("what contradicts itself is refused") {
    const auto refused = [](std::string text, const std::string& part, const std::string& other,
                            const char* why) {
        const std::size_t at = text.find(part);
        REQUIRE(at != std::string::npos);
        text.replace(at, part.size(), other);
        try {
            const GltfScene scene(text, ".");
            scene.at(&scene.clip("bend"), 0);
            FAIL("accepted: ", other);
        } catch (const InputError& error) {
            CAPTURE(error.what());
            CHECK(std::string(error.what()).find(why) != std::string::npos);
        }
    };
    const std::string bar = bending_bar();
    refused(bar, "\"2.0\"", "\"1.0\"", "version");
    refused(bar, "\"asset\"", "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"], \"asset\"",
            "compression");
    refused(bar, "\"children\": [2]", "\"children\": [1]", "its own ancestor");
    refused(bar, "\"children\": [2]", "\"children\": [9]", "not there");
    refused(bar, "\"joints\": [1, 2]", "\"joints\": [1]", "joint");
    refused(bar, "\"indices\": 1", "\"mode\": 5, \"indices\": 1", "triangles");
    refused(bar, "\"indices\": 1", "\"indices\": 0", "type");
    refused(bar, "\"count\": 36", "\"count\": 37", "ends behind");
    refused(bar, "\"count\": 36", "\"count\": 4000000000", "too many");
    refused(bar, "\"name\": \"bend\"", "\"name\": \"\\u001bwave\"", "no animation \"bend\"");
    refused(bar, "\"version\"", "\"versio\"", "version");
    refused(bar, "{", "", "JSON");
    refused(bar, "\"primitives\"", "\"primitive\"", "missing");
}
