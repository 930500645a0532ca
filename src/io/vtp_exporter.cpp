#include <fmt/format.h>

#include <map>

#include "core/atomic_file.h"
#include "io/exported_scene.h"
#include "io/mesh_files.h"
#include "io/particle_files.h"

namespace thixo {
namespace {

namespace fs = std::filesystem;

/// Files of ParaView: NAME/0000.vtp … and NAME.pvd for each obstacle, each surface and the particles. An
/// obstacle that does not move is written once.
class VtpExporter : public SceneExporter {
public:
    VtpExporter(const ExportedScene& scene, fs::path folder) : scene_(scene), folder_(std::move(folder)) {
        create_folder(folder_);
        for (const ExportedObstacle& o : scene.obstacles)
            obstacles_.push_back(unique_identifier("obstacle_" + o.name, taken_));
    }

    void add(const ExportedFrame& frame) override {
        for (std::size_t k = 0; k < obstacles_.size(); ++k) {
            Series& series = series_[obstacles_[k]];
            if (!scene_.obstacles[k].moves && !series.empty())
                series.push_back({frame.time, series.front().file});
            else
                write(obstacles_[k], placed_mesh(scene_.obstacles[k].mesh, frame.poses[k]), frame);
        }
        for (const ExportedSurface& s : frame.surfaces) {
            std::string& name = surfaces_[s.name];
            if (name.empty()) name = unique_identifier("surface_" + s.name, taken_);
            write(name, s.mesh, frame);
        }
        if (frame.particles) write("particles", as_mesh(*frame.particles), frame);
    }

    fs::path finish() override {
        for (const auto& [name, entries] : series_) write_pvd(folder_ / (name + ".pvd"), entries);
        return folder_;
    }

private:
    using Series = std::vector<SeriesEntry>;

    static SurfaceMesh placed_mesh(const SurfaceMesh& mesh, const Pose& pose) {
        SurfaceMesh out = mesh;
        for (Vec3f& x : out.vertices) x = to_float(pose.to_world(to_double(x)));
        for (Vec3f& n : out.normals) n = to_float(pose.rotated(to_double(n)));
        // What is moved by a pose has a velocity at each point.
        const char* const names[3] = {"vx", "vy", "vz"};
        for (int axis = 0; axis < 3; ++axis) {
            SurfaceMesh::Attribute a{names[axis], "m/s", {}};
            for (const Vec3f& x : out.vertices) {
                const Vec3f v = to_float(pose.velocity_at(to_double(x)));
                a.values.push_back(axis == 0 ? v.x : axis == 1 ? v.y : v.z);
            }
            out.attributes.push_back(std::move(a));
        }
        return out;
    }

    static SurfaceMesh as_mesh(const ParticleFrame& frame) {
        SurfaceMesh mesh;
        mesh.vertices = frame.position;
        for (const auto& [name, values] : frame.attributes)
            if (name != "x" && name != "y" && name != "z") mesh.attributes.push_back({name, "", values});
        if (!frame.attributes.contains("radius")) mesh.attributes.push_back({"radius", "m", frame.radius});
        return mesh;
    }

    void write(const std::string& name, const SurfaceMesh& mesh, const ExportedFrame& frame) {
        create_folder(folder_ / name);
        const std::string file = fmt::format("{}/{:04}.vtp", name, frame.number);
        write_mesh_vtp(
            folder_ / file, mesh,
            {.frame = frame.number, .time = frame.time, .program = scene_.program, .scene = scene_.title});
        series_[name].push_back({frame.time, file});
    }

    const ExportedScene& scene_;
    fs::path folder_;
    std::set<std::string> taken_{"particles"};
    std::vector<std::string> obstacles_;
    std::map<std::string, std::string> surfaces_;  ///< name of a surface → of its files
    std::map<std::string, Series> series_;
};

}  // namespace

std::unique_ptr<SceneExporter> make_vtp_exporter(const ExportedScene& scene, const fs::path& folder) {
    return std::make_unique<VtpExporter>(scene, folder);
}

}  // namespace thixo
