#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "fluid/fluid.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// Accelerations from pressure, walls and viscosity, in one sweep over the neighbours:
///
///     ρ₀ aᵢ = − Σⱼ V⁰ⱼ (pᵢ/sᵢ² + pⱼ/sⱼ²) ∇Wᵢⱼ − pᵢ/sᵢ² ∇γᵢ + Σⱼ V⁰ⱼ μᵢⱼ (vⱼ−vᵢ) ∇²Wᵢⱼ
///
/// The pressure term is the symmetric form ([DC99, eq. 8] for equal particles): it carries the whole
/// gradient, where [SSP07, eq. 7] yields half of it. Pressure and wall terms are together the exact gradient
/// of the energy of compression; viscosity is [SSP07, eq. 8]. Each pair's force is antisymmetric after
/// multiplying by V⁰ᵢ, so momentum is conserved.
template <class W, bool mixed_viscosity>
struct Forces {
    W kernel;
    ViscosityKernel<> viscosity_kernel;
    Neighbours neighbours;
    const Packed4* position_volume;
    const Packed4* velocity_pressure;
    const float* viscosity;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const WallTerm> walls;

    FluidTerms terms(Index i) const {
        const Packed4 a = position_volume[i], b = velocity_pressure[i];
        const Vec3<Lanes> x = spread(Vec3f{a.x, a.y, a.z}), v = spread(Vec3f{b.x, b.y, b.z});
        const FluidConstants& own = constants[material[i]];
        const Lanes p = spread<Lanes>(b.w);

        Vec3<Lanes> pressure{}, viscous{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes xj = gather(position_volume, j), vj = gather(velocity_pressure, j);
            const Vec3<Lanes> xij = x - xj.xyz;
            const Lanes r = square_root(norm2(xij));
            pressure -= xij * (xj.w * (p + vj.w) * kernel.gradient_over_distance(r));
            Lanes weight = xj.w * viscosity_kernel.laplacian(r);
            if constexpr (mixed_viscosity) weight *= 0.5f * (own.viscosity + gather(viscosity, j));
            viscous += (vj.xyz - v) * weight;
        });
        const float per_density = 1 / own.rest_density;
        const float mu = mixed_viscosity ? 1.f : own.viscosity;
        return {.pressure = sum(pressure) * per_density,
                .wall = walls[i].gradient * (-b.w * per_density),
                .viscosity = sum(viscous) * (mu * per_density)};
    }
};

/// Calls use(forces) with the loop made for this kernel and these viscosities.
template <class Use>
auto with_forces(bool mixed_viscosity, KernelName name, double support, int dimensions,
                 const Neighbours& neighbours, const Packed4* position_volume,
                 const Packed4* velocity_pressure, const float* viscosity,
                 View<const FluidConstants> constants, View<const std::uint16_t> material,
                 View<const WallTerm> walls, const Use& use) {
    return with_kernel(name, support, dimensions, [&](const auto& kernel) {
        using W = std::remove_cvref_t<decltype(kernel)>;
        const ViscosityKernel<> vk(support, dimensions);
        if (mixed_viscosity) {
            return use(Forces<W, true>{kernel, vk, neighbours, position_volume, velocity_pressure, viscosity,
                                       constants, material, walls});
        }
        return use(Forces<W, false>{kernel, vk, neighbours, position_volume, velocity_pressure, viscosity,
                                    constants, material, walls});
    });
}

}  // namespace

Fluid::Fluid(const std::vector<Material>& materials, KernelName kernel, double support, int dimensions)
    : materials_(materials), kernel_(kernel), support_(support), dimensions_(dimensions) {
    for (const Material& material : materials) {
        constants_.push_back({static_cast<float>(material.density),
                              static_cast<float>(material.liquid.sound_speed * material.liquid.sound_speed),
                              static_cast<float>(material.liquid.viscosity)});
        mixed_viscosity_ |= constants_.back().viscosity != constants_.front().viscosity;
    }
}

void Fluid::compute_forces(const Device& device, const ParticleTable& particles, const Neighbours& neighbours,
                           View<const WallTerm> walls, View<Vec3f> acceleration,
                           View<float> wall_push) const {
    with_forces(mixed_viscosity_, kernel_, support_, dimensions_, neighbours, position_volume_.data(),
                velocity_pressure_.data(), viscosity_.data(), constants_, particles.material, walls,
                [&](const auto& forces) {
                    launch(device, particles.size(), [=](Index i) {
                        const FluidTerms terms = forces.terms(i);
                        acceleration[i] += terms.pressure + terms.wall + terms.viscosity;
                        wall_push[i] = norm(terms.wall);
                    });
                });
}

FluidTerms Fluid::terms(const ParticleTable& particles, const Neighbours& neighbours,
                        View<const WallTerm> walls, Index i) const {
    return with_forces(mixed_viscosity_, kernel_, support_, dimensions_, neighbours, position_volume_.data(),
                       velocity_pressure_.data(), viscosity_.data(), constants_, particles.material, walls,
                       [i](const auto& forces) { return forces.terms(i); });
}

void Fluid::limit_time_step(TimeStepLimit& limit) const {
    for (const Material& material : materials_) {
        // Critical is 0.9 H/c on a lattice; irregular samples and fast flows need the margin.
        limit.tighten(0.2 * support_ / material.liquid.sound_speed,
                      [&] { return fmt::format("sound in `{}`", material.name); });
        // Explicit diffusion with rate ΣV∇²W = 15/H² (3D) or 40/3/H² (2D).
        const double rate = dimensions_ == 2 ? 40.0 / 3 : 15.0;
        limit.tighten(material.density * support_ * support_ / (rate * material.liquid.viscosity),
                      [&] { return fmt::format("viscosity of `{}`", material.name); });
    }
}

std::size_t Fluid::bytes() const {
    return (position_volume_.capacity() + velocity_pressure_.capacity()) * sizeof(Packed4) +
           viscosity_.capacity() * sizeof(float);
}

}  // namespace thixo
