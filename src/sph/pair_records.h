#pragma once

#include <vector>

#include "core/launch.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/pairs.h"

namespace thixo {

/// What pair loops read of every particle: position and rest volume V⁰ = m/ρ₀ in one record and, where sizes
/// differ, 1/H. Packed once a step, when positions have changed, and shared by all modules. Arrays have an
/// entry for the padding of the lists.
class PairRecords {
public:
    PairRecords(const std::vector<Material>& materials, const Discretisation& discretisation);

    /// For the rows as they are. `supports` are those of each row (m); empty if all have the model's.
    void pack(const Device& device, const ParticleTable& particles, View<const float> supports = {});

    const Packed4* position_volume() const { return position_volume_.data(); }
    const Discretisation& discretisation() const { return discretisation_; }
    std::size_t bytes() const;

    /// Calls use(pairs), the PairLoop of the scene's kernel and of particles of one size or of several.
    template <class Use>
    void with_pairs(const Neighbours& neighbours, const Use& use) const {
        with_sizes(discretisation_, inverse_support_, [&](const auto& sizes) {
            use(PairLoop<std::remove_cvref_t<decltype(sizes)>>{sizes, neighbours, position_volume_.data()});
        });
    }

    /// The same for loops that use the viscosity kernel alone.
    template <class Use>
    auto with_viscosity_pairs(const Neighbours& neighbours, const Use& use) const {
        return with_viscosity_sizes(discretisation_, inverse_support_, [&](const auto& sizes) {
            return use(
                PairLoop<std::remove_cvref_t<decltype(sizes)>>{sizes, neighbours, position_volume_.data()});
        });
    }

private:
    Discretisation discretisation_;
    std::vector<float> rest_density_;  ///< ρ₀ of each material, kg/m³
    std::vector<Packed4> position_volume_;
    std::vector<float> inverse_support_;  ///< 1/H; empty while all are the same
};

/// Runs a pair loop, body(width, i), for some of the rows i < n, or all.
template <class Body>
void launch_pairs(const Device& device, Index n, const Rows& rows, const Body& body) {
    launch(device, n, rows, [body](Index i) { body(EightLanes{}, i); });
}
template <class Body>
void launch_pairs(const Device& device, Index n, const Body& body) {
    launch(device, n, [body](Index i) { body(EightLanes{}, i); });
}

}  // namespace thixo
