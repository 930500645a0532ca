#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "heat/heat_flow.h"
#include "sph/calibration.h"
#include "sph/neighbours.h"
#include "unit/core/generators.h"

namespace thixo {

/// Particles that conduct, their lists, and no motion.
struct Tray {
    static constexpr double spacing = 0.1, support = 0.2;

    int dimensions;
    std::vector<Material> materials;
    PairRecords records;
    HeatFlow flow;
    ParticleTable particles;
    NeighbourSearch search;
    std::vector<WallHeat> walls;
    std::vector<float> supports;  ///< H of each row

    Tray(int d, std::vector<Material> substances, const Ambient& ambient = {},
         const std::vector<Heater>& heaters = {})
        : dimensions(d),
          materials(std::move(substances)),
          records(materials, {KernelName::cubic_spline, support, d, spacing}),
          flow(materials, ambient, heaters, records.discretisation()) {}

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

    /// Makes a particle so many times as large.
    void scale(Index i, double size) {
        particles.mass[i] *= static_cast<float>(std::pow(size, dimensions));
        particles.radius[i] *= static_cast<float>(size);
    }

    /// A block of particles of one size (in spacings) from one corner to another.
    template <class Temperature>
    void fill_box(const Vec3d& min, const Vec3d& max, double size, const Temperature& temperature_of) {
        const double step = size * spacing;
        const auto count = [&](double length) { return static_cast<int>(std::lround(length / step)); };
        for (int k = 0; k < (dimensions == 2 ? 1 : count(max.z - min.z)); ++k)
            for (int j = 0; j < count(max.y - min.y); ++j)
                for (int i = 0; i < count(max.x - min.x); ++i) {
                    Vec3d x = min + step * Vec3d{i + 0.5, j + 0.5, k + 0.5};
                    if (dimensions == 2) x.z = 0;
                    add(x, temperature_of(x));
                    scale(particles.size() - 1, size);
                }
    }

    /// A block of nx × ny × nz particles, shifted at random by up to `jitter` spacings; temperature_of(x) in
    /// °C.
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
        const auto reach = [&] {
            supports.clear();
            for (const float radius : particles.radius)
                supports.push_back(static_cast<float>(2 * support / spacing) * radius);
        };
        reach();
        particles.permute(device, search.sort(device, particles.position, supports));
        reach();
        search.build(device, particles.position, supports);
    }

    void advance(double dt, double time = 0, const Device& device = {1}) {
        if (search.size() != particles.size()) build();
        const auto usual = static_cast<float>(spacing / 2);
        const bool mixed = std::any_of(particles.radius.begin(), particles.radius.end(),
                                       [=](float radius) { return radius != usual; });
        records.pack(device, particles, mixed ? View<const float>(supports) : View<const float>());
        flow.advance(device, {particles, search.view(), records, walls}, time, dt);
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
