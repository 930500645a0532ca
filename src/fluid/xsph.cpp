#include "fluid/xsph.h"

namespace thixo {

namespace {

/// v̂ᵢ = vᵢ + ε Σⱼ V⁰ⱼ (vⱼ − vᵢ) Wᵢⱼ for liquids; solids keep their shape only if they move as their forces
/// say.
template <class Pairs>
struct SmoothVelocity {
    Pairs pairs;
    const Packed4* velocity;
    View<const Phase> phase;
    float weight;  ///< ε
    View<Vec3f> transport;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        const Packed4 own = velocity[i];
        transport[i] = {own.x, own.y, own.z};
        if (phase[i] != Phase::liquid) return;
        const Vec3<Real> v = spread_vector<Real>(own);
        Vec3<Real> difference{};
        pairs.for_each(width, i, [&](const auto& pair) {
            difference += (pair.of(velocity).xyz - v) * (pair.volume * pair.value());
        });
        transport[i] += weight * width.sum(difference);
    }
};

}  // namespace

void smooth_velocity(const Device& device, const FluidState& state, const Packed4* velocity, float weight,
                     View<Vec3f> transport) {
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(
            device, state.particles.size(),
            SmoothVelocity{pairs, velocity, View<const Phase>(state.particles.phase), weight, transport});
    });
}

}  // namespace thixo
