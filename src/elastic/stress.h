#pragma once

#include "elastic/slot_block.h"

namespace thixo {

template <class T>
Mat3<T> select(LaneMask mask, const Mat3<T>& a, const Mat3<T>& b) {
    const auto row = [&](const Vec3<T>& p, const Vec3<T>& q) {
        return Vec3<T>{mask ? p.x : q.x, mask ? p.y : q.y, mask ? p.z : q.z};
    };
    return {row(a.x, b.x), row(a.y, b.y), row(a.z, b.z)};
}

template <class T>
Mat3<T> plus_diagonal(Mat3<T> a, T d) {
    a.x.x += d;
    a.y.y += d;
    a.z.z += d;
    return a;
}

/// ½ (S + Sᵀ) − I, or Green's ½ (SᵀS − I)
inline Mat3<Lanes> strain_of(const SlotBlock& slot, const Mat3<Lanes>& s) {
    const Mat3<Lanes> linear = symmetric_part(s), green = transposed(s) * s * spread<Lanes>(0.5f);
    return plus_diagonal(select(slot.green, green, linear),
                         slot.green ? spread<Lanes>(-0.5f) : spread<Lanes>(-1.f));
}

/// σ = 2μ ε + λ tr(ε) I
inline Mat3<Lanes> hooke(const SlotBlock& slot, const Mat3<Lanes>& strain) {
    return plus_diagonal(strain * (slot.mu + slot.mu), slot.lambda * trace(strain));
}

/// Von Mises: what the deviatoric elastic strain exceeds its limit by becomes plastic, up to the plastic limit
/// (O'Brien et al. 2002). Returns the elastic strain that is left.
inline Mat3<Lanes> yield(PlasticBlock& plastic, const Mat3<Lanes>& strain) {
    Mat3<Lanes> p = plastic.strain.full();
    const Mat3<Lanes> elastic = strain - p;
    const Mat3<Lanes> deviator = plus_diagonal(elastic, trace(elastic) * (-1 / 3.f));
    const Lanes size = square_root(norm2(deviator));
    const Lanes zero{};
    p += deviator * (size > plastic.elastic_limit ? (size - plastic.elastic_limit) / size : zero);
    const Lanes plastic_size = square_root(norm2(p));
    p *= plastic_size > plastic.plastic_limit ? plastic.plastic_limit / plastic_size : zero + 1;
    plastic.strain = Sym3<Lanes>(p);
    return strain - p;
}

}  // namespace thixo
