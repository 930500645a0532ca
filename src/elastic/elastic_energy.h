#pragma once

#include "core/launch.h"
#include "elastic/elastic_columns.h"
#include "elastic/places.h"
#include "elastic/undeformed_state.h"

namespace thixo {

/// What elastic bodies add to a ledger.
struct ElasticLedger {
    double energy = 0;       ///< J
    double compression = 0;  ///< Σ max(0, ρ/ρ₀ − 1) of their particles
};

/// J, at the given positions: of the strain, and of deformations that the strain does not see.
double elastic_energy(const Device& device, const Reference& reference, const UndeformedState& undeformed,
                      const ElasticColumns& columns, View<const Place> position);

/// Σ max(0, 1/det F − 1), F the deformation gradient; layers and rods have no volume.
double elastic_compression(const Device& device, const Reference& reference,
                           const UndeformedState& undeformed, const ElasticColumns& columns,
                           View<const Place> position);

}  // namespace thixo
