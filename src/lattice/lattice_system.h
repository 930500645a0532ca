#pragma once

#include <functional>

#include "core/conjugate_gradient.h"
#include "lattice/lattice_solids.h"

namespace thixo {

/// How a step of Δt discretises a linear solid, in multiples of Δt² and Δt
/// (docs/theory/implicit_elasticity.md): α = a Δt², θ.
struct LatticeScheme {
    double response;     ///< a = β + ½ θ
    double dissipation;  ///< θ
};

inline Vec3f vector_in(const Packed4& a) { return {a.x, a.y, a.z}; }
inline Packed4 record_with(const Vec3f& a) { return {a.x, a.y, a.z, 0}; }

/// (M + α K + ½ Δt C) a = b over the sites that take part, with the masses for preconditioner.
struct LatticeSystem {
    const Device& device;
    LatticeSolids& solids;
    double alpha, half_step;
    double target;        ///< of rᵀM⁻¹r
    View<const float> m;  ///< 0: does not take part
    View<Vec3f> a, r;     ///< solution and residual
    View<Vec3f> product;  ///< of the direction
    View<Packed4> p;      ///< direction of search

    bool converged(double rz) const { return !(rz > target); }

    DirectionProducts multiply() {
        const LatticeResponseForces forces = solids.respond_linearly(device, alpha, half_step, p);
        return reduce(
            device, size(), DirectionProducts{},
            [=, m = m, product = product, p = p](Index s) {
                if (m[s] == 0) return DirectionProducts{};
                const Vec3f q = m[s] * vector_in(p[s]) - forces.force(s);
                product[s] = q;
                return DirectionProducts{dot(to_double(vector_in(p[s])), to_double(q)),
                                         norm2(to_double(q)) / m[s]};
            },
            std::plus<>());
    }

    double advance(double step, double turn) {
        const auto length = static_cast<float>(step), keep = static_cast<float>(turn);
        return reduce_sum(device, size(), [=, m = m, a = a, r = r, product = product, p = p](Index s) {
            if (m[s] == 0) return 0.0;
            const Vec3f last = vector_in(p[s]);
            a[s] += length * last;
            r[s] -= length * product[s];
            const Vec3f z = r[s] / m[s];
            p[s] = record_with(z + keep * last);
            return dot(to_double(r[s]), to_double(z));
        });
    }

    Index size() const { return static_cast<Index>(m.size()); }
};

}  // namespace thixo
