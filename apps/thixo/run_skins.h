#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/particle_frame.h"
#include "scene/scene.h"
#include "skin/memory.h"
#include "skin/skin.h"

namespace thixo {

/// A closed part of a skin, moved by one body.
struct SkinPart {
    Index row;  ///< of one of the particles that carry it
    SurfaceMesh mesh;
};

struct SkinsOfFrame {
    std::vector<SkinPart> parts;
    std::vector<std::uint8_t>
        hidden;                ///< of each row: the surface of particles goes without it, a skin shows it
    std::vector<float> grown;  ///< of each row: how far that surface has grown there, 0 to 1
    double spacing = 0;        ///< m, the largest of the objects with a skin
    bool growing = false;      ///< `grown` is below 1 somewhere
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
    /// The next frame. All frames are followed, in their order, from the first one on.
    void follow(const Device& device, const ParticleFrame& frame);
    /// The skins of the frame that was followed last.
    SkinsOfFrame pose(const Device& device, const ParticleFrame& frame,
                      const std::vector<CarriedColumn>& columns);

    /// Vertices, triangles and distances to particles, one line for each skin.
    std::string report() const;

private:
    struct OfObject {
        std::string name;
        std::vector<std::uint32_t> id;  ///< of the carriers
        Skin skin;
        SkinMemory memory;
        std::vector<Index> rows;  ///< of the carriers in the frame that was followed last; ~0: gone
    };
    std::vector<OfObject> skins_;
};

bool has_skins(const Scene& scene);

}  // namespace thixo
