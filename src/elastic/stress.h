#pragma once

#include "core/eight.h"
#include "elastic/elastic_block.h"

namespace thixo {

template <class T>
Mat3<T> plus_diagonal(Mat3<T> a, T d) {
    a.x.x += d;
    a.y.y += d;
    a.z.z += d;
    return a;
}

/// Of S = I + D: ½ (D + Dᵀ), and for Green's ½ (SᵀS − I) half of DᵀD besides.
inline Mat3<Lanes> strain_of(const ElasticBlock& here, const Mat3<Lanes>& d) {
    const Lanes zero{};
    return symmetric_part(d) + transposed(d) * d * (here.green ? zero + 0.5f : zero);
}

/// σ = 2μ ε + λ tr(ε) I
inline Mat3<Lanes> hooke(const ElasticBlock& here, const Mat3<Lanes>& strain) {
    return plus_diagonal(strain * (here.mu + here.mu), here.lambda * trace(strain));
}

/// Von Mises: what the deviatoric elastic strain exceeds its limit by becomes plastic, up to the plastic limit
/// (O'Brien et al. 2002). Layers and rods have no strain in the directions they lack, and no plastic one. Returns the elastic
/// strain that is left.
inline Mat3<Lanes> yield(const ElasticBlock& here, PlasticBlock& plastic, const Mat3<Lanes>& strain) {
    Mat3<Lanes> p = plastic.strain.full();
    const Mat3<Lanes> elastic = strain - p;
    const Mat3<Lanes> deviator = plus_diagonal(elastic, trace(elastic) * (-1 / 3.f));
    const Lanes size = square_root(norm2(deviator));
    const Lanes zero{};
    p += deviator * (size > plastic.elastic_limit ? (size - plastic.elastic_limit) / size : zero);
    const Lanes plastic_size = square_root(norm2(p));
    p *= plastic_size > plastic.plastic_limit ? plastic.plastic_limit / plastic_size : zero + 1;
    p = here.span.full() * p * here.span.full();
    plastic.strain = Sym3<Lanes>(p);
    return strain - p;
}

}  // namespace thixo
