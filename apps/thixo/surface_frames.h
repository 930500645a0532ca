#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/particle_frame.h"
#include "run_skins.h"
#include "scene/scene.h"
#include "surface/reconstruct.h"

namespace thixo {

/// What surfaces depend on of the run that the particles are from.
struct SurfaceContext {
    double radius = 0;                   ///< m, of the finest particles; the resolution refers to it
    std::vector<std::string> materials;  ///< names; empty without a scene
    std::vector<double> densities;       ///< kg/m³, at rest
    std::vector<Obstacle> obstacles;     ///< as the scene describes them, before they move
    int dimensions = 3;                  ///< 2: outlines
    std::map<int, int> parents;          ///< of bodies that came off another one, see `bodies.csv`
};

SurfaceContext surface_context(const Scene& scene);

/// The attribute of vertices that says how much of a material there is.
std::string fraction_name(const std::string& material);

/// Throws InputError for what this program, or surfaces in so many dimensions, cannot make.
void refuse_impossible(const SurfaceOutput& output, int dimensions);

/// Which body each body came off, from the text of `bodies.csv`.
std::map<int, int> parents_of_bodies(const std::string& table);
/// m/ρ₀ of each particle, m³; empty where the files or the scene do not say.
std::vector<float> volumes(const ParticleFrame& frame, const SurfaceContext& context);

/// The obstacles at a time (s).
std::vector<SurfaceObstacle> obstacles_at(const SurfaceContext& context, double time);

/// The surface of one group of particles.
struct NamedSurface {
    std::string name;
    std::size_t particles = 0;
    double cell = 0;            ///< m, edge of a grid cell
    std::optional<int> parent;  ///< of bodies: the one that it came off, or 0
    Surface surface;
    double seconds = 0;
};

/// What the active surface of a name was at the end of the frame before.
using LastState = std::function<std::optional<ActiveState>(const std::string& name)>;

/// All surfaces of a frame, by name. Matter that skins cover is shown by them, if there are any: null
/// otherwise.
std::vector<NamedSurface> surfaces_of(const Device& device, const ParticleFrame& frame,
                                      const SurfaceOutput& output, const SurfaceContext& context,
                                      const LastState& last, RunSkins* skins = nullptr);

}  // namespace thixo
