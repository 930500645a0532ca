#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "thixo/core/vec.h"
#include "thixo/particles/phase.h"

namespace thixo {

/// The particles as they are now, a column for each attribute. Rows are sorted by place, so a row's number
/// means nothing beyond a step; `id` is what lasts. Valid until the run goes on.
struct Columns {
    std::span<const std::uint32_t> id;        ///< stable number of the particle
    std::span<const Vec3f> position;          ///< m
    std::span<const Vec3f> velocity;          ///< m/s, half a step behind the position (leapfrog)
    std::span<const float> mass;              ///< kg; in 2D per metre of depth
    std::span<const float> radius;            ///< m, half the spacing
    std::span<const float> density;           ///< kg/m³
    std::span<const float> pressure;          ///< Pa
    std::span<const float> temperature;       ///< °C
    std::span<const Phase> phase;             ///< liquid, elastic or rigid
    std::span<const std::uint16_t> material;  ///< number in the scene's materials
    std::span<const std::uint16_t> object;    ///< number in the scene's objects; emitters follow behind them
    std::span<const std::uint32_t> body;      ///< number of the connected solid; 0 for none

    std::size_t size() const { return id.size(); }
};

}  // namespace thixo
