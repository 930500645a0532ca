#pragma once

#include "fluid/constants.h"
#include "sph/half_space.h"
#include "sph/pairs.h"

namespace thixo {

/// h²/100 for h = H/2, in H²: keeps quotients by x² finite where particles coincide (Monaghan 1992).
inline constexpr double pair_softening = 0.0025;

/// r² + h²/100 of a pair, h its mean smoothing length; `softening` is that of particles of the model's size.
template <class Pair>
THIXO_HOST_DEVICE auto softened(const Pair& pair, float softening) {
    if constexpr (Pair::mixed) {
        const auto scale = pair.smoothing.scale();
        return pair.r2 + softening * scale * scale;
    } else {
        return pair.r2 + softening;
    }
}

// What a viscosity sees of a pair: the pair, v = vᵢ − vⱼ and W'(r)/r.

/// No viscosity, or one that is solved for.
struct Frictionless {
    template <class Pair, class Real>
    THIXO_HOST_DEVICE Vec3<Real> operator()(const Pair&, const Vec3<Real>&, Real) const {
        return {};
    }
};

/// V⁰ⱼ (vⱼ − vᵢ) ∇²Wᵢⱼ   [SSP07, eq. 8]
struct Laplacian {
    template <class Pair, class Real>
    THIXO_HOST_DEVICE Vec3<Real> operator()(const Pair& pair, const Vec3<Real>& v, Real) const {
        return v * (-pair.volume * pair.laplacian());
    }
};

/// V⁰ⱼ min(0, v·x)/(x² + h²/100) ∇Wᵢⱼ: [DC99, eq. 22–23] with the sign that pushes approaching particles
/// apart; printed is the other one, with which simulations blow up. h = H/2, the mean of both.
struct Artificial {
    float softening;  ///< h²/100 for particles of the model's support

    template <class Pair, class Real>
    THIXO_HOST_DEVICE Vec3<Real> operator()(const Pair& pair, const Vec3<Real>& v, Real gradient) const {
        const Real approach = smaller(dot(v, pair.x), Real{});
        if constexpr (Pair::mixed) {
            // The friction, η c ρ₀ h, is for the model's h as well.
            const Real scale = pair.smoothing.scale(), drag = pair.volume * gradient * approach * scale;
            return pair.x * (drag / (pair.r * pair.r + softening * scale * scale));
        } else {
            return pair.x * (pair.volume * gradient * approach / (pair.r * pair.r + softening));
        }
    }
};

/// 2(d+2) V⁰ⱼ (v·x)/(x² + h²/100) ∇Wᵢⱼ   (Monaghan 2005), which ImplicitViscosity solves for.
struct Central {
    float factor;     ///< 2(d+2)
    float softening;  ///< as above

    template <class Pair, class Real>
    THIXO_HOST_DEVICE Vec3<Real> operator()(const Pair& pair, const Vec3<Real>& v, Real gradient) const {
        return pair.x * (factor * pair.volume * gradient * dot(v, pair.x) / softened(pair, softening));
    }
};

/// Accelerations from pressure, walls and viscosity, in one sweep over the neighbours:
///
///     ρ₀ aᵢ = − Σⱼ V⁰ⱼ (pᵢ/sᵢ² + pⱼ/sⱼ²) ∇Wᵢⱼ − pᵢ/sᵢ² ∇γᵢ + Σⱼ μᵢⱼ viscosityᵢⱼ
///
/// The pressure term is the symmetric form [DC99, eq. 8]: it carries the whole
/// gradient, where [SSP07, eq. 7] yields half of it. Pressure and wall terms are together the exact gradient
/// of the energy of compression. Each pair's force is antisymmetric after multiplying by V⁰ᵢ, so momentum is
/// conserved.
template <class Pairs, class Viscosity, bool mixed_friction>
struct Forces {
    Pairs pairs;
    Viscosity viscosity;
    const Packed4* velocity_pressure;  ///< v, p/s²
    const float* friction;             ///< of each row, where not all materials have the same
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const WallTerm> walls;
    View<Vec3f> acceleration;
    View<float> wall_push;

    struct Sums {
        Vec3f pressure, viscous;
    };

    template <class Width>
    THIXO_HOST_DEVICE Sums sums(const Width& width, Index i) const {
        using Real = typename Width::Real;
        const Packed4 own = velocity_pressure[i];
        const Vec3<Real> v = spread_vector<Real>(own);
        const Real p = spread<Real>(own.w);
        Vec3<Real> pressure{}, viscous{};
        pairs.for_each(width, i, [&](const auto& pair) {
            const PackedOf<Real> other = pair.of(velocity_pressure);
            const Real gradient = pair.gradient();
            pressure -= pair.x * (pair.volume * (p + other.w) * gradient);
            Vec3<Real> drag = viscosity(pair, v - other.xyz, gradient);
            if constexpr (mixed_friction) drag *= 0.5f * (friction[i] + pair.of(friction));
            viscous += drag;
        });
        return {width.sum(pressure), width.sum(viscous)};
    }

    template <class Width>
    THIXO_HOST_DEVICE void operator()(const Width& width, Index i) const {
        const Sums sum = sums(width, i);
        if (!width.writes()) return;
        const FluidConstants& own = constants[material[i]];
        const float per_density = 1 / own.rest_density;
        const Vec3f wall = walls[i].gradient * (-velocity_pressure[i].w * per_density);
        const float mu = mixed_friction ? 1.f : own.friction;
        acceleration[i] += sum.pressure * per_density + wall + sum.viscous * (mu * per_density);
        wall_push[i] = square_root(norm2(wall));
    }
};

}  // namespace thixo
