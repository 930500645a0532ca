#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/particle_frame.h"
#include "scene/scene.h"
#include "surface/reconstruct.h"

namespace thixo {

/// What surfaces need to know of the run that the particles are from.
struct SurfaceContext {
    double radius = 0;                   ///< m, of the finest particles; the resolution refers to it
    std::vector<std::string> materials;  ///< names; empty without a scene
    std::vector<double> densities;       ///< kg/m³, at rest
    std::vector<Obstacle> obstacles;     ///< as the scene describes them, before they move
};

SurfaceContext surface_context(const Scene& scene);

/// The surface of one group of particles.
struct NamedSurface {
    std::string name;
    std::size_t particles = 0;
    Surface surface;
    double seconds = 0;
};

/// All surfaces of a frame, by name.
std::vector<NamedSurface> surfaces_of(const Device& device, const ParticleFrame& frame,
                                      const SurfaceOutput& output, const SurfaceContext& context);

/// `surface/NAME/0000.ply` … and `surface.csv` of a run's folder. A frame is finished when its rows are in the table, which is written last;
/// frames of other settings are removed.
class SurfaceFolder {
public:
    /// Reads what is finished; rows behind `last_frame` are dropped.
    SurfaceFolder(std::filesystem::path run, const SurfaceOutput& output, long last_frame);

    bool finished(int frame) const { return rows_.contains(frame); }
    void write(int frame, double time, const std::vector<NamedSurface>& surfaces);

    /// Removes all that surfaces of a run left in its folder.
    static void clear(const std::filesystem::path& run);

private:
    std::filesystem::path run_;
    SurfaceOutput output_;
    std::map<int, std::string> rows_;  ///< of each frame that is finished
};

}  // namespace thixo
