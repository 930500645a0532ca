#pragma once

#include <cstdint>
#include <vector>

#include "io/particle_frame.h"

namespace thixo {

/// Where the matter of particles was at the start: what textures hold on to. A particle that comes later,
/// from an emitter or by a split, has the place in which it is first seen, and one that freezes the place in
/// which it is first seen as a solid. Frames are shown in their order, from the first one on, so that the
/// places are the same while a scene runs, after it was resumed, and from files.
class RestPlaces {
public:
    /// Takes note of the next frame and gives its particles the attributes rest_x, rest_y and rest_z, m.
    /// Throws InputError for particles without an id, or with the same one twice.
    void follow(ParticleFrame& frame);

private:
    struct Entry {
        float id = 0;
        Vec3f place;
        bool solid = false;
    };
    std::vector<Entry> known_;  ///< of the particles of the frame before, by id
};

}  // namespace thixo
