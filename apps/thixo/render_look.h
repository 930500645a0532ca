#pragma once

#include <string>
#include <vector>

#include "geometry/motion.h"
#include "render/camera.h"
#include "render/colour_map.h"
#include "render/legend.h"
#include "render_command.h"
#include "render_frames.h"

namespace thixo {

/// m; beyond it single precision has no room for a particle. Eyes, targets and particles must be nearer.
inline constexpr double farthest = 1e6;

/// What the scene file of the run adds to the particles; a folder without one is shown all the same.
struct Setting {
    std::string title;
    bool has_scene = false;
    int dimensions = 3;  ///< of particles without a scene: 2 where all lie in one plane
    double frame_rate = 30;
    std::vector<RenderObstacle> obstacles;  ///< as the scene describes them, before they move
    std::vector<Motion> motions;            ///< of each obstacle
    std::vector<std::string> materials, objects;

    /// The obstacles where they are at a time (s).
    std::vector<RenderObstacle> obstacles_at(double time) const;
};

/// What all pictures of a movie share.
struct Look {
    std::string attribute;
    ColourScale colours;
    Legend legend;
    Bounds stage;
    Camera camera;
    float letter = 0;
};

Setting load_setting(const RenderOptions& options);

/// A frame's particles; the time follows from the frame's number where the file does not say.
ParticleFrame read_frame(const FrameFile& file, const RenderOptions& options, const Setting& setting);

/// Camera and colours from all frames of the run, whichever of them are drawn: the same frame always gives
/// the same picture.
Look choose_look(const RenderOptions& options, Setting& setting, const std::vector<FrameFile>& files);

}  // namespace thixo
