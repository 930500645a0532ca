#pragma once

#include <optional>
#include <string>
#include <vector>

#include "particles/hold.h"
#include "render/scene.h"
#include "render_frames.h"
#include "scene/scene.h"

namespace thixo {

/// What holds matter during a run, as it is drawn: two jaws at a part of a body, or a rod on what is moved as
/// a whole. Where a wall or the ground holds it, nothing else is drawn.
struct DrawnHold {
    Shape region;
    Motion motion;
    std::vector<std::uint16_t> objects, materials;  ///< numbers; none: all
    bool solids = false;                            ///< no liquids
    double start = 0, stop = 0;                     ///< s
    std::vector<RenderObstacle> parts = {};         ///< at the origin of the motion; empty: nothing to draw

    bool is_closed(double time) const { return !parts.empty() && time >= start && time <= stop; }
    /// Parts where they are at a time.
    std::vector<RenderObstacle> at(double time) const;
};

/// Holds of objects and grabs of a scene, without those of hidden names. They have no parts yet.
std::vector<DrawnHold> drawn_holds(const Scene& scene, const std::vector<std::string>& hidden);

/// Makes the parts from the matter that is held at the start. `obstacles`: where they are then.
void fit_to_matter(DrawnHold& hold, const ParticleFrame& at_start,
                   const std::vector<RenderObstacle>& obstacles, double spacing, int dimensions);

}  // namespace thixo
