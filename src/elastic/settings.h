#pragma once

#include "sph/kernel_name.h"

namespace thixo {

/// How elastic bodies are computed; with the materials' constants, all that the elastic solver needs to know.
struct ElasticMethods {
    KernelName elastic_kernel = KernelName::cosine;  ///< weighs reference neighbours
};

}  // namespace thixo
