#pragma once

#include "heat/content.h"
#include "heat/pair_flow.h"
#include "sph/half_space.h"
#include "sph/heat_contact.h"
#include "sph/pair_records.h"

namespace thixo {

/// What heat flows through: particles in the order of their lists, all pairs, records as packed for these
/// positions, and what walls do.
struct HeatState {
    ParticleTable& particles;
    Neighbours neighbours;
    const PairRecords& records;
    View<const WallHeat> walls;  ///< empty if they neither conduct nor cover
    /// Empty if no wall has a temperature, or the exchange follows from distances alone.
    View<const HeatContact> contacts = {};
};

/// Calls use(flows), the PairFlow of `field` between particles of one size or of several.
template <class Use>
auto with_flows(const HeatState& state, const std::vector<Packed4>& field, const Use& use) {
    return state.records.with_viscosity_pairs(state.neighbours, [&](const auto& pairs) {
        return use(PairFlow<std::remove_cvref_t<decltype(pairs)>>{pairs, field.data()});
    });
}

}  // namespace thixo
