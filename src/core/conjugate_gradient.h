#pragma once

#include <algorithm>

namespace thixo {

/// pᵀAp and (Ap)ᵀP⁻¹(Ap) of a direction of search p.
struct DirectionProducts {
    double curvature = 0, size = 0;

    friend DirectionProducts operator+(const DirectionProducts& a, const DirectionProducts& b) {
        return {a.curvature + b.curvature, a.size + b.size};
    }
};

/// A system that updates solution, residual and direction in one pass.
template <class System>
concept UpdatesInOnePass = requires(System& system) {
    system.advance(1.0, 1.0);
};

/// Conjugate gradients with a preconditioner P for A x = b, A symmetric and positive definite (Hestenes &
/// Stiefel 1952; Shewchuk 1994, B3), without a matrix:
///
///     q = A p,  α = rᵀz / pᵀq,  x += α p,  r −= α q,  z = P⁻¹ r,  β = (rᵀz)' / rᵀz,  p = z + β p
///
/// The system owns x, r, p and q in the layout that suits its passes:
///
///     bool converged(double rz)     whether rᵀz is small enough
///     double multiply()             q = A p; returns pᵀq
///     double advance(double α)      x += α p, r −= α q; returns rᵀP⁻¹r
///     void turn(double β)           p = P⁻¹ r + β p
///
/// or, to read all four once instead of twice,
///
///     DirectionProducts multiply()            q = A p
///     double advance(double α, double β)      all updates; returns rᵀP⁻¹r
///
/// which takes (rᵀz)' = α² qᵀP⁻¹q − rᵀz, for conjugate directions satisfy pᵀAp = rᵀP⁻¹Ap. The rᵀz of the next
/// iteration is the sum over the updated residual, so that errors of the prediction do not grow.
///
/// `rz` is rᵀz of the first residual, and p = z at the start. Returns the number of iterations.
template <class System>
int conjugate_gradient(System& system, double rz, int most_iterations) {
    int iterations = 0;
    for (; iterations < most_iterations && !system.converged(rz); ++iterations) {
        if constexpr (UpdatesInOnePass<System>) {
            const DirectionProducts q = system.multiply();
            const double alpha = rz / q.curvature;
            const double next = std::max(0.0, alpha * alpha * q.size - rz);
            rz = system.advance(alpha, next / rz);
        } else {
            const double next = system.advance(rz / system.multiply());
            system.turn(next / rz);
            rz = next;
        }
    }
    return iterations;
}

}  // namespace thixo
