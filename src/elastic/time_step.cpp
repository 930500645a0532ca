#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "elastic/elastic_bodies.h"
#include "elastic/stress.h"

namespace thixo {

namespace {

/// Share of the largest stable step that is taken: forces stiffen when bodies are stretched or pressed.
constexpr double safety = 0.8;

/// Implicit steps have no such limit as long as all is linear. What turns far in a step is not, and the search for the
/// solution takes longer with the length of the step.
constexpr double implicit_steps = 50;

}  // namespace

/// A bound of the highest frequency at each slot, by Gershgorin's circles around the blocks of the stiffness matrix. The strain of
/// slot i is Σₖ uₖ gᵢₖᵀ, gᵢₖ = V̄ₖ wᵢₖ Lᵢ Xₖᵢ and gᵢᵢ = −Σₖ gᵢₖ. What it does not see is less stiff than springs κᵢ + κⱼ:
///
///     mⱼ ωⱼ² ≤ Σᵢ V̄ᵢ (λ + 2μ)ᵢ |gᵢⱼ| Σₖ |gᵢₖ| + 2 Σᵢ (κᵢ + κⱼ) V̄ᵢ V̄ⱼ wᵢⱼ
void ElasticBodies::find_frequencies(const Device& device, View<const Index> slots) {
    const Reference reference = reference_.view();
    const auto slope = [this](Index i, const Vec3f& X, float weight) {
        const SlotBlock& slot = blocks_[i / lane_count];
        return lane(slot.correction.full(), i % lane_count) * X * (weight / volume_[i]);
    };
    const auto for_each_link = [&reference](Index s, const auto& visit) {
        reference.for_each_block(s, [&](const ReferenceBlock& block) {
            for (Index l = 0; l < lane_count; ++l)
                visit(block.neighbour[l], Vec3f{block.x[l], block.y[l], block.z[l]}, block.weight[l]);
        });
    };
    const auto of = [this](const Lanes SlotBlock::*quantity, Index s) {
        return (blocks_[s / lane_count].*quantity)[s % lane_count];
    };
    launch(device, static_cast<Index>(slots.size()), [&](Index k) {
        const Index i = slots[k];
        Vec3f sum{};
        float sizes = 0;
        for_each_link(i, [&](Index, const Vec3f& X, float w) {
            const Vec3f g = slope(i, X, w);
            sum += g;
            sizes += norm(g);
        });
        own_slope_[i] = norm(sum);
        stiffness_[i] =
            volume_[i] * (of(&SlotBlock::lambda, i) + 2 * of(&SlotBlock::mu, i)) * (own_slope_[i] + sizes);
    });
    const std::vector<Index> felt = reference_.with_neighbours(slots);
    launch(device, static_cast<Index>(felt.size()), [&](Index k) {
        const Index j = felt[k];
        float sum = own_slope_[j] * stiffness_[j];
        for_each_link(j, [&](Index i, const Vec3f& X, float w) {
            sum += stiffness_[i] * norm(slope(i, X, w)) +
                   2 * w * (of(&SlotBlock::kappa, i) + of(&SlotBlock::kappa, j));
        });
        frequency_[j] = std::sqrt(sum / mass_[j]);
    });
    highest_frequency_.assign(materials_.size(), 0);
    for (Index s = 0; s < reference_.size(); ++s) {
        float& highest = highest_frequency_[material_[s]];
        highest = std::max(highest, frequency_[s]);
    }
}

/// Symplectic Euler is stable while (ω Δt)² + 2 τ ω² Δt ≤ 4.
void ElasticBodies::limit_time_step(TimeStepLimit& limit) const {
    const bool implicit = methods_.elasticity == ElasticIntegrator::implicit;
    for (std::size_t k = 0; k < highest_frequency_.size(); ++k) {
        if (!(highest_frequency_[k] > 0)) continue;
        const double step = safety * 2 / highest_frequency_[k],
                     tau = implicit ? 0 : materials_[k].solid.damping;
        const double stable = step * step / (tau + std::sqrt(tau * tau + step * step));
        limit.tighten(implicit ? implicit_steps * step : stable, [&] {
            return fmt::format("{} `{}`", tau > step ? "damping of" : "elastic wave in", materials_[k].name);
        });
    }
}

}  // namespace thixo
