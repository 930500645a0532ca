#pragma once

#include <optional>
#include <string>
#include <vector>

#include "particles/hold.h"
#include "render/scene.h"
#include "render_frames.h"
#include "render_props.h"
#include "scene/scene.h"

namespace thixo {

/// What holds matter during a run, before it is known how much matter that is.
struct DrawnHold {
    std::string name;
    Shape region;
    Motion motion;
    std::vector<std::uint16_t> objects, materials;  ///< numbers; none: all
    bool solids = false;                            ///< no liquids
    bool by_hand = false;                  ///< drawn wherever it is, and no larger than the region asks for
    double start = 0, stop = end_of_time;  ///< s
};

/// Holds of objects and grabs of a scene, without those of hidden names.
std::vector<DrawnHold> drawn_holds(const Scene& scene, const std::vector<std::string>& hidden);

/// Two jaws at a part of a body, or a rod on what is moved as a whole or by hand, from the matter that is
/// held in a frame soon after the start. None where a wall or the ground holds it. `obstacles`: where they
/// are then.
std::optional<Prop> prop_for(const DrawnHold& hold, const ParticleFrame& frame,
                             const std::vector<RenderObstacle>& obstacles, double spacing, int dimensions);

}  // namespace thixo
