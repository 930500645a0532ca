#pragma once

#include <functional>

#include "core/conjugate_gradient.h"
#include "elastic/elastic_bodies.h"
#include "elastic/rigid_parts.h"

namespace thixo {

inline Packed4 packed(const Vec3f& a) { return {a.x, a.y, a.z, 0}; }
inline Vec3f vector_of(const Packed4& a) { return {a.x, a.y, a.z}; }

/// How a step of Δt discretises a linear body, in multiples of Δt² and Δt
/// ([theory](docs/theory/implicit_elasticity.md)): α = a Δt², θ.
struct ImplicitScheme {
    double response;     ///< a = β + ½ θ
    double dissipation;  ///< θ
};

/// (M + α K + ½ Δt C) a = b over the indices that take part and the rigid parts among them, with the masses
/// for preconditioner.
struct ElasticSystem {
    const Device& device;
    ElasticBodies& bodies;
    double alpha, half_step;
    double target;        ///< of rᵀM⁻¹r
    View<const float> m;  ///< 0: does not take part
    View<Vec3f> a, r;     ///< solution and residual
    View<Vec3f> product;  ///< of the direction
    RigidRows& rigid;
    View<Packed4> p;  ///< direction of search

    bool converged(double rz) const { return !(rz > target); }

    DirectionProducts multiply() {
        const LinearResponse response = bodies.respond_linearly(device, alpha, half_step, p);
        const DirectionProducts sums = reduce(
            device, size(), DirectionProducts{},
            [=, m = m, product = product, p = p](Index s) {
                if (m[s] == 0) return DirectionProducts{};
                const Vec3f q = m[s] * vector_of(p[s]) - response.force(s);
                product[s] = q;
                return DirectionProducts{dot(to_double(vector_of(p[s])), to_double(q)),
                                         norm2(to_double(q)) / m[s]};
            },
            std::plus<>());
        return rigid.of.empty() ? sums : sums + rigid.multiply(device, response);
    }

    double advance(double step, double turn) {
        const auto length = static_cast<float>(step), keep = static_cast<float>(turn);
        const double rz =
            reduce_sum(device, size(), [=, m = m, a = a, r = r, product = product, p = p](Index s) {
                if (m[s] == 0) return 0.0;
                const Vec3f last = vector_of(p[s]);
                a[s] += length * last;
                r[s] -= length * product[s];
                const Vec3f z = r[s] / m[s];
                p[s] = packed(z + keep * last);
                return dot(to_double(r[s]), to_double(z));
            });
        return rigid.of.empty() ? rz : rz + rigid.advance(step, turn, p);
    }

    Index size() const { return static_cast<Index>(m.size()); }
};

}  // namespace thixo
