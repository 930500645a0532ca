#pragma once

#include "elastic/elastic_model.h"

namespace thixo {

/// Green's strain of plain SPH sums, not turned [SSP07, eq. 12–16]. Sums that are not corrected see a strain
/// in rotations.
struct Green {
    static constexpr ElasticModel model{
        .model = SolidModel::green,
        .name = "green",
        .help = "Solenthaler et al. 2007: SPH gradients, not corotated; rotating bodies feel spurious forces",
        .volume = BodyVolume::density,
        .weight = LinkWeight::slope,
        .correction = SumCorrection::none,
        .rotation = RotationSource::none,
        .green_strain = true,
    };
};

}  // namespace thixo
