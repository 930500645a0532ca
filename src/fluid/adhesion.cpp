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

/// What surfaces of one liquid give to it beyond what their solids got back, N.
struct Surplus {
    Vec3d force;
    double line = 0;  ///< area of its surface in rows that touch solids, m²
    double most = 0;  ///< twice the tension of a line that is that area over a spacing long, N
};

/// On solids Σᵢ term(V⁰ᵢ, i)/ρ₀ over liquids that wet them.
template <class Pairs, class Term>
struct OnSolids {
    Pairs pairs;
    View<const Adhesion::Pair> partners;
    const float* code;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<Vec3f> acceleration;
    Term term;

    template <class Width>
    void operator()(const Width& width, Index j) const {
        using Real = typename Width::Real;
        if (code[j] == std::floor(code[j])) return;
        for_partners(partners, code[j], [&](const Adhesion::Pair& partner) {
            Vec3<Real> sums{};
            pairs.for_each(width, j, [&](const auto& pair) {
                sums += term(pair.of(code) == partner.other ? pair.volume : Real{}, pair);
            });
            acceleration[j] += width.sum(sums) / constants[material[j]].rest_density;
        });
    }
};

/// V⁰ᵢ 2 p ∇W, p the pressure of the air: what air on their dry side presses solids to the liquid with.
struct PressOfAir {
    const float* pressure;

    template <class Real, class Pair>
    Vec3<Real> operator()(Real volume, const Pair& pair) const {
        volume *= pair.of(pressure);
        return pair.x * (volume * pair.gradient());
    }
};

/// −V⁰ᵢ rᵢ Wᵢⱼ, so that what liquids got from solids adds up to nothing.
struct Reaction {
    const Packed4* reaction;

    template <class Real, class Pair>
    Vec3<Real> operator()(Real volume, const Pair& pair) const {
        return pair.of(reaction).xyz * -(volume * pair.value());
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
                   float air, View<Vec3f> acceleration) {
    const ParticleTable& particles = state.particles;
    const Index n = particles.size();
    const View<const std::uint16_t> material(particles.material);
    const View<const Phase> phase(particles.phase);
    code_.resize(n + 1);
    press_.resize(n + 1);
    wetting_.resize(n);
    code_[n] = -1;
    press_[n] = 0;
    launch(device, n,
           [=, this, walls = state.wetted_walls, code = View(code_), wetting = View(wetting_),
            press = View(press_)](Index i) {
               const bool liquid = phase[i] == Phase::liquid;
               code[i] = static_cast<float>(material[i]) + (liquid ? 0.f : 0.5f);
               wetting[i] = walls.empty() ? Wetting{} : walls[i];
               // Σ V⁰ᵢ V⁰ⱼ ∇W over both sides of a plane is half of its area.
               press[i] = liquid ? 2 * air * tension_[material[i]] : 0.f;
           });
    if (pairs_.empty()) return;
    const float* code = code_.data();
    const View<const Pair> partners(pairs_);
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(device, n, FindWetting{pairs, partners, code, View(wetting_)});
        launch_pairs(device, n, state.rows,
                     OnSolids{pairs, partners, code, constants, material, acceleration,
                              PressOfAir{std::as_const(press_).data()}});
    });
}

void Adhesion::react(const Device& device, const FluidState& state, View<const FluidConstants> constants,
                     const SurfaceTension& surface, View<const float> tension, View<Vec3f> acceleration) {
    if (pairs_.empty()) return;
    const ParticleTable& particles = state.particles;
    const Index n = particles.size();
    const View<const std::uint16_t> material(particles.material);
    const View<const Wetting> wetting(wetting_);
    const auto touch = [rest = gamma_at_rest_, wetting](Index i) {
        return std::min(1.f, wetting[i].gamma / rest);
    };
    const auto force = [=, &surface](Index i) {
        return surface.acceleration(i, tension[material[i]]) * constants[material[i]].rest_density;
    };
    std::vector<Surplus> surplus(constants.size());
    for (const Pair& pair : pairs_) {
        const auto liquid = static_cast<std::uint16_t>(pair.self);
        if (pair.self != std::floor(pair.self) || surplus[liquid].line > 0) continue;
        const float sigma = tension_[liquid], rest = constants[liquid].rest_density;
        const double air = 2 * double{sigma} * surface.air();
        surplus[liquid] = reduce(
            device, n, Surplus{},
            [=, &surface, spacing = spacing_, phase = View<const Phase>(particles.phase),
             mass = View<const float>(particles.mass)](Index i) {
                if (phase[i] != Phase::liquid || material[i] != liquid) return Surplus{};
                const double volume = mass[i] / rest, u = touch(i), line = volume * u * surface.area(i);
                return Surplus{
                    volume * ((1 - u) * to_double(force(i)) - air * to_double(wetting[i].gradient)), line,
                    2 * sigma * line / spacing};
            },
            [](const Surplus& a, const Surplus& b) {
                return Surplus{a.force + b.force, a.line + b.line, a.most + b.most};
            });
    }
    for (Surplus& each : surplus) {
        const double length = norm(each.force);
        if (length > each.most) each.force *= each.most / length;
    }
    reaction_.resize(n + 1);
    reaction_[n] = {};
    launch(device, n,
           [=, &surface, walls = state.wetted_walls, phase = View<const Phase>(particles.phase),
            surplus = View<const Surplus>(surplus), out = View(reaction_)](Index i) {
               out[i] = {};
               const float all = wetting[i].gamma, u = touch(i);
               if (phase[i] != Phase::liquid || !(all > (walls.empty() ? 0.f : walls[i].gamma))) return;
               const Surplus& left = surplus[material[i]];
               Vec3f sum = u * force(i);
               if (left.line > 0) sum += to_float((u * surface.area(i) / left.line) * left.force);
               sum *= 1 / all;
               out[i] = {sum.x, sum.y, sum.z, 0};
           });
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(device, n, state.rows,
                     OnSolids{pairs, View<const Pair>(pairs_), std::as_const(code_).data(), constants,
                              material, acceleration, Reaction{std::as_const(reaction_).data()}});
    });
}

}  // namespace thixo
