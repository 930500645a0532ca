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
    highest_frequency_.resize(materials_.size());
    const std::vector<Index> felt = reference_.with_neighbours(device, slots);
    launch<small_grain>(device, static_cast<Index>(felt.size()), [&](Index k) {
        const Index j = felt[k];
        reference.prefetch_after(felt, k);
        const float kappa = bounds_[j].beside.w;
        Lanes bound{};
        reference.for_each_block(j, [&](const ReferenceBlock& block) {
            const auto [d, stiffness] = gather<2>(&bounds_.data()->diagonal, block.neighbour);
            const auto [o, other_kappa] = gather<2>(&bounds_.data()->beside, block.neighbour);
            const Mat3<Lanes> L{{d.x, o.z, o.y}, {o.z, d.y, o.x}, {o.y, o.x, d.z}};
            bound +=
                (stiffness * square_root(norm2(L * block.X())) + 2.f * (other_kappa + kappa)) * block.w();
        });
        frequency_[j] = std::sqrt((own_bound_[j] + sum(bound)) / mass_[j]);
    });
    for (std::uint16_t m = 0; m < materials_.size(); ++m) {
        highest_frequency_[m] = reduce_max(device, reference_.size(), 0.f, [this, m](Index s) {
            return material_[s] == m ? frequency_[s] : 0.f;
        });
    }
}

/// What slot i adds to those bounds.
void ElasticBodies::bound_stiffness(Index i) {
    const Index l = i % lane_count;
    const SlotBlock& slot = blocks_[i / lane_count];
    const Mat3f correction = lane(slot.correction.full(), l);
    const Mat3<Lanes> L = spread(correction);
    Vec3<Lanes> slopes{};
    Lanes sizes{};
    reference_.view().for_each_block(i, [&](const ReferenceBlock& block) {
        const Vec3<Lanes> g = L * (block.X() * block.w());
        slopes += g;
        sizes += square_root(norm2(g));
    });
    const float own = norm(sum(slopes)) / volume_[i], all = own + sum(sizes) / volume_[i],
                stiffness = (slot.lambda[l] + 2 * slot.mu[l]) * all;
    bounds_[i] = {{correction.x.x, correction.y.y, correction.z.z, stiffness},
                  {correction.y.z, correction.x.z, correction.x.y, slot.kappa[l]}};
    own_bound_[i] = volume_[i] * stiffness * own;
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
