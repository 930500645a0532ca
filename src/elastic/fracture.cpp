#include "elastic/fracture.h"

#include <limits>

namespace thixo {

Fracture::Fracture(const std::vector<Material>& materials) {
    constexpr float never = std::numeric_limits<float>::infinity();
    for (const Material& material : materials) {
        const double b = material.solid.break_strain, sigma = material.solid.break_stress;
        limits_.push_back({b > 0 ? static_cast<float>((1 + b) * (1 + b)) : never,
                           sigma > 0 ? static_cast<float>(sigma) : never});
        by_stress_ |= sigma > 0;
        possible_ |= b > 0 || sigma > 0;
    }
}

void Fracture::prepare(const Device& device, View<const std::uint16_t> material) {
    if (!possible_) return;
    const auto n = static_cast<Index>(material.size());
    stretch_.resize(n);
    stress_.assign(by_stress_ ? 2 * n : 0, {});
    launch(
        device, n,
        [=, limits = View<const Limits>(limits_), stretch = View(stretch_), stress = View(stress_)](Index s) {
            stretch[s] = limits[material[s]].stretch;
            if (!stress.empty()) stress[2 * s].w = limits[material[s]].stress;
        });
}

void Fracture::take_stresses(const Device& device, View<const Sym3f> stress) {
    if (!by_stress_) return;
    launch(device, static_cast<Index>(stress.size()), [=, out = View(stress_)](Index s) {
        const Sym3f& sigma = stress[s];
        out[2 * s] = {sigma.xx, sigma.yy, sigma.zz, out[2 * s].w};
        out[2 * s + 1] = {sigma.yz, sigma.xz, sigma.xy, 0};
    });
}

LaneMask Fracture::Overloaded::operator()(Index s, const ReferenceBlock& block) const {
    const Vec3<Lanes> X = block.X(), x = places.around(s)(block.neighbour).x();
    const Lanes length2 = norm2(X), limit = smaller(gather(stretch, block.neighbour), stretch[s] + Lanes{});
    // Unused entries name the index itself: nothing is longer than nothing. Infinity times nothing is no
    // number, and not less.
    LaneMask out = norm2(x) > limit * length2;
    if (stress != nullptr) {
        const Packed4 a = stress[2 * s], b = stress[2 * s + 1];
        const PackedLanes p = gather<2>(stress, block.neighbour), q = gather<2>(stress + 1, block.neighbour);
        const Vec3<Lanes> d{p.xyz.x + a.x, p.xyz.y + a.y, p.xyz.z + a.z},
            o{q.xyz.x + b.x, q.xyz.y + b.y, q.xyz.z + b.z};
        const Lanes pull = d.x * X.x * X.x + d.y * X.y * X.y + d.z * X.z * X.z +
                           2.f * (o.x * X.y * X.z + o.y * X.x * X.z + o.z * X.x * X.y);
        out |= pull > 2.f * smaller(p.w, a.w + Lanes{}) * length2;
    }
    return out;
}

}  // namespace thixo
