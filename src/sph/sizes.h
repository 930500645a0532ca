#pragma once

#include "core/view.h"
#include "sph/kernels.h"

namespace thixo {

// How pairs are smoothed: a policy of PairLoop (sph/pairs.h). `sizes.of(i)` is the kernel of a row,
// `.with(j)` that of its pair with one neighbour, or with eight.

/// All particles have the same support: one kernel for all pairs.
template <class Shape>
class EqualSizes {
public:
    static constexpr bool mixed = false;

    EqualSizes(const Kernel<Shape>& kernel, const ViscosityKernel<>& viscosity)
        : kernel_(kernel), viscosity_(viscosity) {}

    THIXO_HOST_DEVICE const EqualSizes& of(Index) const { return *this; }
    THIXO_HOST_DEVICE const EqualSizes& with(Index) const { return *this; }
    THIXO_HOST_DEVICE const EqualSizes& with(const Index*) const { return *this; }

    THIXO_HOST_DEVICE float self() const { return kernel_.value(0.f); }  ///< W(0)
    template <class T>
    THIXO_HOST_DEVICE T value(T r) const {
        return kernel_.value(r);
    }
    template <class T>
    THIXO_HOST_DEVICE T gradient_over_distance(T r) const {
        return kernel_.gradient_over_distance(r);
    }
    /// ∇²W of the viscosity kernel.
    template <class T>
    THIXO_HOST_DEVICE T viscosity_laplacian(T r) const {
        return viscosity_.laplacian(r);
    }
    THIXO_HOST_DEVICE float viscosity_self() const { return viscosity_.laplacian(0.f); }  ///< ∇²W(0)

private:
    Kernel<Shape> kernel_;
    ViscosityKernel<> viscosity_;
};

/// Supports differ; pairs are smoothed by the mean of both kernels,
///
///     W̄ᵢⱼ = ½ (W_Hᵢ + W_Hⱼ)   [DC99, eq. 8]
///
/// which is symmetric in i and j: forces stay antisymmetric, and the gradient of an energy.
template <class Shape>
class MixedSizes {
public:
    static constexpr bool mixed = true;

    /// 1/H of one particle or eight, and the constants of its kernels.
    template <class T>
    struct Size {
        T inverse, kernel, viscosity;
    };

    template <class T>
    struct Pair {
        static constexpr bool mixed = true;

        float nearest, unit;  ///< 10⁻⁹ H and H of the model
        Size<float> a;
        Size<T> b;

        THIXO_HOST_DEVICE T value(T r) const {
            return 0.5f * (a.kernel * Shape::template f<float>(clamped(r, spread<T>(a.inverse))) +
                           b.kernel * Shape::template f<float>(clamped(r, b.inverse)));
        }
        /// The kernel of the row alone.
        THIXO_HOST_DEVICE T own_value(T r) const {
            return a.kernel * Shape::template f<float>(clamped(r, spread<T>(a.inverse)));
        }
        THIXO_HOST_DEVICE T gradient_over_distance(T r) const {
            const T own =
                (a.kernel * a.inverse) * Shape::template df<float>(clamped(r, spread<T>(a.inverse)));
            const T other = (b.kernel * b.inverse) * Shape::template df<float>(clamped(r, b.inverse));
            return 0.5f * (own + other) / larger(r, spread<T>(nearest));
        }
        /// The same bits for i and j: in a fused multiply-add only one of two products is rounded, so the
        /// larger is added to the smaller.
        THIXO_HOST_DEVICE T viscosity_laplacian(T r) const {
            const T own = own_laplacian(r), other = other_laplacian(r);
            return 0.5f * (larger(own, other) + smaller(own, other));
        }
        /// n² ∇²W of either kernel, n its size in the model's: sums V⁰ n² ∇²W are those of the model's
        /// lattice for any size.
        THIXO_HOST_DEVICE T own_weight(T r) const { return own_laplacian(r) / square(a.inverse * unit); }
        THIXO_HOST_DEVICE T other_weight(T r) const { return other_laplacian(r) / square(b.inverse * unit); }
        /// Mean support of the pair, in the model's.
        THIXO_HOST_DEVICE T scale() const { return (0.5f / unit) * (1.f / a.inverse + 1.f / b.inverse); }

    private:
        template <class U>
        THIXO_HOST_DEVICE static U square(U u) {
            return u * u;
        }
        THIXO_HOST_DEVICE T own_laplacian(T r) const {
            return a.viscosity * (1.f - clamped(r, spread<T>(a.inverse)));
        }
        THIXO_HOST_DEVICE T other_laplacian(T r) const { return b.viscosity * (1.f - clamped(r, b.inverse)); }
        THIXO_HOST_DEVICE static T clamped(T r, T inverse) { return smaller(r * inverse, spread<T>(1.f)); }
    };

    struct Row {
        const MixedSizes& sizes;
        Size<float> own;

        THIXO_HOST_DEVICE float self() const { return own.kernel; }  ///< W(0); f(0) = 1 for every shape
        THIXO_HOST_DEVICE float inverse_support() const { return own.inverse; }
        /// In the model's.
        THIXO_HOST_DEVICE float scale() const { return 1 / (own.inverse * sizes.unit_); }
        THIXO_HOST_DEVICE float viscosity_self() const {
            return own.viscosity * scale() * scale();
        }  ///< n² ∇²W(0)
        THIXO_HOST_DEVICE Pair<float> with(Index j) const {
            return {1e-9f * sizes.unit_, sizes.unit_, own, sizes.size(sizes.inverse_[j])};
        }
#if !defined(__CUDACC__)
        Pair<Lanes> with(const Index* j) const {
            return {1e-9f * sizes.unit_, sizes.unit_, own, sizes.size(gather(sizes.inverse_, j))};
        }
#endif
    };

    /// `inverse`: 1/H of every row and of the padding.
    MixedSizes(const Kernel<Shape>& kernel, int dimensions, const float* inverse)
        : inverse_(inverse),
          unit_(kernel.support()),
          dimensions_(dimensions),
          kernel_(static_cast<float>(Shape::constant(dimensions))),
          viscosity_(static_cast<float>((dimensions == 2 ? 40 : 45) / std::numbers::pi)) {}

    THIXO_HOST_DEVICE Row of(Index i) const { return {*this, size(inverse_[i])}; }

private:
    /// W = C/Hᵈ f(q), and ∇²W = D/Hᵈ⁺² (1 − q) for viscosity.
    template <class T>
    THIXO_HOST_DEVICE Size<T> size(T inverse) const {
        const T u2 = inverse * inverse, ud = dimensions_ == 2 ? u2 : u2 * inverse;
        return {inverse, kernel_ * ud, viscosity_ * ud * u2};
    }

    const float* inverse_;
    float unit_;
    int dimensions_;
    float kernel_, viscosity_;
};

/// Calls use(sizes): one instantiation of the caller's loop for each kernel, for particles of one size and of
/// several. `inverse` holds 1/H of each row and of the padding; empty when all have the same support.
template <class Use>
void with_sizes(const Discretisation& of, View<const float> inverse, const Use& use) {
    with_kernel(of, [&]<class Shape>(const Kernel<Shape>& kernel) {
        if (inverse.empty())
            use(EqualSizes<Shape>(kernel, ViscosityKernel<>(of.support, of.dimensions)));
        else
            use(MixedSizes<Shape>(kernel, of.dimensions, inverse.data()));
    });
}

/// The same for loops that use the viscosity kernel alone, which is one for all scenes.
template <class Use>
auto with_viscosity_sizes(const Discretisation& of, View<const float> inverse, const Use& use) {
    const Kernel<WendlandC2> any(of.support, of.dimensions);
    if (inverse.empty()) return use(EqualSizes(any, ViscosityKernel<>(of.support, of.dimensions)));
    return use(MixedSizes(any, of.dimensions, inverse.data()));
}

}  // namespace thixo
