#pragma once

#include "core/launch.h"
#include "elastic/elastic_columns.h"
#include "elastic/places.h"
#include "elastic/undeformed_state.h"

namespace thixo {

/// J, at the given positions: of the strain, and of deformations that the strain does not see.
double elastic_energy(const Device& device, const Reference& reference, const UndeformedState& undeformed,
                      const ElasticColumns& columns, View<const Place> position);

}  // namespace thixo
