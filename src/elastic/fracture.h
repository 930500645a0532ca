#pragma once

#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "core/simd.h"
#include "elastic/places.h"
#include "elastic/reference.h"
#include "particles/material.h"

namespace thixo {

/// When reference neighbours let go of each other: i and j do
///
///     by stretch   |xⱼᵢ| > (1 + b) |Xⱼᵢ|
///     by stress    Xⱼᵢᵀ ½(σᵢ + σⱼ) Xⱼᵢ / |Xⱼᵢ|² > σ_b
///
/// with the smaller `break_strain` b and `break_stress` σ_b of both, σ turned back like X. The tension is
/// that along the link: the largest principal stress would also cut the links across it, which do not carry
/// the load, and turn what breaks into dust. Both say the same from either end, to the bit.
class Fracture {
public:
    explicit Fracture(const std::vector<Material>& materials);

    /// Whether any material breaks at all, and whether by stress.
    bool possible() const { return possible_; }
    bool by_stress() const { return by_stress_; }

    /// The limits of indices of these materials.
    void prepare(const Device& device, View<const std::uint16_t> material);

    /// Stresses of the last forces in the undeformed frame; none where nothing breaks by them.
    void take_stresses(const Device& device, View<const Sym3f> stress);

    /// Sets the lanes of links that must go, for the positions of indices.
    struct Overloaded {
        Places places;
        const float* stretch;  ///< (1 + b)² of each index
        const Packed4*
            stress;  ///< two records an index: σ, w of the first: σ_b; null if nothing breaks by stress

        LaneMask operator()(Index s, const ReferenceBlock& block) const;
    };
    Overloaded overloaded(const Places& places) const {
        return {places, stretch_.data(), by_stress_ ? stress_.data() : nullptr};
    }

    std::size_t bytes() const {
        return stretch_.capacity() * sizeof(float) + stress_.capacity() * sizeof(Packed4);
    }

private:
    struct Limits {
        float stretch, stress;
    };

    std::vector<Limits> limits_;  ///< of each material
    bool possible_ = false, by_stress_ = false;
    std::vector<float> stretch_;
    std::vector<Packed4> stress_;
};

}  // namespace thixo
