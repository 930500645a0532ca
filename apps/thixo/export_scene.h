#pragma once

#include <map>
#include <memory>

#include "export_command.h"
#include "io/exported_scene.h"
#include "render_look.h"

namespace thixo {

/// A run as exporters take it: looks, obstacles, lights and camera of the whole run, and the matter of one
/// frame after the other.
class ExportedRun {
public:
    ExportedRun(const ExportOptions& options, const Device& device, const std::vector<FrameFile>& all,
                const std::vector<FrameFile>& chosen, const std::filesystem::path& folder);

    const ExportedScene& scene() const { return scene_; }
    /// The particles must outlive the frame.
    ExportedFrame frame(const FrameFile& file, const ParticleFrame& particles, double turned);
    ParticleFrame read(const FrameFile& file) const;

private:
    void add_looks();
    void add_obstacles();
    void add_props();
    void add_lights();
    std::vector<ExportedSurface> surfaces(const FrameFile& file, const ParticleFrame& particles);
    void add_surface(std::vector<ExportedSurface>& list, const std::string& name, TracedSurface surface);
    std::size_t textured_look(const std::string& file, std::size_t like);

    const ExportOptions& options_;
    const Device& device_;
    std::filesystem::path folder_;
    Setting setting_;
    Look look_;
    ExportedScene scene_;
    std::size_t blended_ = 0;            ///< number of the look whose colour is that of the vertices
    std::vector<std::size_t> obstacle_;  ///< which obstacles of the setting are exported

    /// Obstacles whose meshes deform: another surface in each frame.
    struct Deforming {
        std::size_t obstacle, look;
    };
    std::vector<Deforming> deforming_;
    std::vector<std::size_t> prop_looks_;  ///< of the props of the setting; empty: they are not exported
    std::vector<SurfaceMesh> prop_meshes_;
    std::map<std::string, std::size_t> textures_;  ///< number of the look by file
    std::unique_ptr<RunSkins> skins_;
};

}  // namespace thixo
