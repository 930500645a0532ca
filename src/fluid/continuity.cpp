#include "fluid/fluid.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// dsᵢ/dt = Σⱼ V⁰ⱼ (vᵢ − vⱼ)·∇Wᵢⱼ   [DC99, eq. 10–11]
///
/// The velocities must be the kicked ones and the separations those at mid-step, xᵢⱼ + ½Δt vᵢⱼ: with old velocities an
/// undamped ball blows up, with old separations its energy doubles. Near a wall the sum lacks what lies behind it; that
/// share follows from the distance to the wall and needs no equation of its own.
template <class W>
struct Continuity {
    W kernel;
    Neighbours neighbours;
    const Packed4* position_volume;
    const Packed4* velocity;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const Phase> phase;
    float dt;
    View<float> rho;

    void operator()(Index i) const {
        if (phase[i] != Phase::liquid) return;  // summed
        const Packed4 a = position_volume[i], b = velocity[i];
        const Vec3<Lanes> x = spread(Vec3f{a.x, a.y, a.z}), v = spread(Vec3f{b.x, b.y, b.z});
        const Lanes half = spread<Lanes>(0.5f * dt);
        Lanes rate{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes xj = gather(position_volume, j), vj = gather(velocity, j);
            const Vec3<Lanes> vij = v - vj.xyz, xij = x - xj.xyz + vij * half;
            rate += xj.w * dot(vij, xij) * kernel.gradient_over_distance(square_root(norm2(xij)));
        });
        rho[i] += dt * sum(rate) * constants[material[i]].rest_density;
    }
};

}  // namespace

void Fluid::advance_density(const Device& device, const FluidState& state, View<const Vec3f> transport,
                            float dt) {
    pack_velocity(device, transport);
    with_kernel(kernel_, support_, dimensions_, [&](const auto& kernel) {
        launch(device, state.particles.size(),
               Continuity{kernel, state.neighbours, position_volume_.data(), velocity_pressure_.data(),
                          View<const FluidConstants>(constants_),
                          View<const std::uint16_t>(state.particles.material),
                          View<const Phase>(state.particles.phase), dt, View(state.particles.density)});
    });
}

}  // namespace thixo
