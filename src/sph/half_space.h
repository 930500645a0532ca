#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/vec.h"
#include "sph/discretisation.h"

namespace thixo {

/// Fractions of two walls' gradients that count where the walls overlap.
struct Overlap {
    float before, added;
};

/// γ of the matter behind both of two walls, and its derivatives with respect to that of each.
struct BehindBoth {
    float gamma, by_first, by_second;
};

/// γ of the matter behind two walls whose normals have that cosine, from the γ of each: the product for
/// perpendicular walls, nothing for opposite ones, the lesser for parallel ones that face the same way. In
/// between, of all functions with these limits one that is smooth (Plackett 1965),
///
///     C = 2 θ a b/(S + √(S² − 4 a b θ (θ − 1))),   S = 1 + (θ − 1) (a + b)
///
/// with the θ that gives the wedge behind both its part of the surroundings where both surfaces meet, a = b =
/// ½: √θ/(2 (1 + √θ)) = ¼ + asin(c)/2π.
BehindBoth behind_both(float first, float second, float cosine);

/// What walls add to a particle's kernel sums: the sum γ = Σ V⁰ W over the matter they are thought to be made
/// of, and its gradient with respect to the particle's position.
struct WallTerm {
    Vec3f gradient{};
    float gamma = 0;

    /// Adds another wall. Matter behind both must count once.
    /// Returns how much of each wall's gradient counts.
    Overlap add(const WallTerm& other) {
        if (gamma == 0) {
            *this = other;
            return {0, 1};
        }
        const float product = norm(gradient) * norm(other.gradient);
        const BehindBoth both =
            behind_both(gamma, other.gamma, product > 0 ? dot(gradient, other.gradient) / product : -1.f);
        const Overlap count{1 - both.by_first, 1 - both.by_second};
        gradient = gradient * count.before + other.gradient * count.added;
        gamma += other.gamma - both.gamma;
        return count;
    }
};

/// How walls that move, or that fluid sticks to, act on a particle's velocity. Dₖ is what wall k adds to the
/// Laplacian's weights Σ V⁰ ∇²W.
struct WallMotion {
    Vec3f pull{};        ///< Σₖ Dₖ vₖ, vₖ the wall's velocity, 1/(m s)
    float drag = 0;      ///< Σₖ Dₖ, 1/m²
    float approach = 0;  ///< Σₖ vₖ·∇γₖ, 1/s: how fast their motion takes compression away
};

/// What walls do to a particle's heat. The weights are those of the Laplacian, Σ V⁰ ∇²W, in 1/m²; the last
/// two are those of a particle of the model's size that is as many of its supports away, as weights are
/// summed for particles of any size.
struct WallHeat {
    float exchange =
        0;  ///< Σₖ Eₖ: with the particle's conductivity k and volume V, k V Eₖ (Tₖ − T) comes from wall k
    float pull = 0;    ///< Σₖ Eₖ Tₖ, °C/m²
    float matter = 0;  ///< of walls that conduct as the particle itself would
    float cover = 0;   ///< of all walls: no air reaches the particle there
};

/// What a wall's term is made for.
enum class WallForm {
    energy,   ///< pressure that follows from the density: the force is the gradient of an energy
    impulses  ///< pressure that is solved for, as `dfsph` does
};

/// Kernel sums over a wall: a half space filled with layers of particles at the fluid's own spacing ℓ, the
/// first half a spacing behind the surface, smeared out within each layer:
///
///     Γ(d) = ℓ V⁰/ℓᵈ Σₖ A(d + (k+½) ℓ),   A(z) = ∫ W over the plane at distance z.
///
/// On a lattice that rests against the wall, Γ(ℓ/2) completes the density sum to 1 and 2 p Γ' balances the
/// pressure of the fluid, the sum within 1 % and the force within 5 %. (The
/// plain integral of W over the half space does neither: at ℓ/2 it is 5 % of the density too large, and
/// throws a resting fluid into the air.)
///
/// A wall that pushes with 2 p Γ' has no energy, though: its stiffness is not symmetric, and it pumps energy
/// into a still pool until that boils. The force with an energy is p γ' for whatever γ(d) stands in the
/// density sum. So γ is Γ, steepened twofold about the rest distance,
///
///     γ(d) = Γ(ℓ/2 + 2 (d − ℓ/2)),
///
/// which has the right value and the right force there, and conserves energy everywhere.
///
/// Beyond the rest distance it falls too fast, though: fluid in disorder lacks density there, and makes up
/// for it with a sheet at the wall that is too dense to be parted. Where pressure is solved for there is no
/// stiffness to be symmetric: whatever gradient stands in the rate of compression and in the push, the two
/// are each other's transpose. So `impulses` takes
///
///     γ(d) = Γ(ℓ/2 + 3/2 (d − ℓ/2)) for d > ℓ/2,   |∇γ| = −2 Γ' at the same place.
///
/// The gradient is that of fluid whose mirror images move as it does. γ lies halfway between that and
/// layers that stay where they are, as they do (but for its own image) when a particle leaves the wall alone.
class HalfSpaceIntegral {
public:
    explicit HalfSpaceIntegral(const Discretisation& discretisation);

    /// From this distance (m) on a wall is not felt.
    float reach() const { return support_; }

    /// The wall at signed distance d with unit normal n pointing into the fluid.
    WallTerm at(float d, const Vec3f& n, WallForm form = WallForm::energy) const {
        if (d >= support_) return {};
        const Layers& layers = form == WallForm::energy ? energy_ : impulses_;
        return {-interpolate(layers.slope, d) * n, interpolate(layers.gamma, d)};
    }

    /// The same for a particle that is `size` times as large: all lengths scale.
    WallTerm at(float d, const Vec3f& n, float size, WallForm form = WallForm::energy) const {
        const WallTerm term = at(d / size, n, form);
        return {term.gradient / size, term.gamma};
    }

    /// What a wall that holds the fluid adds to the weights Σ V⁰ ∇²W of the viscosity kernel. Its layers move
    /// such that the velocity is the wall's at the surface: beyond it, at depth z, it differs from the
    /// particle's by 1 + z/d as much.
    float drag(float d) const { return d >= support_ ? 0.f : interpolate(drag_, d); }
    float drag(float d, float size) const { return drag(d / size) / (size * size); }

    /// What its layers add to those weights if they are as the particle is.
    float weight(float d) const { return d >= support_ ? 0.f : interpolate(weight_, d); }

private:
    static constexpr int intervals = 512;
    using Table = std::array<float, intervals + 1>;

    /// γ and the length of its gradient over d from −H to H.
    struct Layers {
        Table gamma, slope;
    };

    /// Makes `layers` Γ, steepened about the rest distance; all of them, or those from there on.
    static void steepen(double steepness, bool beyond_rest, const Discretisation& discretisation,
                        Layers& layers);

    float interpolate(const Table& table, float d) const {
        const float u = std::max(0.f, (d + support_) * scale_);
        const int k = std::min(static_cast<int>(u), intervals - 1);
        return table[k] + (u - static_cast<float>(k)) * (table[k + 1] - table[k]);
    }

    float support_, scale_;
    Layers energy_, impulses_;
    Table drag_, weight_;  ///< over d from −H to H
};

}  // namespace thixo
