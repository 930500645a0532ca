#include "fluid/adhesion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// Visits the partners of a row in the list, with what their pair has.
template <class Body>
void for_partners(View<const Adhesion::Pair> list, float code, const Body& body) {
    for (const Adhesion::Pair& partner : list)
        if (partner.self == code) body(partner);
}

/// c, ∇c and c cos θ of liquids over the particles of solids that they adhere to, added to those of walls.
template <class Pairs>
struct FindWetting {
    Pairs pairs;
    View<const Adhesion::Pair> partners;
    const float* code;
    View<Wetting> wetting;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        if (code[i] != std::floor(code[i])) return;  // a solid
        for_partners(partners, code[i], [&](const Adhesion::Pair& partner) {
            Vec3<Real> gradient{};
            Real sum{};
            pairs.for_each(width, i, [&](const auto& pair) {
                const Real volume = pair.of(code) == partner.other ? pair.volume : Real{};
                gradient += pair.x * (volume * pair.gradient());
                sum += volume * pair.value();
            });
            const float gamma = width.sum(sum);
            wetting[i].gradient += width.sum(gradient);
            wetting[i].gamma += gamma;
            wetting[i].cosine += gamma * partner.cosine;
        });
    }
};

/// On liquids Cᵢ ∇cᵢ/ρ₀; on solids Σᵢ V⁰ᵢ Cᵢ ∇W/ρ₀, the opposite.
template <class Pairs>
struct AdhesiveHold {
    Pairs pairs;
    View<const Adhesion::Pair> partners;
    const float* code;
    const float* hold;
    View<const Wetting> wetting;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<Vec3f> acceleration;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        const float rho = constants[material[i]].rest_density;
        if (code[i] == std::floor(code[i])) {
            acceleration[i] += wetting[i].gradient * (hold[i] / rho);
            return;
        }
        for_partners(partners, code[i], [&](const Adhesion::Pair& partner) {
            Vec3<Real> sums{};
            pairs.for_each(width, i, [&](const auto& pair) {
                Real pull = pair.of(code) == partner.other ? pair.volume : Real{};
                pull *= pair.of(hold);
                sums += pair.x * (pull * pair.gradient());
            });
            acceleration[i] += width.sum(sums) / rho;
        });
    }
};

/// On solids −Σᵢ V⁰ᵢ rᵢ Wᵢⱼ/ρ₀, so that what liquids got from them adds up to nothing.
template <class Pairs>
struct React {
    Pairs pairs;
    View<const Adhesion::Pair> partners;
    const float* code;
    const Packed4* reaction;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<Vec3f> acceleration;

    template <class Width>
    void operator()(const Width& width, Index j) const {
        using Real = typename Width::Real;
        if (code[j] == std::floor(code[j])) return;
        for_partners(partners, code[j], [&](const Adhesion::Pair& partner) {
            Vec3<Real> sums{};
            pairs.for_each(width, j, [&](const auto& pair) {
                const Real volume = pair.of(code) == partner.other ? pair.volume : Real{};
                sums += pair.of(reaction).xyz * (volume * pair.value());
            });
            acceleration[j] -= width.sum(sums) / constants[material[j]].rest_density;
        });
    }
};

}  // namespace

float cosine_of(const ContactAngle& contact) {
    return static_cast<float>(std::cos(contact.angle * std::numbers::pi / 180));
}

Adhesion::Adhesion(const std::vector<Material>& materials, const std::vector<ContactAngle>& angles,
                   const Discretisation& discretisation)
    : spacing_(discretisation.spacing) {
    for (const Material& material : materials)
        tension_.push_back(static_cast<float>(material.liquid.surface_tension));
    const double volume = rest_volume(discretisation);
    const double gamma = with_kernel(discretisation, [&](const auto& kernel) {
        double sum = 0;
        for (const Vec3d& v : lattice_around_origin(Lattice::cubic, discretisation.spacing,
                                                    discretisation.dimensions, discretisation.support))
            if (v.y > 0.5 * discretisation.spacing)
                sum += volume * double{kernel.value(static_cast<float>(norm(v)))};
        return sum;
    });
    gamma_at_rest_ = static_cast<float>(gamma);
    const auto number = [&](const std::string& name) {
        std::size_t k = 0;
        while (k < materials.size() && materials[k].name != name) ++k;
        return k;
    };
    for (const ContactAngle& contact : angles) {
        const std::size_t liquid = number(contact.liquid), solid = number(contact.solid);
        if (liquid == materials.size()) continue;
        walls_ |= solid == materials.size();
        if (solid == materials.size()) continue;
        const float a = static_cast<float>(liquid), b = static_cast<float>(solid) + 0.5f;
        pairs_.push_back({a, b, cosine_of(contact)});
        pairs_.push_back({b, a, cosine_of(contact)});
    }
}

void Adhesion::add(const Device& device, const FluidState& state, View<const FluidConstants> constants,
                   View<Vec3f> acceleration) {
    const ParticleTable& particles = state.particles;
    const Index n = particles.size();
    const View<const std::uint16_t> material(particles.material);
    const View<const Phase> phase(particles.phase);
    code_.resize(n + 1);
    hold_.resize(n + 1);
    wetting_.resize(n);
    code_[n] = -1;
    hold_[n] = 0;
    launch(device, n, [=, walls = state.wetted_walls, code = View(code_), out = View(wetting_)](Index i) {
        code[i] = static_cast<float>(material[i]) + (phase[i] == Phase::liquid ? 0.f : 0.5f);
        out[i] = walls.empty() ? Wetting{} : walls[i];
    });
    const float* code = code_.data();
    const View<const Pair> partners(pairs_);
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        if (!pairs_.empty()) launch_pairs(device, n, FindWetting{pairs, partners, code, View(wetting_)});
        launch(device, n, [=, this, wetting = View<const Wetting>(wetting_), out = View(hold_)](Index i) {
            const Wetting& touched = wetting[i];
            out[i] = 0;
            if (touched.gamma <= 0 || phase[i] != Phase::liquid) return;
            float spacing = static_cast<float>(spacing_);
            if constexpr (std::remove_cvref_t<decltype(pairs)>::mixed) spacing *= pairs.row(i).scale();
            const float u = std::min(1.f, touched.gamma / gamma_at_rest_),
                        work = tension_[material[i]] * (1 + touched.cosine / touched.gamma);
            out[i] = work / spacing * 6 * u * (1 - u) / gamma_at_rest_;
        });
        launch_pairs(device, n, state.rows,
                     AdhesiveHold{pairs, partners, code, std::as_const(hold_).data(),
                                  View<const Wetting>(wetting_), constants, material, acceleration});
    });
}

void Adhesion::react(const Device& device, const FluidState& state, View<const FluidConstants> constants,
                     const SurfaceTension& surface, View<const float> tension, View<Vec3f> acceleration) {
    if (pairs_.empty()) return;
    const ParticleTable& particles = state.particles;
    const Index n = particles.size();
    const View<const std::uint16_t> material(particles.material);
    reaction_.resize(n + 1);
    reaction_[n] = {};
    launch(device, n,
           [=, walls = state.wetted_walls, wetting = View<const Wetting>(wetting_), rest = gamma_at_rest_,
            phase = View<const Phase>(particles.phase), &surface, out = View(reaction_)](Index i) {
               out[i] = {};
               const float all = wetting[i].gamma;
               if (phase[i] != Phase::liquid || !(all > (walls.empty() ? 0.f : walls[i].gamma))) return;
               const Vec3f force = surface.acceleration(i, tension[material[i]]) *
                                   (constants[material[i]].rest_density * std::min(1.f, all / rest) / all);
               out[i] = {force.x, force.y, force.z, 0};
           });
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(device, n, state.rows,
                     React{pairs, View<const Pair>(pairs_), std::as_const(code_).data(),
                           std::as_const(reaction_).data(), constants, material, acceleration});
    });
}

}  // namespace thixo
