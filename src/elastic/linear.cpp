#include "core/rotation.h"
#include "elastic/elastic_bodies.h"
#include "elastic/stress.h"
#include "elastic/sums.h"

namespace thixo {

namespace {

/// ½ (A − Aᵀ) in lanes of a mask, else nothing.
Mat3<Lanes> antisymmetric_part(LaneMask mask, const Mat3<Lanes>& a) {
    const Lanes zero{};
    return (a - transposed(a)) * (mask ? zero + 0.5f : zero);
}

/// Q, turned back, of eight slots by a = Rᵀ A_u. Rotations follow the fitted gradient, Ω = skew(Rᵀ A_u M⁺), which matters where
/// sums are not corrected; a layer that tilts turns with it, so strains within it alone are left:
///
///     ε = P sym(Rᵀ A_u L − Ω M L) P,   RᵀQ = P σ P L − skew(P σ P M L) M⁺ − κ Rᵀ A_u M⁺
///
/// Q is the adjoint of ε, so the operator is symmetric.
Mat3<Lanes> exerted_by(const SlotBlock& slot, const Mat3<Lanes>& a) {
    const Mat3<Lanes> fit = slot.fit.full(), span = slot.span.full();
    const Mat3<Lanes> gradient = a * fit;
    if (all(slot.corrected)) {
        // L = M⁺ and M L = P: turning has no part in the strain, and σ = 2μ ε + λ tr(ε) P.
        const Mat3<Lanes> strain = symmetric_part(span * gradient);
        return (strain * (slot.mu + slot.mu) + span * (slot.lambda * trace(strain))) * fit -
               gradient * slot.kappa;
    }
    const Mat3<Lanes> l = slot.correction.full(), rest = slot.rest.full();
    const Mat3<Lanes> spin = antisymmetric_part(slot.turned, gradient);
    const Mat3<Lanes> strain = symmetric_part(span * (a * l - spin * rest) * span);
    const Mat3<Lanes> sigma = span * hooke(slot, strain) * span;
    return sigma * l - antisymmetric_part(slot.turned, sigma * rest) * fit - gradient * slot.kappa;
}

/// What eight slots exert when they and their neighbours are displaced by u.
struct RespondLinearly {
    StiffnessLinks::Lists links;
    const Packed4* u;
    const SlotBlock* slots;
    const Packed4* rotations;
    Index size;
    float stiffness, damping;
    float unexplained;  ///< what the links' stiffness is to be multiplied by
    Response* response;

    void operator()(Index first) const {
        const Index count = std::min(lane_count, size - first);
        // Columns of Σⱼ wᵢⱼ uⱼᵢ Xⱼᵢᵀ, and Σⱼ wᵢⱼ (κᵢ + κⱼ) uⱼᵢ
        Sixteen sums[lane_count] = {};
        for (Index l = 0; l < count; ++l) {
            const Sixteen self = four_times(u[first + l]);
            sums[l] = sum_links(links, first + l, [&](Index j, const Packed4& link) {
                return (four_times(u[j]) - self) * each_four_times(link);
            });
        }
        constexpr Index order[lane_count] = {0, 1, 2, 3, 4, 5, 6, 7};
        const auto column = [&](Index k) {
            return gather<4>(reinterpret_cast<const Packed4*>(sums) + k, order).xyz;
        };
        const SlotBlock& slot = slots[first / lane_count];
        const Mat3<Lanes> r = matrix(load_quaternions(rotations, first));
        const Mat3<Lanes> a_transposed = Mat3<Lanes>{column(0), column(1), column(2)} * slot.inverse_volume;
        const Mat3<Lanes> q =
            r * exerted_by(slot, transposed(a_transposed * r)) * (stiffness + damping * slot.damping);
        const Vec3<Lanes> force = column(3) * spread<Lanes>(unexplained);
        const auto record = [](const Vec3<Lanes>& a, Index l) { return Packed4{a.x[l], a.y[l], a.z[l], 0}; };
        for (Index l = 0; l < count; ++l)
            response[first + l] = {record(force, l), {record(q.x, l), record(q.y, l), record(q.z, l)}};
    }
};

}  // namespace

LinearResponse ElasticBodies::respond_linearly(const Device& device, double a, double b,
                                               View<const Packed4> displacement) {
    const auto stiffness = static_cast<float>(a), damping = static_cast<float>(b);
    const bool damped = damped_ && damping > 0;
    // Without damping the same links serve for every step.
    damped ? stiffness_links_.prepare(device, reference_.view(), blocks_, stiffness, damping)
           : stiffness_links_.prepare(device, reference_.view(), blocks_, 1, 0);
    const StiffnessLinks::Lists links = stiffness_links_.view();
    response_.resize(reference_.size());
    launch_blocks(
        device, reference_.size(),
        RespondLinearly{links, displacement.data(), blocks_.data(), rotation_.data(), reference_.size(),
                        stiffness, damping, damped ? 1 : stiffness, response_.data()});
    return {links, response_.data()};
}

void ElasticBodies::apply_stiffness(const Device& device, double a, double b,
                                    View<const Packed4> displacement, View<Vec3f> force) {
    const LinearResponse response = respond_linearly(device, a, b, displacement);
    launch(device, reference_.size(), [=](Index s) { force[s] = response.force(s); });
}

}  // namespace thixo
