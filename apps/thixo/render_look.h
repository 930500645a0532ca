#pragma once

#include <string>
#include <vector>

#include "geometry/motion.h"
#include "render/camera.h"
#include "render/colour_map.h"
#include "render/legend.h"
#include "render/survey.h"
#include "render_camera.h"
#include "render_command.h"
#include "render_frames.h"
#include "render_holds.h"
#include "render_props.h"
#include "render_surfaces.h"
#include "scene/scene.h"

namespace thixo {

/// m; beyond it single precision cannot resolve a particle. Eyes, targets and particles must be nearer.
inline constexpr double farthest_drawn = 1e6;

/// Data from the scene file of the run; a folder without one is rendered without it.
struct Setting {
    std::string title;
    bool has_scene = false;
    int dimensions = 3;  ///< without a scene: 2 if all particles lie in one plane
    double frame_rate = 30;
    std::vector<RenderObstacle> obstacles;                 ///< as the scene describes them, before they move
    std::vector<Motion> motions;                           ///< of each obstacle
    std::vector<std::optional<MeshAnimation>> animations;  ///< of each obstacle
    std::vector<std::string> materials, objects;
    std::vector<Material> matter;                   ///< materials with all that is known of them
    std::vector<std::string> obstacle_names;        ///< of all of them
    std::vector<std::string> shown_obstacle_names;  ///< of those that are not hidden
    std::vector<LookSettings> obstacle_looks;
    std::vector<Prop> props;       ///< that are not hidden
    std::vector<DrawnHold> holds;  ///< likewise, before they are props
    double spacing = 0;            ///< m
    SurfaceContext surface_context;
    std::optional<SurfaceSettings> surface;  ///< as the scene says
    PictureOutput picture;                   ///< likewise

    /// Obstacles at a time (s), and behind them the parts of the props that are there.
    std::vector<RenderObstacle> obstacles_at(double time) const;
    /// Looks of these; `own`: of the obstacles.
    std::vector<Optics> looks_at(double time, const std::vector<Optics>& own) const;
};

/// Settings common to all pictures of a movie.
struct Look {
    std::string attribute;
    ColourScale colours;
    std::vector<Rgb> category_colours;  ///< empty: those that tell categories apart best
    Legend legend;
    Bounds stage;
    Camera camera;
    float letter = 0;
    bool by_material = false;  ///< looks of the materials instead of colours by an attribute
    MaterialLooks materials;
    std::vector<Optics> obstacles;
    std::vector<ClipPlane> cuts;
    std::vector<CameraKey> keys;  ///< of the camera; empty: it stays
    Bounds particles;             ///< of the frames that the camera is to frame
    Outline outline;              ///< of these particles, and of obstacles around them
    std::vector<Vec3f> sample;    ///< some of them
    double sample_radius = 0;     ///< m: matter is nowhere farther from the nearest of them
};

Setting load_setting(const RenderOptions& options);

/// Particles of a frame; without a time in the file, the time follows from the frame number.
ParticleFrame read_frame(const FrameFile& file, const RenderOptions& options, const Setting& setting);

/// Takes out of a frame what is hidden or cut off.
void leave_out(ParticleFrame& frame, const RenderOptions& options, const Setting& setting,
               const std::vector<ClipPlane>& cuts);

/// Colours depend on all frames of the run, and so does the camera of several pictures: pictures of any
/// choice of frames belong together. The camera of a single one frames that.
Look choose_look(const RenderOptions& options, Setting& setting, const std::vector<FrameFile>& files,
                 const std::vector<FrameFile>& chosen);

/// Degrees that a camera which turns has gone around before picture i.
double turned_at(const RenderOptions& options, std::size_t i, std::size_t count);

/// A warning if no picture of the chosen frames has any matter in it. `who`: the camera.
void warn_of_empty_pictures(const std::string& who, const Look& look, const RenderOptions& options,
                            const Setting& setting, const std::vector<FrameFile>& chosen);

/// Colours of the vertices where materials are drawn and the mesh has the fraction of each: they blend where
/// materials meet. Otherwise empty.
std::vector<Rgb> blended_colours(const SurfaceMesh& mesh, const Look& look, const Setting& setting);

}  // namespace thixo
