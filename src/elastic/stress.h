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

/// RᵀP = σ + Ω, where U(S) is the energy, σ = ∂U/∂S, S = RᵀF and R the rotation of F. Ω is skew, with
///
///     S Ω + Ω S = S σ − σ S,   or with axial vectors   (tr(S) I − S) ω = axial(S σ − σ S)
///
/// It accounts for the turn of R. Isotropic stress has none, for it commutes with S; that of plastic bodies
/// does not. With Ω forces are the gradient of the energy, and F Pᵀ is symmetric: they exert no torque.
inline Mat3<Lanes> with_turn(const Mat3<Lanes>& sigma, const Mat3<Lanes>& d) {
    const Lanes one = spread<Lanes>(1.f);
    const Mat3<Lanes> s = plus_diagonal(symmetric_part(d), one);
    const Mat3<Lanes> product = s * sigma, b = product - transposed(product);
    const Mat3<Lanes> m = plus_diagonal(s * -one, trace(s));
    const Vec3<Lanes> axial{b.z.y, b.x.z, b.y.x};
    const Vec3<Lanes> yz = cross(m.y, m.z), zx = cross(m.z, m.x), xy = cross(m.x, m.y);
    const Vec3<Lanes> w = (yz * axial.x + zx * axial.y + xy * axial.z) * (one / dot(m.x, yz));
    const Lanes zero{};
    return sigma + Mat3<Lanes>{{zero, -w.z, w.y}, {w.z, zero, -w.x}, {-w.y, w.x, zero}};
}

/// The elastic strain of shear, all of it in layers and rods. In 2D there is none along z.
inline Mat3<Lanes> shear_of(const ElasticBlock& here, const PlasticBlock& plastic,
                            const Mat3<Lanes>& strain) {
    const Mat3<Lanes> elastic = strain - plastic.strain.full();
    Mat3<Lanes> out = plus_diagonal(elastic, trace(elastic) * -plastic.bulk);
    out.z.z = here.fit.zz == 0 ? Lanes{} : out.z.z;
    return out;
}

/// Von Mises: what the deviatoric elastic strain exceeds its limit by becomes plastic, up to the plastic
/// limit (O'Brien et al. 2002). Layers and rods have no strain in the directions they lack, and no plastic
/// one. Returns the elastic strain that is left.
///
/// Before that, what has become stiffer relaxes: with the shear modulus s μ of before and s' μ now, 1 − s/s'
/// of the elastic strain of shear becomes plastic. Stress stays as it was, so nothing is pushed, and the
/// energy of shear falls to s/s' of what it was.
inline Mat3<Lanes> yield(const ElasticBlock& here, PlasticBlock& plastic, const Mat3<Lanes>& strain) {
    Mat3<Lanes> p = plastic.strain.full();
    p += shear_of(here, plastic, strain) * plastic.relaxed;
    plastic.relaxed = Lanes{};
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
