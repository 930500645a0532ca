#pragma once

#include "elastic/elastic_model.h"

namespace thixo {

/// SPH sums corrected to first order (Bonet & Lok 1999), turned by the rotation of the fitted gradient. S is
/// then the exact stretch of every linear deformation, at surfaces too, and forces are the gradient of an
/// energy that rotations do not change.
struct Corrected {
    static constexpr ElasticModel model{
        .model = SolidModel::corrected,
        .name = "corrected",
        .help = "corotated, with corrected gradients; conserves energy and angular momentum",
        .volume = BodyVolume::cell,
        .weight = LinkWeight::slope,
        .correction = SumCorrection::first_order,
        .rotation = RotationSource::gradient,
        .green_strain = false,
    };
};

}  // namespace thixo
