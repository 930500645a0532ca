#pragma once

#include "thixo/sph/kernel_name.h"

namespace thixo {

/// How elastic forces change velocities.
enum class ElasticIntegrator { leapfrog, implicit };

/// How elastic bodies are computed; with the materials' constants, all that the elastic solver needs to know.
struct ElasticMethods {
    KernelName elastic_kernel = KernelName::cosine;  ///< weighs reference neighbours
    ElasticIntegrator elasticity = ElasticIntegrator::leapfrog;
    double elasticity_error = 0.03;   ///< of `implicit`: residual as a fraction of the forces
    int elasticity_iterations = 100;  ///< of `implicit`, at most
};

}  // namespace thixo
