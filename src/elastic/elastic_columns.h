#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/eight.h"
#include "core/simd.h"
#include "core/state.h"
#include "elastic/elastic_block.h"
#include "particles/table.h"

namespace thixo {

/// The row of an elastic index that no particle has.
inline constexpr Index vacant_index = std::numeric_limits<Index>::max();

/// What is stored for each particle of elastic bodies. An elastic index, unlike a row, does not change when
/// rows are sorted: links name their ends by it.
struct ElasticColumns {
    std::vector<Index> row;  ///< or `vacant_index`
    std::vector<std::uint16_t> material;
    std::vector<std::uint32_t> body;
    std::vector<float> mass, radius;    ///< kg, m
    std::vector<float> contact_volume;  ///< V⁰, m³
    std::vector<Packed4> rotation;  ///< quaternion R, where the search for the next one starts; whole lanes
    std::vector<Tangent> tangent;   ///< of eight indices each, at the last forces; none in explicit steps
    std::vector<PlasticBlock> plastic;  ///< of eight indices each; empty where nothing yields

    Index size() const { return static_cast<Index>(row.size()); }

    void resize(Index n, bool yields, bool implicit) {
        row.resize(n, vacant_index);
        material.resize(n);
        body.resize(n);
        mass.resize(n);
        radius.resize(n);
        contact_volume.resize(n);
        rotation.resize(whole_blocks(n), {0, 0, 0, 1});
        if (implicit) tangent.resize(whole_blocks(n) / lane_count);
        if (yields) plastic.resize(whole_blocks(n) / lane_count);
    }

    /// Takes note of where particles are in the table.
    void locate(const Device& device, const ParticleTable& particles) {
        launch(device, particles.size(),
               [index = View<const std::uint32_t>(particles.elastic_index), out = View(row)](Index i) {
                   if (index[i] != no_index) out[index[i]] = i;
               });
    }

    std::size_t bytes() const {
        return bytes_of(row, material, body, mass, radius, contact_volume, rotation, tangent, plastic);
    }
};

}  // namespace thixo
