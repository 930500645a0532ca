#pragma once

#include <cmath>
#include <vector>

#include "fluid/fluid.h"
#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/half_space.h"
#include "sph/neighbours.h"
#include "unit/core/generators.h"

namespace thixo {

/// A fluid, its particles and its neighbour lists, without time. Walls are whatever terms a test sets.
struct Tank {
    static constexpr double spacing = 0.1, support = 0.2;

    int dimensions;
    KernelName kernel;
    std::vector<Material> materials;
    ParticleTable particles;
    NeighbourSearch search;
    std::vector<WallTerm> walls;
    bool mixed = false;           ///< sizes differ
    std::vector<float> supports;  ///< H of each row; empty unless sizes differ
    PairRecords records;
    Fluid fluid;
    std::vector<Vec3f> acceleration;
    std::vector<float> wall_push;

    Tank(int d, KernelName name, std::vector<Material> substances, const FluidMethods& methods = {})
        : dimensions(d),
          kernel(name),
          materials(std::move(substances)),
          records(materials, discretisation()),
          fluid(materials, methods, discretisation()) {}

    Discretisation discretisation() const { return {kernel, support, dimensions, spacing}; }
    FluidState state() { return {particles, search.view(), records, walls}; }

    double rest_mass(const Material& material) const {
        return material.density * rest_volume(kernel, support, dimensions, Lattice::cubic, spacing);
    }

    void add(const Vec3f& x, const Vec3f& v = {}, std::uint16_t material = 0) {
        const Index i = particles.size();
        particles.resize(i + 1);
        particles.id[i] = i;
        particles.position[i] = x;
        particles.velocity[i] = v;
        particles.material[i] = material;
        particles.mass[i] = static_cast<float>(rest_mass(materials[material]));
        particles.radius[i] = static_cast<float>(spacing / 2);
    }

    /// Makes a particle `size` times as large as it was.
    void scale(Index i, double size) {
        particles.mass[i] *= static_cast<float>(std::pow(size, dimensions));
        particles.radius[i] *= static_cast<float>(size);
        mixed = true;
    }

    /// H of each row.
    std::vector<float> reach() const {
        std::vector<float> h;
        for (const float radius : particles.radius)
            h.push_back(mixed ? static_cast<float>(2 * support / spacing) * radius
                              : static_cast<float>(support));
        return h;
    }

    /// n particles to each side, `pitch` apart, shifted at random by up to `jitter`; materials and velocities
    /// at random too.
    void fill(int n, double pitch, double jitter, Stream& random) {
        const auto count = static_cast<std::uint32_t>(materials.size());
        for (int k = 0; k < (dimensions == 2 ? 1 : n); ++k) {
            for (int j = 0; j < n; ++j) {
                for (int i = 0; i < n; ++i) {
                    Vec3d x =
                        pitch * Vec3d{i + 0.5, j + 0.5, k + 0.5} + jitter * to_double(random.point(-1, 1));
                    Vec3f v = random.point(-1, 1);
                    if (dimensions == 2) x.z = v.z = 0;
                    add(to_float(x), v, static_cast<std::uint16_t>(random.below(count)));
                }
            }
        }
    }

    /// Lists, densities, pressures and accelerations for the positions and wall terms as they are.
    void evaluate(const Device& device = {1}) {
        particles.permute(device, search.sort(device, particles.position, reach()));
        search.build(device, particles.position, reach());
        supports = mixed ? reach() : std::vector<float>{};
        walls.resize(particles.size());
        if (sense_walls) sense_walls(*this);
        records.pack(device, particles, supports);
        fluid.compute_density(device, state());
        fluid.compute_pressure(device, particles);
        acceleration.assign(particles.size(), Vec3f{});
        wall_push.assign(particles.size(), 0);
        fluid.compute_forces(device, state(), acceleration, wall_push);
    }

    void (*sense_walls)(Tank&) = nullptr;  ///< fills `walls`

    Vec3d force(Index i) const { return double{particles.mass[i]} * to_double(acceleration[i]); }
};

inline constexpr KernelName kernel_names[] = {KernelName::spiky, KernelName::poly6, KernelName::cubic_spline,
                                              KernelName::wendland_c2, KernelName::cosine};

inline Material water(double viscosity = 0) {
    return {
        .name = "water", .density = 1000, .liquid = {.sound_speed = 20, .viscosity = viscosity}, .heat = {}};
}

inline Material oil(double viscosity = 0) {
    return {.name = "oil", .density = 600, .liquid = {.sound_speed = 15, .viscosity = viscosity}, .heat = {}};
}

}  // namespace thixo
