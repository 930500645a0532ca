#include "heat/heat_flow.h"

#include <cmath>
#include <utility>

#include "heat/absolute_zero.h"
#include "particles/lattice.h"
#include "sph/calibration.h"

namespace thixo {

namespace {

/// Explicit steps take at most this fraction of the difference to its neighbours from a particle: half of
/// what would let temperatures overshoot.
constexpr double largest_ratio = 0.5;
/// Beyond so many explicit steps in one of the mechanics the solver is quicker.
constexpr int most_explicit_steps = 4;

/// Fraction of the weights that a particle in the bulk of a stirred liquid may miss. By trial; pinned by
/// tests/unit/heat, "the area that faces the air".
constexpr double usual_gap = 0.05;

/// Σ ∇²W over a lattice around the origin, self included, and what is found of it on either side of a face.
struct LatticeSums {
    double weight = 0;  ///< Σ ∇²W
    double moment = 0;  ///< ½ Σ x² ∇²W
    double half = 0;    ///< Σ x ∇²W over x > 0
    double missing =
        0;  ///< fractions of the weight beyond usual_gap, missed by the layers beneath a face, added up
};

LatticeSums sum_over_lattice(const Discretisation& of) {
    const ViscosityKernel<double> kernel(of.support, of.dimensions);
    const auto lattice = lattice_around_origin(Lattice::cubic, of.spacing, of.dimensions, of.support);
    LatticeSums out;
    for (const Vec3d& x : lattice) {
        const double w = kernel.laplacian(norm(x));
        out.weight += w;
        out.moment += 0.5 * x.x * x.x * w;
        out.half += std::max(0.0, x.x) * w;
    }
    for (double depth = 0.5 * of.spacing; depth < of.support; depth += of.spacing) {
        double beyond = 0;
        for (const Vec3d& x : lattice) beyond += x.x > depth ? kernel.laplacian(norm(x)) : 0;
        out.missing += std::max(0.0, beyond / out.weight - usual_gap);
    }
    return out;
}

/// aᵢ = κ/sᵢ, sᵢ = Σⱼ V⁰ⱼ ∇²Wᵢⱼ with self and with the walls that conduct. What is missing of s faces the
/// air, where no wall covers it: on a flat face of a cubic lattice it adds up to the area of the face.
template <class Pairs>
struct Weigh {
    Pairs pairs;
    View<const WallHeat> walls;
    int dimensions;
    float scale, full, area_of_missing;
    View<Packed4> field;
    View<float> area;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        const auto& row = pairs.row(i);
        Real ours{}, theirs{};  // by the kernel of i, and by those of its neighbours
        pairs.for_each(width, i, [&](const auto& pair) {
            if constexpr (Pairs::mixed) {
                ours += pair.volume * pair.smoothing.own_weight(pair.r);
                theirs += pair.volume * pair.smoothing.other_weight(pair.r);
            } else {
                ours += pair.volume * pair.laplacian();
            }
        });
        const WallHeat wall = walls.empty() ? WallHeat{} : walls[i];
        const float self = pairs.self(i).w * row.viscosity_self();
        float weight = self + width.sum(ours), most = weight, face = area_of_missing;
        if constexpr (Pairs::mixed) {
            // Beside finer particles only the kernel of a coarse one is complete, beside coarser ones only
            // theirs.
            const float other = width.sum(theirs);
            most = std::max(weight, self + other);
            weight = 0.5f * (weight + self + other);
            face *= dimensions == 2 ? row.scale() : row.scale() * row.scale();
        }
        field[i].z = scale / (weight + wall.matter);
        if (area.empty()) return;
        const float missing = 1 - (most + wall.cover) / full;
        area[i] = face * std::max(0.f, missing - static_cast<float>(usual_gap));
    }
};

/// The weight Eᵢ of the exchange with the nearest wall, at the distance d with the normal n. A temperature
/// that is linear along n stays so if what flows from the wall makes up for the neighbours that are missing
/// on its side:
///
///     Eᵢ d = aᵢ (M⁺ᵢ − M⁻ᵢ),   M±ᵢ = Σⱼ V⁰ⱼ max(0, ±n·xⱼᵢ) ∇²Wᵢⱼ
///
/// whatever the lattice, and however far from the wall it ends. Where the matter is too thin to be complete
/// on the other side (M⁺ below that of the lattice in as many neighbours), the lattice takes its place.
template <class Pairs>
struct ContactExchange {
    Pairs pairs;
    View<const HeatContact> contacts;
    View<const Packed4> field;
    float scale, full, half_moment, nearest;
    View<float> out;

    template <class Width>
    void operator()(const Width& width, Index i) const {
        using Real = typename Width::Real;
        const HeatContact& contact = contacts[i];
        if (contact.size == 0) {
            out[i] = 0;
            return;
        }
        const Vec3<Real> n{spread<Real>(contact.normal.x), spread<Real>(contact.normal.y),
                           spread<Real>(contact.normal.z)};
        Real both{}, beyond{};  // M⁺ − M⁻, M⁻
        pairs.for_each(width, i, [&](const auto& pair) {
            const Real h = -dot(pair.x, n), weight = pair.volume * pair.laplacian();
            both += h * weight;
            beyond += (h < 0.f ? -h : Real{}) * weight;
        });
        const float a = field[i].z, behind = width.sum(beyond);
        const float least = half_moment / contact.size * (scale / (a * full));
        const float moment = std::max(0.f, std::max(width.sum(both), least - behind));
        out[i] = a * moment / std::max(contact.distance, nearest * contact.size);
    }
};

}  // namespace

HeatFlow::HeatFlow(const std::vector<Material>& materials, const Ambient& ambient,
                   const std::vector<Heater>& heaters, const Discretisation& discretisation)
    : outside_(ambient, heaters, discretisation.dimensions), dimensions_(discretisation.dimensions) {
    for (const Material& material : materials) {
        constants_.emplace_back(material);
        conductivity_.push_back(static_cast<float>(constants_.back().k));
        rest_density_.push_back(static_cast<float>(material.density));
        conducts_ |= conductivity_.back() > 0;
    }
    const LatticeSums lattice = sum_over_lattice(discretisation);
    scale_ = lattice.weight / lattice.moment;
    full_ = rest_volume(discretisation) * lattice.weight;
    half_moment_ = rest_volume(discretisation) * lattice.half;
    nearest_ = 0.125 * discretisation.support;
    area_of_missing_ = std::pow(discretisation.spacing, dimensions_ - 1) / lattice.missing;
}

void HeatFlow::advance(const Device& device, const HeatState& state, double time, double dt) {
    iterations_ = 0;
    if (!acts() || state.particles.size() == 0) return;
    pack(device, state.particles);
    weigh(device, state);
    measure_contacts(device, state);
    outside_.gather(device, state, {constants_, field_, area_, contact_exchange_, nearest_, scale_ / full_},
                    time, dt);
    if (outside_.exchange().empty() && is_even(device, state)) return;
    measure_flow(device, state);
    const int steps = explicit_steps(dt * fastest_rate(device, state.particles));
    if (steps > 0)
        step_explicitly(device, state, steps, dt / steps);
    else
        iterations_ = implicit_.solve(device, state, {constants_, outside_.exchange(), total_, field_}, dt);
}

int HeatFlow::explicit_steps(double ratio) {
    const double steps = std::max(1.0, std::ceil(ratio / largest_ratio));
    return steps <= most_explicit_steps ? static_cast<int>(steps) : 0;
}

/// Whether all particles have the same temperature, so that nothing flows between them.
bool HeatFlow::is_even(const Device& device, const HeatState& state) const {
    const View<const float> t(state.particles.temperature);
    const float first = t[0];
    return reduce_max(device, state.particles.size(), 0.f, [=](Index i) { return std::abs(t[i] - first); }) ==
           0;
}

void HeatFlow::pack(const Device& device, const ParticleTable& particles) {
    const Index n = particles.size();
    field_.resize(n + 1);
    field_[n] = {};
    launch(device, n,
           [t = View<const float>(particles.temperature),
            material = View<const std::uint16_t>(particles.material), k = View(std::as_const(conductivity_)),
            field = View(field_)](Index i) {
               field[i] = {t[i], k[material[i]], 0, 0};
           });
}

void HeatFlow::weigh(const Device& device, const HeatState& state) {
    const Index n = state.particles.size();
    area_.resize(faces_air() ? n : 0);
    state.records.with_viscosity_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(
            device, n,
            Weigh{pairs, state.walls, dimensions_, static_cast<float>(scale_), static_cast<float>(full_),
                  static_cast<float>(area_of_missing_), View(field_), View(area_)});
    });
}

void HeatFlow::measure_contacts(const Device& device, const HeatState& state) {
    contact_exchange_.resize(state.contacts.size());
    if (state.contacts.empty()) return;
    state.records.with_viscosity_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(
            device, state.particles.size(),
            ContactExchange{pairs, state.contacts, View<const Packed4>(field_), static_cast<float>(scale_),
                            static_cast<float>(full_), static_cast<float>(half_moment_),
                            static_cast<float>(nearest_), View(contact_exchange_)});
    });
}

void HeatFlow::measure_flow(const Device& device, const HeatState& state) {
    const Index n = state.particles.size();
    flow_.resize(n);
    total_.resize(n);
    with_flows(state, field_, [&](const auto& flows) {
        launch(device, n, [flows, flow = View(flow_), total = View(total_)](Index i) {
            const auto sums = flows(EightLanes{}, i);
            flow[i] = sums.flow;
            total[i] = sums.total;
        });
    });
}

/// (Σ K + loss)/(m c), 1/s, of the particle where it is largest.
double HeatFlow::fastest_rate(const Device& device, const ParticleTable& particles) const {
    return reduce_max(device, particles.size(), 0.0,
                      [constants = View(constants_), m = View<const float>(particles.mass),
                       material = View<const std::uint16_t>(particles.material), total = View(total_),
                       exchange = outside_.exchange()](Index i) {
                          const double loss = exchange.empty() ? 0 : exchange[i].loss;
                          return (total[i] + loss) / (m[i] * constants[material[i]].c);
                      });
}

void HeatFlow::step_explicitly(const Device& device, const HeatState& state, int steps, double dt) {
    for (int k = 0; k < steps; ++k) {
        if (k > 0) measure_flow(device, state);
        launch(device, state.particles.size(),
               [dt, heat = heat_columns(constants_, state.particles),
                m = View<const float>(state.particles.mass), flow = View(std::as_const(flow_)),
                exchange = outside_.exchange(), field = View(field_)](Index i) {
                   const HeatExchange outside = exchange.empty() ? HeatExchange{} : exchange[i];
                   const double power = flow[i] + outside.gain - outside.loss * heat.temperature[i];
                   const double h = heat[i] + dt * power / m[i];
                   heat.set(i, above_absolute_zero(heat.constants[heat.material[i]], h));
                   field[i].x = heat.temperature[i];
               });
    }
}

std::size_t HeatFlow::bytes() const {
    return field_.capacity() * sizeof(Packed4) + outside_.bytes() + implicit_.bytes() +
           (area_.capacity() + contact_exchange_.capacity() + flow_.capacity() + total_.capacity()) *
               sizeof(float);
}

}  // namespace thixo
