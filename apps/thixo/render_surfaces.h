#pragma once

#include <vector>

#include "core/launch.h"
#include "io/particle_frame.h"
#include "render/traced_scene.h"
#include "surface_frames.h"

namespace thixo {

/// The looks of a run's materials: of material m, liquid at 2m and solid at 2m + 1.
struct MaterialLooks {
    std::vector<Optics> optics;
    std::vector<bool> melts;         ///< of each material: its phases may touch and blend
    std::vector<std::string> names;  ///< of the materials

    MaterialLooks() = default;
    /// `size`: m, of the scene.
    MaterialLooks(const std::vector<Material>& materials, double size);

    /// Of look k: "wax liquid", "wax solid".
    std::string name(std::size_t k) const { return names[k / 2] + (k % 2 == 1 ? " solid" : " liquid"); }

    /// Of each particle; those of a material that the scene does not have look like the first.
    std::vector<std::size_t> of(const ParticleFrame& frame) const;
};

/// A plane that cuts matter open: what lies in front of it is left out.
struct ClipPlane {
    Vec3d point, normal;
};

struct LookSurfaceSettings {
    SurfaceSettings surface = {};
    double shutter = 0;  ///< s that the shutter is open
    std::vector<ClipPlane> cuts = {};
    bool as_field = false;  ///< no meshes
};

/// Surfaces of a frame, one for each look: clear matter by material and phase, opaque matter that flows or
/// melts as one surface on which looks blend, and other solids by body. Clear matter goes on below what it
/// touches, so that there is no air between ice and the water around it.
std::vector<TracedSurface> surfaces_by_look(const Device& device, const ParticleFrame& frame,
                                            const MaterialLooks& looks, const SurfaceContext& context,
                                            const LookSurfaceSettings& settings);

/// Surfaces that were written before, with the looks of the materials and phases at their vertices.
TracedSurface surface_with_looks(SurfaceMesh mesh, const MaterialLooks& looks, double shutter);

}  // namespace thixo
