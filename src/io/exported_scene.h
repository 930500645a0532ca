#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/pose.h"
#include "geometry/surface_mesh.h"
#include "io/particle_frame.h"

namespace thixo {

/// How matter meets light, in numbers that other programs have too. Colours are linear.
struct ExportedLook {
    std::string name;
    Vec3f colour{0.8f, 0.8f, 0.8f};
    float roughness = 0.5f;
    float metal = 0;
    float refractive_index = 1.5f;
    float opacity = 1;         ///< below 1: walls that are seen through without refraction
    bool clear = false;        ///< light is refracted; `depth` metres of it leave `colour` of white
    float depth = 0;           ///< m
    float scattering = 0;      ///< 1/m, of what is clear and cloudy
    Vec3f spread{};            ///< m that light travels below the surface, by colour; 0: it does not
    float glow = 0;            ///< factor on the black body radiation
    bool by_vertex = false;    ///< the colour is that of the vertices
    std::string texture = {};  ///< picture beside the exported file, with forward slashes; or none
};

/// A mesh in the frame that it was described in; `ExportedFrame::poses` place it.
struct ExportedObstacle {
    std::string name;
    SurfaceMesh mesh;
    std::size_t look = 0;
    bool container = false;  ///< its triangles face inwards
    bool moves = false;
};

struct ExportedSurface {
    std::string name;
    SurfaceMesh mesh;  ///< with vx, vy, vz among its attributes where particles have velocities
    std::size_t look = 0;
    std::vector<Vec3f> colour = {};  ///< of each vertex, linear, where the look is `by_vertex`

    /// m/s of each vertex; empty where none is known.
    std::vector<Vec3f> velocity() const;
};

struct ExportedCamera {
    Vec3d eye{0, 0, 1}, target{0, 0, 0}, up{0, 1, 0};
    double fov = 30;    ///< degrees, vertical
    double height = 1;  ///< m, of a parallel view
    bool perspective = true;

    /// The camera looks along its −z.
    Pose pose() const;
};

/// All light comes from far away.
struct ExportedLights {
    Vec3f towards{0, 1, 0};  ///< the key light
    Vec3f irradiance{1, 1, 1};
    double angle = 0;  ///< degrees that the key light is seen under
    Vec3f sky{0.5f, 0.5f, 0.5f};
};

/// What all frames have in common.
struct ExportedScene {
    std::string title;
    std::string program;  ///< that wrote it
    double frame_rate = 30;
    double aspect = 16.0 / 9;
    double reach = 1;  ///< m, size of what is shown
    bool camera_moves = false;
    std::vector<ExportedLook> looks;
    std::vector<ExportedObstacle> obstacles;
    ExportedLights lights;
};

struct ExportedFrame {
    int number = 0;
    double time = 0;                           ///< s
    const ParticleFrame* particles = nullptr;  ///< null: they are left out
    std::vector<ExportedSurface> surfaces;
    std::vector<Pose> poses;  ///< of the obstacles
    ExportedCamera camera;
};

/// Writes frames as they come; `finish` writes the file that lists them, so that an export that was stopped
/// leaves no such file.
class SceneExporter {
public:
    virtual ~SceneExporter() = default;
    virtual void add(const ExportedFrame& frame) = 0;
    /// The file to open.
    virtual std::filesystem::path finish() = 0;
};

/// Makes the folder of the frames, and removes the file that lists them if there is one of an earlier export.
void begin_frames(const std::filesystem::path& folder, std::string_view list);

/// A format that a scene can be exported to.
struct SceneFormatInfo {
    std::string_view name, help;
    std::unique_ptr<SceneExporter> (*make)(const ExportedScene& scene, const std::filesystem::path& folder);
};

std::unique_ptr<SceneExporter> make_usd_exporter(const ExportedScene&, const std::filesystem::path&);
std::unique_ptr<SceneExporter> make_gltf_exporter(const ExportedScene&, const std::filesystem::path&);
std::unique_ptr<SceneExporter> make_obj_exporter(const ExportedScene&, const std::filesystem::path&);
std::unique_ptr<SceneExporter> make_vtp_exporter(const ExportedScene&, const std::filesystem::path&);

inline constexpr SceneFormatInfo scene_formats[] = {
    {"usd", "text USD: scene.usda and frames/0000.usda …", make_usd_exporter},
    {"gltf", "glTF 2.0: scene.gltf, scene.bin and frames/0000.bin …", make_gltf_exporter},
    {"obj", "0000.obj …, scene.mtl: no camera, light or velocities", make_obj_exporter},
    {"vtp", "for ParaView: a .pvd for each thing; no camera, light or looks", make_vtp_exporter},
};

/// Letters, digits and underscores alone, not a digit first, and different from all that were taken.
std::string unique_identifier(std::string_view name, std::set<std::string>& taken);

/// Texture coordinates belong to corners; glTF has them at vertices alone. Vertices with several ones are
/// repeated; `source` is the vertex that each one was.
struct SplitMesh {
    std::vector<std::uint32_t> source;
    std::vector<std::array<float, 2>> texture;  ///< empty: none
    std::vector<SurfaceMesh::Corners> triangles;
};
SplitMesh split_at_seams(const SurfaceMesh& mesh);

/// Unit quaternion x y z w of a rotation.
std::array<double, 4> quaternion_of(const Pose& pose);

/// The values of an attribute of a mesh, or null.
const std::vector<float>* column_of(const SurfaceMesh& mesh, std::string_view name);

}  // namespace thixo
