#pragma once

#include "elastic/elastic_model.h"

namespace thixo {

/// Moving least squares (Müller et al. 2004), turned: the gradient is the fit that weighs neighbours by W,
/// and R its polar factor.
struct Mls {
    static constexpr ElasticModel model{
        .model = SolidModel::mls,
        .name = "mls",
        .help = "corotated, with moving least squares gradients",
        .volume = BodyVolume::density,
        .weight = LinkWeight::value,
        .correction = SumCorrection::first_order,
        .rotation = RotationSource::gradient,
        .green_strain = false,
    };
};

}  // namespace thixo
