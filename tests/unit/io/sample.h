#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "particles/table.h"
#include "unit/core/temporary_folder.h"

namespace thixo {

/// Particles with different values in every column; ids 0 … n-1 times `id_step` in shuffled rows.
inline ParticleTable sample_particles(Index count, std::uint32_t id_step = 1, unsigned seed = 1) {
    ParticleTable p;
    p.resize(count);
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::mt19937 random(seed);
    std::shuffle(order.begin(), order.end(), random);
    std::uniform_real_distribution<float> value(-10, 10);
    for (Index i = 0; i < count; ++i) {
        p.id[i] = order[i] * id_step;
        p.position[i] = {value(random), value(random), value(random)};
        p.velocity[i] = {value(random), value(random), value(random)};
        p.radius[i] = 0.5f + value(random) / 100;
        p.density[i] = 1000 + value(random);
        p.temperature[i] = 5 * value(random);
        p.phase[i] = static_cast<Phase>(random() % 3);
        p.material[i] = static_cast<std::uint16_t>(random());
        p.object[i] = static_cast<std::uint16_t>(random());
        p.body[i] = random() % (1u << 24);
        p.rim[i] = static_cast<std::uint16_t>(random() % 13);
    }
    return p;
}

}  // namespace thixo
