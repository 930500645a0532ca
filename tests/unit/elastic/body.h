#pragma once

#include <cmath>
#include <vector>

#include "elastic/elastic_bodies.h"
#include "particles/lattice.h"
#include "particles/position.h"
#include "sph/calibration.h"
#include "unit/core/rotation_about.h"

namespace thixo {

/// Particles of one elastic object and its forces, without a simulation around them.
struct Body {
    /// In float a turn rounds positions, which deforms. The one by atan(8/15) does not on a lattice of this
    /// spacing.
    static constexpr double spacing = 17. / 128, support = 2 * spacing;

    std::vector<Material> materials;
    ParticleTable particles;
    ElasticBodies elastic;
    std::vector<Vec3d> rest;
    Device device{1};

    static ElasticMethods implicit() {
        ElasticMethods methods{KernelName::cosine};
        methods.elasticity = ElasticIntegrator::implicit;
        return methods;
    }

    Body(const Material& material, const std::vector<Vec3d>& points, int dimensions = 3,
         ElasticMethods methods = {KernelName::cosine})
        : Body(std::vector<Material>{material}, std::vector<std::uint16_t>(points.size(), 0), points,
               dimensions, methods) {}

    Body(const std::vector<Material>& of, const std::vector<std::uint16_t>& material,
         const std::vector<Vec3d>& points, int dimensions, const ElasticMethods& methods)
        : materials(of),
          elastic(materials, methods, KernelName::cubic_spline, support, dimensions, spacing),
          methods_(methods),
          dimensions_(dimensions) {
        const double volume =
            rest_volume(KernelName::cubic_spline, support, dimensions, Lattice::cubic, spacing);
        particles.resize(static_cast<Index>(points.size()));
        for (Index i = 0; i < particles.size(); ++i) {
            particles.id[i] = i;
            place(i, points[i]);
            particles.material[i] = material[i];
            particles.mass[i] = static_cast<float>(materials[material[i]].density * volume);
            particles.radius[i] = static_cast<float>(spacing / 2);
            particles.phase[i] = Phase::elastic;
        }
        const std::vector<float> supports(points.size(), static_cast<float>(support));
        NeighbourSearch search;
        particles.permute(device, search.sort(device, particles.position, supports));
        search.build(device, particles.position, supports);
        elastic.create(device, particles, search.view());
        for (Index i = 0; i < size(); ++i) rest.push_back(position(i));
    }

    void place(Index i, const Vec3d& x) {
        particles.position[i] = to_float(x);
        particles.position_low[i] = cut_off(x);
    }
    Vec3d position(Index i) const {
        return to_double(particles.position[i]) + to_double(particles.position_low[i]);
    }

    Index size() const { return particles.size(); }

    /// N, of the positions and velocities as they are.
    std::vector<Vec3d> forces() {
        std::vector<Vec3f> a(size());
        elastic.add_forces(device, particles, a);
        std::vector<Vec3d> out;
        for (Index i = 0; i < size(); ++i) out.push_back(to_double(a[i]) * particles.mass[i]);
        return out;
    }

    /// Moves every particle to where map puts its place at rest.
    template <class Map>
    void deform(const Map& map) {
        for (Index i = 0; i < size(); ++i) place(i, map(rest[i]));
    }

    /// One step of symplectic Euler; `push` gives accelerations besides the elastic ones, and whether a
    /// particle is free.
    template <class Push>
    void step(double dt, const Push& push) {
        std::vector<Vec3f> a(size());
        elastic.add_forces(device, particles, a);
        for (Index i = 0; i < size(); ++i) {
            Vec3f& v = particles.velocity[i];
            if (!push(i, a[i], v)) continue;
            v += a[i] * static_cast<float>(dt);
            move(particles.position[i], particles.position_low[i], v * static_cast<float>(dt));
        }
    }

    /// Of leapfrog, whatever the methods.
    double stable_step() const {
        ElasticMethods methods = methods_;
        methods.elasticity = ElasticIntegrator::leapfrog;
        ElasticBodies same(materials, methods, KernelName::cubic_spline, support, dimensions_, spacing);
        same.restore(device, particles, elastic.state());
        TimeStepLimit limit;
        same.limit_time_step(limit);
        return limit.seconds;
    }

    double kinetic() const {
        double sum = 0;
        for (Index i = 0; i < size(); ++i)
            sum += 0.5 * particles.mass[i] * norm2(to_double(particles.velocity[i]));
        return sum;
    }

private:
    ElasticMethods methods_;
    int dimensions_;
};

/// Points of a cubic lattice, nx by ny by nz, about the origin.
inline std::vector<Vec3d> block_points(int nx, int ny, int nz, double spacing = Body::spacing) {
    std::vector<Vec3d> out;
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                out.push_back(Vec3d{i - 0.5 * (nx - 1), j - 0.5 * (ny - 1), k - 0.5 * (nz - 1)} * spacing);
    return out;
}

inline Material jelly(SolidModel model = SolidModel::corrected,
                      StrainMeasure strain = StrainMeasure::linear) {
    Material out{.name = "jelly"};
    out.solid = {.model = model, .strain = strain, .young_modulus = 1e5, .poisson_ratio = 0.3};
    return out;
}

/// About z, by an angle of 28.07 degrees for which positions of the lattice are not rounded.
inline Mat3d exact_turn() { return {{15. / 17, -8. / 17, 0}, {8. / 17, 15. / 17, 0}, {0, 0, 1}}; }

inline double largest(const std::vector<Vec3d>& a) {
    double out = 0;
    for (const Vec3d& v : a) out = std::max(out, norm(v));
    return out;
}

}  // namespace thixo
