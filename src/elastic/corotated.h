#pragma once

#include "elastic/elastic_model.h"

namespace thixo {

/// Corotated SPH [BIT09]: plain SPH sums of displacements that are turned back, ū = Rᵀ x − X (eq. 14), by the
/// rotation of the mass moment (eq. 9).
struct Corotated {
    static constexpr ElasticModel model{
        .model = SolidModel::corotated,
        .name = "corotated",
        .help = "Becker et al. 2009: corotated, with SPH gradients",
        .volume = BodyVolume::density,
        .weight = LinkWeight::slope,
        .correction = SumCorrection::none,
        .rotation = RotationSource::mass_moment,
        .green_strain = false,
    };
};

}  // namespace thixo
