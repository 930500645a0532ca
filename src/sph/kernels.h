#pragma once

#include <numbers>

#include "core/simd.h"
#include "sph/discretisation.h"

namespace thixo {

// A smoothing kernel is W(r) = C/Hᵈ f(q), q = r/H, zero from r = H on. Each shape gives f, f', f'' for q < 1
// and the constant C in 2D and 3D, generic over scalars and SIMD lanes. H is the support radius (2h in
// [DC99]).

/// [DC99, eq. 21]; the "spiky" kernel of Müller et al. 2003 is the same function.
struct Spiky {
    static constexpr double constant(int d) { return (d == 2 ? 10 : 15) / std::numbers::pi; }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T f(T q) {
        const T u = Real(1) - q;
        return u * u * u;
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T df(T q) {
        const T u = Real(1) - q;
        return Real(-3) * u * u;
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T ddf(T q) {
        return Real(6) * (Real(1) - q);
    }
};

/// Müller et al. 2003. Its gradient vanishes at r = 0, so close particles do not push each other apart.
struct Poly6 {
    static constexpr double constant(int d) { return (d == 2 ? 4. : 315. / 64) / std::numbers::pi; }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T f(T q) {
        const T u = Real(1) - q * q;
        return u * u * u;
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T df(T q) {
        const T u = Real(1) - q * q;
        return Real(-6) * q * u * u;
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T ddf(T q) {
        const T u = Real(1) - q * q;
        return u * (Real(24) * q * q - Real(6) * u);
    }
};

/// Monaghan's cubic B-spline.
struct CubicSpline {
    static constexpr double constant(int d) { return (d == 2 ? 40. / 7 : 8.) / std::numbers::pi; }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T f(T q) {
        const T u = Real(1) - q;
        return q < Real(0.5) ? Real(6) * (q * q * q - q * q) + Real(1) : Real(2) * u * u * u;
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T df(T q) {
        const T u = Real(1) - q;
        return q < Real(0.5) ? Real(18) * q * q - Real(12) * q : Real(-6) * u * u;
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T ddf(T q) {
        return q < Real(0.5) ? Real(36) * q - Real(12) : Real(12) * (Real(1) - q);
    }
};

/// Wendland 1995, C²: never pairs particles, whatever their number (Dehnen & Aly 2012).
struct WendlandC2 {
    static constexpr double constant(int d) { return (d == 2 ? 7. : 10.5) / std::numbers::pi; }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T f(T q) {
        const T u = Real(1) - q, u2 = u * u;
        return u2 * u2 * (Real(1) + Real(4) * q);
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T df(T q) {
        const T u = Real(1) - q;
        return Real(-20) * q * u * u * u;
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T ddf(T q) {
        const T u = Real(1) - q;
        return Real(20) * u * u * (Real(4) * q - Real(1));
    }
};

/// [SSP07, eq. 17].
struct Cosine {
    static constexpr double constant(int d) {
        constexpr double pi = std::numbers::pi;
        return d == 2 ? 1 / (2 * pi * (0.5 - 4 / (pi * pi))) : 1 / (4 * (pi / 3 - 8 / pi + 16 / (pi * pi)));
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T f(T q) {
        return Real(1) - sine(Real(std::numbers::pi / 2) * q);
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T df(T q) {
        return Real(-std::numbers::pi / 2) * cosine(Real(std::numbers::pi / 2) * q);
    }
    template <class Real, class T>
    THIXO_HOST_DEVICE static T ddf(T q) {
        constexpr double a = std::numbers::pi / 2;
        return Real(a * a) * sine(Real(a) * q);
    }
};

/// A shape at a given support radius in a given dimension.
template <class Shape, class Real = float>
class Kernel {
public:
    Kernel(double support, int dimensions)
        : support_(static_cast<Real>(support)),
          inverse_(static_cast<Real>(1 / support)),
          dimensions_(dimensions) {
        const double volume = dimensions == 2 ? support * support : support * support * support;
        constant_ = static_cast<Real>(Shape::constant(dimensions) / volume);
    }

    Real support() const { return support_; }

    /// W(r)
    template <class T>
    THIXO_HOST_DEVICE T value(T r) const {
        return constant_ * Shape::template f<Real>(clamped(r));
    }

    /// W'(r) ≤ 0
    template <class T>
    THIXO_HOST_DEVICE T derivative(T r) const {
        return (constant_ * inverse_) * Shape::template df<Real>(clamped(r));
    }

    /// W''(r)
    template <class T>
    THIXO_HOST_DEVICE T second_derivative(T r) const {
        const T q = r * inverse_;
        return (constant_ * inverse_ * inverse_) *
               (q < Real(1) ? Shape::template ddf<Real>(clamped(r)) : T{});
    }

    /// W'(r)/r, so that ∇W(x) = x · this; finite at r = 0, where the direction is undefined and x is zero.
    template <class T>
    THIXO_HOST_DEVICE T gradient_over_distance(T r) const {
        return derivative(r) / larger(r, spread<T>(Real(1e-9) * support_));
    }

    /// ∇²W = W'' + (d−1) W'/r
    template <class T>
    THIXO_HOST_DEVICE T laplacian(T r) const {
        const T q = larger(clamped(r), spread<T>(Real(1e-9)));
        return (constant_ * inverse_ * inverse_) *
               (Shape::template ddf<Real>(q) + Real(dimensions_ - 1) * Shape::template df<Real>(q) / q);
    }

private:
    template <class T>
    THIXO_HOST_DEVICE T clamped(T r) const {
        return smaller(r * inverse_, spread<T>(Real(1)));
    }

    Real support_, inverse_, constant_;
    int dimensions_;
};

/// The viscosity kernel of Müller et al. 2003, made so that its laplacian is positive everywhere:
/// ∇²W = 45/(πH⁶)(H−r) in 3D, 40/(πH⁵)(H−r) in 2D.
template <class Real = float>
class ViscosityKernel {
public:
    ViscosityKernel(double support, int dimensions)
        : support_(static_cast<Real>(support)), dimensions_(dimensions) {
        const double h2 = support * support;
        constant_ = static_cast<Real>((dimensions == 2 ? 40 / h2 : 7.5 / (h2 * support)) / std::numbers::pi);
        laplacian_ =
            static_cast<Real>((dimensions == 2 ? 40 : 45 / support) / (std::numbers::pi * h2 * h2 * support));
    }

    Real support() const { return support_; }

    /// W(r), singular at r = 0. Scalars only: no pair loop needs it.
    Real value(Real r) const {
        const Real q = r / support_;
        if (q >= 1) return 0;
        if (dimensions_ == 2) return constant_ * ((q * q - 1) / 4 - (q * q * q - 1) / 9 - std::log(q) / 6);
        return constant_ * (-q * q * q / 2 + q * q + 1 / (2 * q) - 1);
    }

    Real derivative(Real r) const {
        const Real q = r / support_;
        if (q >= 1) return 0;
        const Real slope =
            dimensions_ == 2 ? q / 2 - q * q / 3 - 1 / (6 * q) : Real(-1.5) * q * q + 2 * q - 1 / (2 * q * q);
        return constant_ / support_ * slope;
    }

    template <class T>
    THIXO_HOST_DEVICE T laplacian(T r) const {
        return laplacian_ * (support_ - smaller(r, spread<T>(support_)));
    }

private:
    Real support_, constant_, laplacian_;
    int dimensions_;
};

/// Calls use(kernel) with the kernel of that name: one instantiation of the caller's loop for each.
template <class Use>
auto with_kernel(KernelName name, double support, int dimensions, const Use& use) {
    switch (name) {
        case KernelName::spiky:
            return use(Kernel<Spiky>(support, dimensions));
        case KernelName::poly6:
            return use(Kernel<Poly6>(support, dimensions));
        case KernelName::cubic_spline:
            return use(Kernel<CubicSpline>(support, dimensions));
        case KernelName::cosine:
            return use(Kernel<Cosine>(support, dimensions));
        case KernelName::wendland_c2:
            break;
    }
    return use(Kernel<WendlandC2>(support, dimensions));
}

template <class Use>
auto with_kernel(const Discretisation& of, const Use& use) {
    return with_kernel(of.kernel, of.support, of.dimensions, use);
}

}  // namespace thixo
