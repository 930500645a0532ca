#include "fluid/fluid.h"
#include "sph/sizes.h"

namespace thixo {

namespace {

/// Position and rest volume of every row in one record.
struct Pack {
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const Vec3f> x;
    View<const float> m;
    View<Packed4> position_volume;

    void operator()(Index i) const {
        position_volume[i] = {x[i].x, x[i].y, x[i].z, m[i] / constants[material[i]].rest_density};
    }
};

/// ρᵢ = ρ₀ (Σⱼ V⁰ⱼ Wᵢⱼ + γᵢ), self included; for `continuity` of solids alone, whose share of their own sum never changes.
template <class Sizes>
struct Density {
    Sizes sizes;
    Neighbours neighbours;
    const Packed4* position_volume;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const WallTerm> walls;
    View<const Phase> phase;
    bool solids_only;
    View<float> rho;

    void operator()(Index i) const {
        if (solids_only && phase[i] == Phase::liquid) return;
        const Packed4 self = position_volume[i];
        const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
        const auto& w = sizes.of(i);
        Lanes s{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather(position_volume, j);
            s += other.w * w.with(j).value(square_root(norm2(x - other.xyz)));
        });
        rho[i] = constants[material[i]].rest_density * (self.w * w.self() + sum(s) + walls[i].share);
    }
};

}  // namespace

void Fluid::pack_positions(const Device& device, const ParticleTable& particles) {
    const Index n = particles.size();
    position_volume_.resize(n + 1);
    position_volume_[n] = padding_record;
    launch(device, n,
           Pack{constants_, particles.material, particles.position, particles.mass, View(position_volume_)});
}

void Fluid::compute_density(const Device& device, const FluidState& state) {
    ParticleTable& particles = state.particles;
    const Index n = particles.size();
    pack_positions(device, particles);
    invert_supports(device, support_, state.supports, inverse_support_);
    with_sizes(kernel_, support_, dimensions_, inverse_support_, [&](const auto& sizes) {
        launch(device, n, state.rows,
               Density{sizes, state.neighbours, position_volume_.data(),
                       View<const FluidConstants>(constants_), View<const std::uint16_t>(particles.material),
                       state.walls, View<const Phase>(particles.phase),
                       methods_.density == DensityMethod::continuity, View(particles.density)});
    });
}

}  // namespace thixo
