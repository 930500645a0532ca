#pragma once

#include <vector>

#include "adapt/adaptivity.h"
#include "particles/lattice.h"
#include "sph/calibration.h"
#include "unit/core/generators.h"

namespace thixo {

/// A block of liquid on a lattice, without time. All of it is far from any surface: walls are thought around
/// it.
struct Pool {
    static constexpr double spacing = 0.1, support = 0.2;

    int dimensions;
    std::vector<Material> materials{{.name = "water", .heat = {}},
                                    {.name = "oil", .density = 700, .heat = {}}};
    AdaptivitySettings settings{.coarsest = 4, .surface = {}, .refine = {}, .simplify = {}};
    ParticleTable particles;
    NeighbourSearch search;
    std::vector<float> supports;
    std::vector<WallTerm> walls;
    std::vector<float> limits;
    std::uint64_t next_id = 0, step = 0;

    Pool(int d, int n, double jitter, std::uint64_t seed) : dimensions(d) {
        Stream random(seed);
        const double volume = rest_volume(KernelName::cubic_spline, support, d, Lattice::cubic, spacing);
        for (int k = 0; k < (d == 2 ? 1 : n); ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    Vec3d x =
                        spacing * Vec3d{i + 0.5, j + 0.5, k + 0.5} + jitter * to_double(random.point(-1, 1));
                    Vec3f v = 0.01f * random.point(-1, 1);
                    if (d == 2) x.z = v.z = 0;
                    add(to_float(x), v, whole_mass(static_cast<float>(1000 * volume)));
                }
        list();
    }

    void add(const Vec3f& x, const Vec3f& v, float mass) {
        const Index i = particles.size();
        particles.resize(i + 1);
        particles.id[i] = static_cast<std::uint32_t>(next_id++);
        particles.position[i] = x;
        particles.velocity[i] = v;
        particles.mass[i] = mass;
        particles.radius[i] = static_cast<float>(spacing / 2);
        particles.density[i] = 1000;
        particles.temperature[i] = static_cast<float>(10 + i % 7);
    }

    void list() {
        const Device device{1};
        for (int round = 0; round < 2; ++round) {
            supports.clear();
            for (const float radius : particles.radius)
                supports.push_back(static_cast<float>(2 * support / spacing) * radius);
            if (round == 0) particles.permute(device, search.sort(device, particles.position, supports));
        }
        search.build(device, particles.position, supports);
        limits.assign(particles.size(), 4);
        // Whatever is missing at the edge of the block is thought to be wall.
        const float far = high();
        walls.assign(particles.size(), {});
        for (Index i = 0; i < particles.size(); ++i) {
            const float edge = supports[i];
            const Vec3f& x = particles.position[i];
            if (std::min({x.x, x.y, dimensions == 3 ? x.z : x.y}) < edge ||
                std::max({x.x, x.y, x.z}) > far - edge)
                walls[i].gamma = 1;
        }
    }

    float high() const {
        float most = 0;
        for (const Vec3f& x : particles.position) most = std::max({most, x.x, x.y, x.z});
        return most;
    }

    AdaptState state() {
        return {particles, search.view(), supports, walls, [this](View<float> sizes) {
                    for (Index i = 0; i < sizes.size(); ++i) sizes[i] = std::min(sizes[i], limits[i]);
                }};
    }
    Adaptivity adaptivity() const {
        return {settings, materials, {KernelName::cubic_spline, support, dimensions, spacing}, 7};
    }
};

/// What splits and merges leave as it is.
struct Ledger {
    double mass = 0, heat = 0, kinetic = 0, size = 0, turn = 0;  ///< size: Σ m|v|, turn: Σ m|x||v|
    Vec3d center{}, momentum{}, spin{};

    explicit Ledger(const Pool& pool) {
        const ParticleTable& p = pool.particles;
        for (Index i = 0; i < p.size(); ++i) {
            const double m = p.mass[i];
            const Vec3d x = to_double(p.position[i]), v = to_double(p.velocity[i]);
            mass += m;
            heat += m * (pool.materials[p.material[i]].heat.specific_heat * p.temperature[i] + p.latent[i] +
                         p.heat_low[i]);
            center += m * x;
            momentum += m * v;
            spin += m * cross(x, v);
            kinetic += 0.5 * m * norm2(v);
            size += m * norm(v);
            turn += m * norm(x) * norm(v);
        }
    }
};

}  // namespace thixo
