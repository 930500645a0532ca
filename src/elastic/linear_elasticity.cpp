#include "elastic/linear_elasticity.h"

#include <algorithm>
#include <limits>

#include "core/rotation.h"
#include "elastic/stress.h"
#include "elastic/sums.h"

namespace thixo {

namespace {

/// ½ (A − Aᵀ) in lanes of a mask, else nothing.
Mat3<Lanes> antisymmetric_part(LaneMask mask, const Mat3<Lanes>& a) {
    const Lanes zero{};
    return (a - transposed(a)) * (mask ? zero + 0.5f : zero);
}

/// What the stresses of strains and of their rates are multiplied by, and what the strain does not see.
struct Factors {
    Lanes stiffness, damping, unexplained;
};

/// Q, turned back, of eight particles by a = Rᵀ A_u. Rotations follow the fitted gradient, Ω = skew(Rᵀ A_u
/// M⁺), which matters where sums are not corrected; a layer that tilts turns with it, so strains within it
/// alone are left:
///
///     ε = P sym(Rᵀ A_u L − Ω M L) P,   RᵀQ = P σ P L − skew(P σ P M L) M⁺ − κ Rᵀ A_u M⁺
///
/// Q is the adjoint of ε, so the operator is symmetric. Damping takes the fitted gradient for every model, as
/// the forces do: L = M⁺ and M L = P, where turning has no part in the strain and σ = 2μ ε + λ tr(ε) P.
Mat3<Lanes> exerted_by(const ElasticBlock& here, const Mat3<Lanes>& a, const Factors& by) {
    const Mat3<Lanes> fit = here.fit.full(), span = here.span.full();
    const Mat3<Lanes> gradient = a * fit, fitted = symmetric_part(span * gradient);
    const auto of_fitted = [&] {
        return (fitted * (here.mu + here.mu) + span * (here.lambda * trace(fitted))) * fit;
    };
    const Mat3<Lanes> unexplained = gradient * (here.kappa * by.unexplained);
    if (all(here.corrected)) return of_fitted() * (by.stiffness + by.damping) - unexplained;
    const Mat3<Lanes> l = here.correction.full(), rest = here.rest.full();
    const Mat3<Lanes> spin = antisymmetric_part(here.turned, gradient);
    const Mat3<Lanes> strain = symmetric_part(span * (a * l - spin * rest) * span);
    const Mat3<Lanes> sigma = span * hooke(here, strain) * span;
    const Mat3<Lanes> elastic = sigma * l - antisymmetric_part(here.turned, sigma * rest) * fit;
    return elastic * by.stiffness + of_fitted() * by.damping - unexplained;
}

/// What eight particles exert when they and their neighbours are displaced by u.
struct RespondLinearly {
    StiffnessLinks::Lists links;
    const Packed4* u;
    const ElasticBlock* blocks;
    const Tangent* tangents;  ///< null: those of the undeformed state
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
        const ElasticBlock& here = blocks[first / lane_count];
        const Tangent tangent = tangents != nullptr ? tangents[first / lane_count] : Tangent{};
        const Mat3<Lanes> r = matrix(tangent.rotation);
        const Mat3<Lanes> a_transposed = Mat3<Lanes>{column(0), column(1), column(2)} * here.inverse_volume;
        const Mat3<Lanes> q =
            r * exerted_by(here, transposed(a_transposed * r),
                           {tangent.stiffness * stiffness, tangent.damping * here.damping * damping,
                            spread<Lanes>(stiffness) + here.damping * damping});
        const Vec3<Lanes> force = column(3) * spread<Lanes>(unexplained);
        const auto record = [](const Vec3<Lanes>& a, Index l) { return Packed4{a.x[l], a.y[l], a.z[l], 0}; };
        for (Index l = 0; l < count; ++l)
            response[first + l] = {record(force, l), {record(q.x, l), record(q.y, l), record(q.z, l)}};
    }
};

}  // namespace

const LinearElasticity::CommonDamping& LinearElasticity::common_damping(const Device& device,
                                                                        const Reference& reference,
                                                                        View<const ElasticBlock> blocks) {
    struct Range {
        float least = std::numeric_limits<float>::infinity(), most = 0;
    };
    if (!damping_) {
        const Range range = reduce(
            device, reference.size(), Range{},
            [=](Index s) {
                if (reference.count(s) == 0) return Range{};
                const float time = blocks[s / lane_count].damping[s % lane_count];
                return Range{time, time};
            },
            [](const Range& a, const Range& b) {
                return Range{std::min(a.least, b.least), std::max(a.most, b.most)};
            });
        damping_ = CommonDamping{range.least >= range.most, range.most};
    }
    return *damping_;
}

LinearResponse LinearElasticity::respond(const Device& device, const Reference& reference,
                                         View<const ElasticBlock> blocks, View<const Tangent> tangents,
                                         const Scales& scales, View<const Packed4> displacement) {
    const auto stiffness = static_cast<float>(scales.stiffness), damping = static_cast<float>(scales.damping);
    // Without damping, or with the same in all bodies, the same links serve for every step.
    const CommonDamping common = damping > 0 ? common_damping(device, reference, blocks) : CommonDamping{};
    common.same ? links_.prepare(device, reference, blocks, 1, 0)
                : links_.prepare(device, reference, blocks, stiffness, damping);
    const float unexplained = common.same ? stiffness + damping * common.time : 1;
    const StiffnessLinks::Lists links = links_.view();
    response_.resize(reference.size());
    launch_blocks(device, reference.size(),
                  RespondLinearly{links, displacement.data(), blocks.data(), tangents.data(),
                                  reference.size(), stiffness, damping, unexplained, response_.data()});
    return {links, response_.data()};
}

}  // namespace thixo
