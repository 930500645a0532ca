#pragma once

#include "core/mat3.h"

namespace thixo {

/// A = Σ_k valueₖ vₖ vₖᵀ.
struct SymmetricEigen {
    Vec3d values;   ///< largest first
    Mat3d vectors;  ///< rows: v₁, v₂, v₃, orthonormal and right-handed
};

/// Of a symmetric matrix, by Jacobi's rotations.
SymmetricEigen symmetric_eigen(const Mat3d& a);

}  // namespace thixo
