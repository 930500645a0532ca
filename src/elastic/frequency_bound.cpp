#include "elastic/frequency_bound.h"

#include <cmath>

#include <fmt/core.h>

#include "core/eight.h"

namespace thixo {

namespace {

/// Fraction of the largest stable step that is taken: forces stiffen when bodies are stretched or pressed.
/// Measured: the bound is 1 to 2 times the true frequency (docs/theory/elastic.md, "Time step"), so that this
/// is what bodies without damping rely on when they are deformed.
constexpr double safety = 0.8;

/// Length of implicit steps in explicit ones. The linear system has no such limit; what turns far in a step
/// is not linear, and the number of iterations grows with the length of the step, measured in
/// docs/theory/implicit_elasticity.md.
constexpr double implicit_steps = 50;

}  // namespace

void FrequencyBound::resize(Index n) {
    terms_.resize(n);
    own_.resize(n);
    frequency_.resize(n);
}

void FrequencyBound::precompute(const Reference& reference, const ElasticBlock& block, float volume,
                                Index i) {
    const Index l = i % lane_count;
    const Mat3f correction = lane(block.correction.full(), l);
    const Mat3<Lanes> L = spread(correction);
    Vec3<Lanes> slopes{};
    Lanes sizes{};
    reference.for_each_block(i, [&](const ReferenceBlock& links) {
        const Vec3<Lanes> g = L * (links.X() * links.w());
        slopes += g;
        sizes += square_root(norm2(g));
    });
    const float own = norm(sum(slopes)) / volume, all = own + sum(sizes) / volume,
                stiffness = (block.lambda[l] + 2 * block.mu[l]) * all;
    terms_[i] = {{correction.x.x, correction.y.y, correction.z.z, stiffness},
                 {correction.y.z, correction.x.z, correction.x.y, block.kappa[l]}};
    own_[i] = volume * stiffness * own;
}

void FrequencyBound::refresh(const Device& device, const ElasticColumns& columns,
                             const ReferenceNeighbourhoods& links, View<const Index> indices,
                             std::size_t materials) {
    const Reference reference = links.view();
    highest_.resize(materials);
    const std::vector<Index> felt = links.with_neighbours(device, indices);
    launch<small_grain>(device, static_cast<Index>(felt.size()), [&](Index k) {
        const Index j = felt[k];
        reference.prefetch_after(felt, k);
        const float kappa = terms_[j].beside.w;
        Lanes bound{};
        reference.for_each_block(j, [&](const ReferenceBlock& block) {
            const auto [d, stiffness] = gather<2>(&terms_.data()->diagonal, block.neighbour);
            const auto [o, other_kappa] = gather<2>(&terms_.data()->beside, block.neighbour);
            const Mat3<Lanes> L{{d.x, o.z, o.y}, {o.z, d.y, o.x}, {o.y, o.x, d.z}};
            bound +=
                (stiffness * square_root(norm2(L * block.X())) + 2.f * (other_kappa + kappa)) * block.w();
        });
        frequency_[j] = std::sqrt((own_[j] + sum(bound)) / columns.mass[j]);
    });
    for (std::uint16_t m = 0; m < materials; ++m) {
        highest_[m] = reduce_max(device, reference.size(), 0.f, [this, &columns, m](Index s) {
            return columns.material[s] == m ? frequency_[s] : 0.f;
        });
    }
}

/// Symplectic Euler is stable while (ω Δt)² + 2 τ ω² Δt ≤ 4.
void FrequencyBound::limit_time_step(const std::vector<Material>& materials, ElasticIntegrator integrator,
                                     TimeStepLimit& limit) const {
    const bool implicit = integrator == ElasticIntegrator::implicit;
    for (std::size_t k = 0; k < highest_.size(); ++k) {
        if (!(highest_[k] > 0)) continue;
        const double step = safety * 2 / highest_[k], tau = implicit ? 0 : materials[k].solid.damping;
        const double stable = step * step / (tau + std::sqrt(tau * tau + step * step));
        limit.tighten(implicit ? implicit_steps * step : stable, [&] {
            return fmt::format("{} `{}`", tau > step ? "damping of" : "elastic wave in", materials[k].name);
        });
    }
}

}  // namespace thixo
