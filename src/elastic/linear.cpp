#include "elastic/elastic_bodies.h"
#include "elastic/rotation.h"
#include "elastic/stress.h"
#include "elastic/sums.h"

namespace thixo {

namespace {

/// ½ (A − Aᵀ) in lanes of a mask, else nothing.
Mat3<Lanes> antisymmetric_part(LaneMask mask, const Mat3<Lanes>& a) {
    const Lanes zero{};
    return (a - transposed(a)) * (mask ? zero + 0.5f : zero);
}

/// What eight slots exert when their neighbours are displaced by u. Rotations follow the fitted gradient, Ω = skew(Rᵀ A_u M⁺), which
/// matters where sums are not corrected; a layer that tilts turns with it, so strains within it alone are left:
///
///     ε = P sym(Rᵀ A_u L − Ω M L) P,   Q = R (P σ P L − skew(P σ P M L) M⁺) − κ A_u M⁺
///
/// Q is the adjoint of ε, so the operator is symmetric.
struct RespondLinearly {
    Reference reference;
    const Packed4* u;
    const SlotBlock* slots;
    const Packed4* rotations;
    float stiffness, damping;
    Exerted* exerted;

    void operator()(Index first) const {
        const SlotBlock& slot = slots[first / lane_count];
        const Mat3<Lanes> l = slot.correction.full(), fit = slot.fit.full(), rest = slot.rest.full(),
                          span = slot.span.full();
        const Mat3<Lanes> r = matrix(load_quaternions(rotations, first));
        const Mat3<Lanes> a = transposed(r) * (moments(reference, u, first) * slot.inverse_volume);
        const Mat3<Lanes> spin = antisymmetric_part(slot.turned, a * fit);
        const Mat3<Lanes> strain = symmetric_part(span * (a * l - spin * rest) * span);
        const Mat3<Lanes> sigma = span * hooke(slot, strain) * span;
        const Mat3<Lanes> q =
            sigma * l - antisymmetric_part(slot.turned, sigma * rest) * fit - a * fit * slot.kappa;
        const Lanes scale = stiffness + damping * slot.damping;
        write(exerted, first, std::min(lane_count, reference.size() - first), u, slot.kappa * scale,
              r * q * scale);
    }
};

}  // namespace

void ElasticBodies::apply_stiffness(const Device& device, double a, double b,
                                    View<const Packed4> displacement, View<Vec3f> force) {
    const Reference reference = reference_.view();
    response_.resize(reference_.size());
    launch_blocks(device, reference_.size(),
                  RespondLinearly{reference, displacement.data(), blocks_.data(), rotation_.data(),
                                  static_cast<float>(a), static_cast<float>(b), response_.data()});
    launch(device, reference_.size(), [reference, exerted = response_.data(), force](Index s) {
        force[s] = response_on(reference, exerted, s);
    });
}

}  // namespace thixo
