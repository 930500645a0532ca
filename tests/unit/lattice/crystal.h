#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "lattice/lattice_solids.h"
#include "particles/lattice.h"
#include "unit/core/rotation_about.h"

namespace thixo {

/// Particles of lattice solids and their forces, without a simulation around them. Units: D = 1, m = 1, and k
/// = 1 for `crystal()`.
struct Crystal {
    static constexpr double spacing = 1, support = 2;

    int dimensions;
    std::vector<Material> materials;
    ParticleTable particles;
    LatticeSolids solids;
    Device device{1};
    NeighbourSearch search;
    std::uint64_t steps = 0;
    double last_step = 0;

    /// `object` of each point, none for all of one object.
    Crystal(const Material& material, const std::vector<Vec3d>& points, int dims,
            const Mat3d& turn = identity<double>(), const std::vector<std::uint16_t>& object = {},
            std::uint64_t seed = 1, bool implicit = false)
        : dimensions(dims),
          materials{material},
          solids(materials, KernelName::cubic_spline, support, dims, spacing, seed, implicit) {
        particles.resize(static_cast<Index>(points.size()));
        for (Index i = 0; i < size(); ++i) {
            particles.id[i] = i;
            particles.position[i] = to_float(turn * points[i]);
            particles.mass[i] = 1;
            particles.radius[i] = 0.5;
            particles.phase[i] = Phase::elastic;
            if (!object.empty()) particles.object[i] = object[i];
        }
        build_lists(true);
        const std::vector<Mat3d> turns(
            1 + (object.empty() ? 0 : *std::max_element(object.begin(), object.end())), turn);
        solids.create(device, particles, turns);
        solids.collect(device, particles, search.view());
        solids.dock(device, particles, 0, 0);
    }

    Index size() const { return particles.size(); }
    Index row_of(std::uint32_t id) const {
        return static_cast<Index>(std::find(particles.id.begin(), particles.id.end(), id) -
                                  particles.id.begin());
    }

    void build_lists(bool first = false) {
        const std::vector<float> supports(size(), static_cast<float>(support));
        if (!first && search.is_current(device, particles.position, supports)) return;
        particles.permute(device, search.sort(device, particles.position, supports));
        search.build(device, particles.position, supports);
        if (!first) solids.collect(device, particles, search.view());
    }

    /// m/s², of the positions and velocities as they are.
    std::vector<Vec3f> accelerations() {
        std::vector<Vec3f> a(size());
        build_lists();
        solids.dock(device, particles, last_step, steps);
        solids.add_forces(device, particles, a);
        return a;
    }

    /// One step of symplectic Euler; `push` may change the acceleration of a row.
    template <class Push>
    void step(double dt, const Push& push) {
        std::vector<Vec3f> a = accelerations();
        for (Index i = 0; i < size(); ++i) {
            push(i, a[i]);
            particles.velocity[i] += a[i] * static_cast<float>(dt);
            particles.position[i] += particles.velocity[i] * static_cast<float>(dt);
        }
        last_step = dt;
        ++steps;
    }
    void step(double dt) {
        step(dt, [](Index, Vec3f&) {});
    }

    double kinetic() const {
        double sum = 0;
        for (Index i = 0; i < size(); ++i)
            sum += 0.5 * particles.mass[i] * norm2(to_double(particles.velocity[i]));
        return sum;
    }

    /// Kinetic and elastic, with velocities half-way through a step taken to the time of the positions.
    double total_energy(double dt) {
        const std::vector<Vec3f> a = accelerations();
        double sum = solids.energy(device);
        for (Index i = 0; i < size(); ++i) {
            const Vec3d v = to_double(particles.velocity[i]) + to_double(a[i]) * (0.5 * dt);
            sum += 0.5 * particles.mass[i] * norm2(v);
        }
        return sum;
    }

    Vec3d momentum() const {
        Vec3d sum{};
        for (Index i = 0; i < size(); ++i) sum += to_double(particles.velocity[i]) * particles.mass[i];
        return sum;
    }
    Vec3d angular_momentum() const {
        Vec3d sum{};
        for (Index i = 0; i < size(); ++i)
            sum +=
                cross(to_double(particles.position[i]), to_double(particles.velocity[i])) * particles.mass[i];
        return sum;
    }

    void spin(const Vec3d& omega) {
        for (Vec3f& v : particles.velocity) v = {};
        for (Index i = 0; i < size(); ++i)
            particles.velocity[i] = to_float(cross(omega, to_double(particles.position[i])));
    }

    /// Moves particles by up to `amount` in each direction.
    void jitter(float amount) {
        for (Index i = 0; i < size(); ++i) {
            const auto words = random_words(7, particles.id[i], 0, Purpose::test);
            const auto offset = [&](int k) { return amount * (2 * to_unit(words[k]) - 1); };
            particles.position[i] += {offset(0), offset(1), dimensions == 2 ? 0 : offset(2)};
        }
    }

    /// Moves every particle to where map puts it.
    template <class Map>
    void deform(const Map& map) {
        for (Vec3f& x : particles.position) x = to_float(map(to_double(x)));
    }

    /// How many lattice points of all particles are taken.
    Index bonds() const {
        Index sum = 0;
        for (Index i = 0; i < size(); ++i) solids.visit_docked(particles, i, [&](Index) { ++sum; });
        return sum;
    }

    /// Number of connected components.
    int parts() const {
        std::vector<bool> reached(size());
        int count = 0;
        for (Index first = 0; first < size(); ++first) {
            if (reached[first]) continue;
            ++count;
            std::vector<Index> rows{first};
            reached[first] = true;
            for (std::size_t next = 0; next < rows.size(); ++next)
                solids.visit_docked(particles, rows[next], [&](Index other) {
                    if (!reached[other]) rows.push_back(other);
                    reached[other] = true;
                });
        }
        return count;
    }
};

/// k = 1 N/m where D = 1.
inline Material crystal(int dimensions, double damping = 0) {
    Material out{.name = "crystal", .density = 1};
    out.solid = {.model = SolidModel::lattice,
                 .young_modulus = dimensions == 2 ? std::sqrt(3.0) : 2 * std::sqrt(2.0),
                 .poisson_ratio = 0,
                 .damping = damping};
    return out;
}

/// The points of the lattice, D = 1, within a box about the origin, with sides 2a, 2b, 2c.
inline std::vector<Vec3d> lattice_box(int dimensions, double a, double b, double c = 0) {
    std::vector<Vec3d> out;
    for (const Vec3d& x :
         lattice_around_origin(Lattice::closest, 1, dimensions, std::sqrt(a * a + b * b + c * c) + 0.1))
        if (std::abs(x.x) < a + 1e-3 && std::abs(x.y) < b + 1e-3 && std::abs(x.z) < c + 1e-3)
            out.push_back(x);
    return out;
}

inline std::vector<Vec3d> block_points(int dimensions, double half) {
    return lattice_box(dimensions, half, half, dimensions == 2 ? 0 : half);
}

inline double largest(const std::vector<Vec3f>& a) {
    double out = 0;
    for (const Vec3f& v : a) out = std::max(out, double{norm(v)});
    return out;
}

}  // namespace thixo
