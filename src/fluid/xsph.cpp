#include "fluid/fluid.h"
#include "sph/sizes.h"

namespace thixo {

namespace {

/// v̂ᵢ = vᵢ + ε Σⱼ V⁰ⱼ (vⱼ − vᵢ) Wᵢⱼ for liquids; solids keep their shape only if they move as their forces say.
template <class Sizes>
struct SmoothVelocity {
    Sizes sizes;
    Neighbours neighbours;
    const Packed4* position_volume;
    const Packed4* velocity;
    View<const Phase> phase;
    float share;
    View<Vec3f> transport;

    void operator()(Index i) const {
        const Packed4 a = position_volume[i], b = velocity[i];
        transport[i] = {b.x, b.y, b.z};
        if (phase[i] != Phase::liquid) return;
        const Vec3<Lanes> x = spread(Vec3f{a.x, a.y, a.z}), v = spread(Vec3f{b.x, b.y, b.z});
        const auto& w = sizes.of(i);
        Vec3<Lanes> difference{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes xj = gather(position_volume, j), vj = gather(velocity, j);
            difference += (vj.xyz - v) * (xj.w * w.with(j).value(square_root(norm2(x - xj.xyz))));
        });
        transport[i] += share * sum(difference);
    }
};

}  // namespace

void Fluid::smooth_velocity(const Device& device, const FluidState& state, View<Vec3f> transport) {
    pack_velocity(device, state.particles.velocity);
    with_sizes(kernel_, support_, dimensions_, inverse_support_, [&](const auto& sizes) {
        launch(device, state.particles.size(),
               SmoothVelocity{sizes, state.neighbours, position_volume_.data(), velocity_pressure_.data(),
                              View<const Phase>(state.particles.phase), static_cast<float>(methods_.xsph),
                              transport});
    });
}

}  // namespace thixo
