#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mat3.h"
#include "core/quaternion.h"
#include "geometry/triangle_mesh.h"

namespace thixo {

/// What a node of a glTF file does to its children: x ↦ linear x + shift.
struct GltfTransform {
    Mat3d linear = identity<double>();
    Vec3d shift{};

    Vec3d apply(const Vec3d& x) const { return linear * x + shift; }
    friend GltfTransform operator*(const GltfTransform& a, const GltfTransform& b) {
        return {a.linear * b.linear, a.linear * b.shift + a.shift};
    }
};

/// Scaled, then rotated, then moved; with the weights of its morph targets.
struct GltfPose {
    Vec3d translation{}, scale{1, 1, 1};
    Quaternion<double> rotation{{}, 1};
    std::vector<double> weights;
};

/// A node: its place, and the triangles that it carries.
struct GltfNode {
    GltfPose rest;
    std::optional<GltfTransform> matrix;  ///< in the place of the pose
    std::optional<std::size_t> parent, mesh, skin;
    bool shown = false;  ///< part of the file's scene
};

struct GltfMesh {
    std::vector<Vec3d> positions;
    std::vector<std::vector<Vec3d>> targets;  ///< what each morph target adds to them
    std::vector<double> weights;              ///< of the targets where a node states none
    std::vector<TriangleMesh::Corners> triangles;
    std::size_t influences = 0;         ///< joints of a vertex
    std::vector<std::uint32_t> joints;  ///< for each vertex so many places in the list of its skin's joints
    std::vector<double> joint_weights;  ///< of each of them; their sum is 1
};

struct GltfSkin {
    std::vector<std::size_t> joints;           ///< nodes
    std::vector<GltfTransform> inverse_binds;  ///< from the mesh to each joint
};

/// One value of a node over time.
struct GltfTrack {
    enum class Target { translation, rotation, scale, weights };
    enum class Interpolation { linear, step, cubic };
    std::size_t node = 0, width = 3;
    Target target = Target::translation;
    Interpolation interpolation = Interpolation::linear;
    std::vector<double> times, values;  ///< s; `width` numbers a time, three times as many if cubic

    std::vector<double> at(double time) const;
};

struct GltfClip {
    std::string name;
    std::vector<GltfTrack> tracks;
    double end = 0;  ///< s, last time of a track
};

/// The triangles of a glTF 2.0 file as nodes, skins, morph targets and animations move them. Metres and
/// seconds, y up, as everywhere here.
class GltfScene {
public:
    /// `bytes`: of the file; its buffers are relative to `folder`. Throws InputError.
    GltfScene(std::string_view bytes, const std::filesystem::path& folder);

    /// All triangles at one time of a clip, or without one; vertices and triangles are the same in number and
    /// order at any time.
    TriangleMesh at(const GltfClip* clip, double time) const;

    /// By its name; the first if the name is empty. Throws InputError with the names that there are.
    const GltfClip& clip(const std::string& name) const;

    /// The clip as closed meshes at equal intervals of time, from its time 0 to its end. A clip that is
    /// repeated comes back to its first mesh behind the last one.
    std::vector<TriangleMesh> sampled(const GltfClip& clip, double frame_rate, bool repeat) const;

    /// Buffers that lie beside the file.
    const std::vector<std::filesystem::path>& files() const { return files_; }

private:
    std::vector<GltfTransform> places(const GltfClip* clip, double time,
                                      std::vector<std::vector<double>>& weights) const;
    void add_positions(const GltfNode& node, const std::vector<GltfTransform>& places,
                       const std::vector<double>& weights, TriangleMesh& out) const;

    std::vector<GltfNode> nodes_;
    std::vector<std::size_t> order_;  ///< of the nodes, parents first
    std::vector<GltfMesh> meshes_;
    std::vector<GltfSkin> skins_;
    std::vector<GltfClip> clips_;
    std::vector<bool> mirrored_;  ///< of each node at rest
    std::vector<std::filesystem::path> files_;
};

/// Reads the file and what lies beside it; errors name it.
GltfScene load_gltf(const std::filesystem::path& file);

/// .gltf or .glb
bool is_gltf(const std::filesystem::path& file);

}  // namespace thixo
