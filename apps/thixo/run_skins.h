#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/particle_frame.h"
#include "scene/scene.h"
#include "skin/skin.h"

namespace thixo {

/// A closed part of a skin, moved by one body.
struct SkinPart {
    Index row;  ///< of one of the particles that carry it
    SurfaceMesh mesh;
};

struct SkinsOfFrame {
    std::vector<SkinPart> parts;
    std::vector<std::uint8_t> covered;  ///< of each row: its matter is within a skin
    /// Covered, but next to matter that is not: the surface of that matter includes it, so that it overlaps the skin.
    std::vector<std::uint8_t> shared;
};

/// Column of a frame that vertices get.
struct CarriedColumn {
    std::string name, unit;
    std::vector<float> values;  ///< of each row
    bool blend = true;
};

/// The skins of a run's objects.
class RunSkins {
public:
    /// `start`: the particles of frame 0.
    RunSkins(const Device& device, const Scene& scene, const ParticleFrame& start);

    bool empty() const { return skins_.empty(); }
    SkinsOfFrame pose(const Device& device, const ParticleFrame& frame,
                      const std::vector<CarriedColumn>& columns);

    /// Vertices, triangles and distances to particles, one line for each skin.
    std::string report() const;

private:
    struct OfObject {
        std::string name;
        std::vector<std::uint32_t> id;  ///< of the carriers
        Skin skin;
    };
    std::vector<OfObject> skins_;
};

bool has_skins(const Scene& scene);

}  // namespace thixo
