#pragma once

#include <algorithm>

#include "fluid/constants.h"
#include "fluid/density.h"
#include "fluid/dfsph.h"
#include "sph/pairs.h"

namespace thixo {

// The pair loops of Dfsph (dfsph.h has the equations).

/// What liquid adds at least to the sum of a rigid particle at the surface of its body: behind it are
/// particles that are full by their body alone, and could only be relieved of what far neighbours add by
/// impulses without bound. Beside a flat surface the outermost layer gets 0.16, the next one 0.01.
inline constexpr float wet = 0.05f;

/// In one sweep: ρᵢ = ρ₀ᵢ (Σⱼ V⁰ⱼ Wᵢⱼ + γᵢ), gᵢ = Σⱼ V⁰ⱼ ∇Wᵢⱼ + ∇γᵢ and αᵢ, such that J = α × (rate of
/// compression) does not overshoot. With uᵢᵢ = |gᵢ|, uᵢⱼ = V⁰ⱼ |∇Wᵢⱼ| and the mean density ρ̄ᵢ = Σⱼ uᵢⱼ ρ₀ⱼ /
/// Σⱼ uᵢⱼ
///
///     1/αᵢ = λ (|gᵢ|² + V⁰ᵢ Σⱼ V⁰ⱼ |∇Wᵢⱼ|²)/ρ̄ᵢ + τ Σⱼ uᵢⱼ (1/ρ₀ⱼ − 1/ρ̄ᵢ)
///
/// Where sizes of particles differ, W is the mean of both kernels, and the density is what it and the row's
/// kernel agree on: errors of the sums where sizes meet, and jumps where particles split, are not compression
/// that impulses should remove. λ is that of equal particles: in bands of one, two and four times the size
/// the largest eigenvalue is within 4 % of that of the lattice. Rows without a pressure that is solved for
/// have α = 0: rigid ones that no liquid is beside.
///
/// Besides the rate of compression of the velocities as they are, as by DfsphCompression, whose pass it
/// saves.
template <class Pairs>
struct DfsphDiagonal {
    Pairs pairs;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const Phase> phase;
    const float* rest_density;  ///< ρ₀ of each row; null while all materials have the same
    DfsphLattice lattice;
    View<const WallTerm> walls;
    int dimensions;
    View<float> rho;
    View<Packed4> gradient;
    const Packed4* flow;   ///< V⁰v, two records from one row to the next
    View<float> fullness;  ///< −Σⱼ V⁰ⱼ xᵢⱼ·∇Wᵢⱼ/d, 1 inside
    View<float> rate;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        const float rest = constants[material[i]].rest_density;
        const bool mixed = rest_density != nullptr;
        Vec3<Real> g{};
        Real s{}, gathered{}, squares{}, moment{}, reach{}, heavy{}, light{}, inflow{};
        pairs.for_each(width, i, [&](const auto& pair) {
            const Real slope = pair.gradient();
            s += pair.volume * pair.value();
            g += pair.x * (pair.volume * slope);
            const Real along = pair.volume * slope * pair.r2;
            moment += along;
            squares += along * slope;
            inflow += dot(pair.template of<2>(flow).xyz, pair.x) * slope;
            if constexpr (Pairs::mixed) gathered += pair.volume * pair.smoothing.own_value(pair.r);
            if (!mixed) return;
            const Real u = -pair.volume * slope * pair.r, density = pair.of(rest_density);
            reach += u;
            heavy += u * density;
            light += u / density;
        });
        const Packed4& self = pairs.self(i);
        const float beside = width.sum(s);
        float compression = self.w * pairs.row(i).self() + beside + walls[i].gamma;
        if constexpr (Pairs::mixed) {
            const float alone = self.w * pairs.row(i).self() + walls[i].gamma;
            compression = 1 + agreed_error(compression - 1, alone + width.sum(gathered) - 1);
        }
        rho[i] = rest * compression;
        fullness[i] = -width.sum(moment) / static_cast<float>(dimensions);
        const Vec3f total = width.sum(g) + walls[i].gradient;
        const Packed4 own_flow = flow[2 * i];
        rate[i] = dot(Vec3f{own_flow.x, own_flow.y, own_flow.z}, total) / self.w - width.sum(inflow);
        const float own = norm(total), all = own + width.sum(reach);
        const float mean = mixed && all > 0 ? (own * rest + width.sum(heavy)) / all : rest;
        const float excess = mixed ? std::max(0.f, own / rest + width.sum(light) - all / mean) : 0.f;
        const float diagonal =
            lattice.eigenvalue * (own * own + self.w * width.sum(squares)) / mean + lattice.pull * excess;
        const bool solved = phase[i] != Phase::rigid || beside > wet;
        gradient[i] = {total.x, total.y, total.z, solved && diagonal > 0 ? 1 / diagonal : 0.f};
    }
};

/// Rate of compression of velocities packed as V⁰v: vᵢ·gᵢ − Σⱼ V⁰ⱼ vⱼ·∇Wᵢⱼ.
template <class Pairs>
struct DfsphCompression {
    Pairs pairs;
    const Packed4* flow;  ///< V⁰v, two records from one row to the next
    const Packed4* position_volume;
    View<const Packed4> gradient;

    template <class Width>
    float operator()(const Width& width, Index i) const {
        typename Width::Real rate{};
        pairs.for_each(width, i, [&](const auto& pair) {
            rate += dot(pair.template of<2>(flow).xyz, pair.x) * pair.gradient();
        });
        const Packed4 own = flow[2 * i], g = gradient[i];
        return (own.x * g.x + own.y * g.y + own.z * g.z) / position_volume[i].w - width.sum(rate);
    }
};

/// V⁰ᵢ Δvᵢ = −V⁰ᵢ (Jᵢ gᵢ + Σⱼ V⁰ⱼ Jⱼ ∇Wᵢⱼ)/ρ₀ᵢ; the records of the pairs are (x, V⁰J).
template <class Pairs>
struct DfsphPush {
    Pairs pairs;
    const Packed4* position_volume;
    View<const Packed4> gradient;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;

    template <class Width>
    Vec3f operator()(const Width& width, Index i) const {
        Vec3<typename Width::Real> push{};
        pairs.for_each(width, i, [&](const auto& pair) {
            const auto impulse = pair.volume;  // V⁰ⱼ Jⱼ
            push += pair.x * (impulse * pair.gradient());
        });
        const Packed4 g = gradient[i];
        const float volume = position_volume[i].w;
        return (volume * width.sum(push) + pairs.self(i).w * Vec3f{g.x, g.y, g.z}) *
               (-1 / constants[material[i]].rest_density);
    }
};

}  // namespace thixo
