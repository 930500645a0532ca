#pragma once

#include <vector>

#include "heat/heat_flow.h"
#include "sph/calibration.h"
#include "unit/core/generators.h"

namespace thixo {

/// Particles that conduct, their lists, and no motion.
struct Tray {
    static constexpr double spacing = 0.1, support = 0.2;

    int dimensions;
    std::vector<Material> materials;
    HeatFlow flow;
    ParticleTable particles;
    NeighbourSearch search;
    std::vector<WallHeat> walls;

    Tray(int d, std::vector<Material> substances, const Ambient& ambient = {},
         const std::vector<Heater>& heaters = {})
        : dimensions(d),
          materials(std::move(substances)),
          flow(materials, ambient, heaters, KernelName::cubic_spline, support, d, spacing) {}

    void add(const Vec3d& x, double temperature, std::uint16_t material = 0, Phase phase = Phase::elastic) {
        const Index i = particles.size();
        particles.resize(i + 1);
        particles.id[i] = i;
        particles.position[i] = to_float(x);
        particles.mass[i] = static_cast<float>(
            materials[material].density *
            rest_volume(KernelName::cubic_spline, support, dimensions, Lattice::cubic, spacing));
        particles.radius[i] = static_cast<float>(spacing / 2);
        particles.material[i] = material;
        particles.phase[i] = phase;
        particles.temperature[i] = static_cast<float>(temperature);
        particles.latent[i] =
            static_cast<float>(HeatConstants(materials[material]).latent_at(temperature, phase));
    }

    /// A block of nx × ny × nz particles, shifted at random by up to `jitter` spacings; temperature_of(x) in °C.
    template <class Temperature>
    void fill(int nx, int ny, int nz, const Temperature& temperature_of, double jitter = 0,
              Stream random = Stream(1)) {
        for (int k = 0; k < (dimensions == 2 ? 1 : nz); ++k) {
            for (int j = 0; j < ny; ++j) {
                for (int i = 0; i < nx; ++i) {
                    Vec3d x = spacing *
                              (Vec3d{i + 0.5, j + 0.5, k + 0.5} + jitter * to_double(random.point(-1, 1)));
                    if (dimensions == 2) x.z = 0;
                    const auto material = static_cast<std::uint16_t>(
                        random.below(static_cast<std::uint32_t>(materials.size())));
                    add(x, temperature_of(x), material);
                }
            }
        }
    }

    void build(const Device& device = {1}) {
        const std::vector<float> supports(particles.size(), static_cast<float>(support));
        particles.permute(device, search.sort(device, particles.position, supports));
        search.build(device, particles.position, supports);
    }

    void advance(double dt, double time = 0, const Device& device = {1}) {
        if (search.size() != particles.size()) build();
        flow.advance(device, {particles, search.view(), walls}, time, dt);
    }

    double heat() const {
        double sum = 0;
        for (Index i = 0; i < particles.size(); ++i) sum += particles.mass[i] * content(i);
        return sum;
    }
    double content(Index i) const {
        return materials[particles.material[i]].heat.specific_heat * particles.temperature[i] +
               particles.latent[i] + particles.heat_low[i];
    }
};

inline Material wax(double conductivity = 1) {
    Material out{.name = "wax", .density = 1000};
    out.heat.specific_heat = 2000;
    out.heat.conductivity = conductivity;
    return out;
}

inline Material melting_wax(double conductivity, double freezing, double melting, double latent) {
    Material out = wax(conductivity);
    out.heat.freezing_point = freezing;
    out.heat.melting_point = melting;
    out.heat.latent_heat = latent;
    return out;
}

inline Material brass(double conductivity = 100) {
    Material out{.name = "brass", .density = 8000};
    out.heat.specific_heat = 400;
    out.heat.conductivity = conductivity;
    return out;
}

}  // namespace thixo
