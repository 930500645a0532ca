#include <algorithm>
#include <utility>

#include "fluid/fluid.h"
#include "sph/sizes.h"

namespace thixo {

namespace {

/// What a viscosity sees of eight pairs.
struct Pairs {
    Vec3<Lanes> x, v;  ///< xᵢ − xⱼ, vᵢ − vⱼ
    Lanes r;           ///< |x|
    Lanes volume;      ///< V⁰ⱼ
    Lanes gradient;    ///< W'(r)/r
};

/// No viscosity, or one that is solved for.
struct Frictionless {
    Vec3<Lanes> operator()(const Pairs&, const auto&) const { return {}; }
};

/// V⁰ⱼ (vⱼ − vᵢ) ∇²Wᵢⱼ   [SSP07, eq. 8]
struct Laplacian {
    Vec3<Lanes> operator()(const Pairs& p, const auto& w) const {
        return p.v * (-p.volume * w.viscosity_laplacian(p.r));
    }
};

/// V⁰ⱼ min(0, v·x)/(x² + h²/100) ∇Wᵢⱼ: [DC99, eq. 22–23] with the sign that pushes approaching particles apart; printed is
/// the other one, with which simulations blow up. h = H/2, the mean of both.
struct Artificial {
    float softening;  ///< h²/100 for particles of the model's support
    template <class Pair>
    Vec3<Lanes> operator()(const Pairs& p, const Pair& w) const {
        const Lanes approach = smaller(dot(p.v, p.x), Lanes{});
        if constexpr (Pair::mixed) {
            // The friction, η c ρ₀ h, is for the model's h as well.
            const Lanes scale = w.scale(), drag = p.volume * p.gradient * approach * scale;
            return p.x * (drag / (p.r * p.r + softening * scale * scale));
        } else {
            return p.x * (p.volume * p.gradient * approach / (p.r * p.r + softening));
        }
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
template <class Sizes, class Viscosity, bool mixed>
struct Forces {
    Sizes sizes;
    Viscosity viscosity;
    Neighbours neighbours;
    const Packed4* position_volume;
    const Packed4* velocity_pressure;
    const float* friction;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const WallTerm> walls;
    View<Vec3f> acceleration;
    View<float> wall_push;

    void operator()(Index i) const {
        const Packed4 a = position_volume[i], b = velocity_pressure[i];
        const Vec3<Lanes> x = spread(Vec3f{a.x, a.y, a.z}), v = spread(Vec3f{b.x, b.y, b.z});
        const FluidConstants& own = constants[material[i]];
        const Lanes p = spread<Lanes>(b.w);
        const auto& w = sizes.of(i);

        Vec3<Lanes> pressure{}, viscous{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes xj = gather(position_volume, j), vj = gather(velocity_pressure, j);
            const Vec3<Lanes> xij = x - xj.xyz;
            const auto& pair = w.with(j);
            const Lanes r = square_root(norm2(xij)), gradient = pair.gradient_over_distance(r);
            pressure -= xij * (xj.w * (p + vj.w) * gradient);
            Vec3<Lanes> drag = viscosity({xij, v - vj.xyz, r, xj.w, gradient}, pair);
            if constexpr (mixed) drag *= 0.5f * (friction[i] + gather(friction, j));
            viscous += drag;
        });
        const float per_density = 1 / own.rest_density;
        const Vec3f wall = walls[i].gradient * (-b.w * per_density);
        const float mu = mixed ? 1.f : own.friction;
        acceleration[i] += sum(pressure) * per_density + wall + sum(viscous) * (mu * per_density);
        wall_push[i] = norm(wall);
    }
};

/// Walls that fluid sticks to: μ Σₖ Dₖ (vₖ − vᵢ)/ρ₀.
struct WallViscosity {
    RowFriction friction;
    float wall_friction;
    View<const Vec3f> v;
    View<const WallMotion> motion;
    View<Vec3f> acceleration;

    void operator()(Index i) const {
        const float mu = wall_friction * friction(i),
                    rho = friction.constants[friction.material[i]].rest_density;
        acceleration[i] += (motion[i].pull - motion[i].drag * v[i]) * (mu / rho);
    }
};

}  // namespace

void Fluid::pack_velocity(const Device& device, View<const Vec3f> v) {
    const auto n = static_cast<Index>(v.size());
    velocity_pressure_.resize(n + 1);
    velocity_pressure_[n] = {};
    launch(device, n, [v, out = View(velocity_pressure_)](Index i) {
        out[i] = {v[i].x, v[i].y, v[i].z, out[i].w};
    });
}

void Fluid::find_friction(const Device& device, const ParticleTable& particles) {
    const Index n = particles.size();
    friction_.resize(n + 1);
    const View<const std::uint16_t> material(particles.material);
    launch(
        device, n,
        [=, constants = View<const FluidConstants>(constants_), curves = View<const ViscosityCurve>(curves_),
         t = View<const float>(particles.temperature), out = View(friction_)](Index i) {
            const ViscosityCurve& curve = curves[material[i]];
            out[i] = curve.empty() ? constants[material[i]].friction : curve.at(t[i]);
        });
    for (std::uint16_t k = 0; k < curves_.size(); ++k) {
        if (curves_[k].empty()) continue;
        stiffest_[k] = reduce_max(device, n, 0.f, [=, mu = View(std::as_const(friction_))](Index i) {
            return material[i] == k ? mu[i] : 0.f;
        });
    }
}

void Fluid::compute_forces(const Device& device, const FluidState& state, View<Vec3f> acceleration,
                           View<float> wall_push) {
    const ParticleTable& particles = state.particles;
    const Index n = particles.size();
    const View<const FluidConstants> constants(constants_);
    const View<const std::uint16_t> material(particles.material);
    if (mixed_friction_) find_friction(device, particles);

    const Packed4 *xs = position_volume_.data(), *vs = velocity_pressure_.data();
    with_sizes(kernel_, support_, dimensions_, inverse_support_, [&](const auto& sizes) {
        using S = std::remove_cvref_t<decltype(sizes)>;
        const auto sweep = [&](const auto& viscosity) {
            using V = std::remove_cvref_t<decltype(viscosity)>;
            const auto run = [&]<bool mixed>() {
                launch(device, n, state.rows,
                       Forces<S, V, mixed>{sizes, viscosity, state.neighbours, xs, vs, friction_.data(),
                                           constants, material, state.walls, acceleration, wall_push});
            };
            mixed_friction_ ? run.template operator()<true>() : run.template operator()<false>();
        };
        if (viscous_ && methods_.viscosity == ViscosityMethod::laplacian) {
            sweep(Laplacian{});
        } else if (viscous_ && methods_.viscosity == ViscosityMethod::artificial) {
            sweep(Artificial{static_cast<float>(0.0025 * support_ * support_)});
        } else if (!incompressible() || solids_) {
            sweep(Frictionless{});
        }
    });
    if (tense_)
        surface_tension_.add(device, particles, state.neighbours, state.walls, xs, inverse_support_, tension_,
                             acceleration);
    if (!state.motion.empty() && methods_.viscosity == ViscosityMethod::laplacian) {
        launch(device, n, state.rows,
               WallViscosity{friction(particles), wall_friction_, View<const Vec3f>(particles.velocity),
                             state.motion, acceleration});
    }
}

}  // namespace thixo
