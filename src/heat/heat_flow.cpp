#include "heat/heat_flow.h"

#include <cmath>
#include <utility>

#include "heat/absolute_zero.h"
#include "particles/lattice.h"
#include "sph/calibration.h"

namespace thixo {

namespace {

/// Explicit steps take at most this share of the difference to its neighbours from a particle: half of what would let
/// temperatures overshoot.
constexpr double largest_ratio = 0.5;
/// Beyond so many explicit steps in one of the mechanics the solver is quicker.
constexpr int most_explicit_steps = 4;

/// Share of the weights that a particle in the bulk of a stirred liquid may miss.
constexpr double usual_gap = 0.05;

/// Σ ∇²W over a lattice around the origin, self included, and what is found of it on either side of a face.
struct LatticeSums {
    double weight = 0;  ///< Σ ∇²W
    double moment = 0;  ///< ½ Σ x² ∇²W
    double missing =
        0;  ///< shares of the weight beyond usual_gap, missed by the layers beneath a face, added up
};

LatticeSums sum_over_lattice(double support, int dimensions, double spacing) {
    const ViscosityKernel<double> kernel(support, dimensions);
    const auto lattice = lattice_around_origin(Lattice::cubic, spacing, dimensions, support);
    LatticeSums out;
    for (const Vec3d& x : lattice) {
        const double w = kernel.laplacian(norm(x));
        out.weight += w;
        out.moment += 0.5 * x.x * x.x * w;
    }
    for (double depth = 0.5 * spacing; depth < support; depth += spacing) {
        double beyond = 0;
        for (const Vec3d& x : lattice) beyond += x.x > depth ? kernel.laplacian(norm(x)) : 0;
        out.missing += std::max(0.0, beyond / out.weight - usual_gap);
    }
    return out;
}

/// aᵢ = κ/sᵢ, sᵢ = Σⱼ V⁰ⱼ ∇²Wᵢⱼ with self and with the walls that conduct. What is missing of s faces the air, where no wall
/// covers it: on a flat face of a cubic lattice it adds up to the area of the face.
template <class Sizes>
struct Weigh {
    Sizes sizes;
    Neighbours neighbours;
    View<const WallHeat> walls;
    const Packed4* position_volume;
    int dimensions;
    float scale, full, area_of_missing;
    View<Packed4> field;
    View<float> area;

    void operator()(Index i) const {
        const Packed4 own = position_volume[i];
        const Vec3<Lanes> x = spread(Vec3f{own.x, own.y, own.z});
        const auto& w = sizes.of(i);
        Lanes ours{}, theirs{};  // by the kernel of i, and by those of its neighbours
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather(position_volume, j);
            const Lanes r = square_root(norm2(x - other.xyz));
            if constexpr (Sizes::mixed) {
                ours += other.w * w.with(j).own_weight(r);
                theirs += other.w * w.with(j).other_weight(r);
            } else {
                ours += other.w * w.with(j).viscosity_laplacian(r);
            }
        });
        const WallHeat wall = walls.empty() ? WallHeat{} : walls[i];
        const float self = own.w * w.viscosity_self();
        float weight = self + sum(ours), most = weight, face = area_of_missing;
        if constexpr (Sizes::mixed) {
            // Beside finer particles only its own kernel tells a coarse one that nothing is missing, beside coarser ones only theirs.
            most = std::max(weight, self + sum(theirs));
            weight = 0.5f * (weight + self + sum(theirs));
            face *= dimensions == 2 ? w.scale() : w.scale() * w.scale();
        }
        field[i].z = scale / (weight + wall.matter);
        if (area.empty()) return;
        const float missing = 1 - (most + wall.cover) / full;
        area[i] = face * std::max(0.f, missing - static_cast<float>(usual_gap));
    }
};

}  // namespace

HeatFlow::HeatFlow(const std::vector<Material>& materials, const Ambient& ambient,
                   const std::vector<Heater>& heaters, KernelName kernel, double support, int dimensions,
                   double spacing)
    : ambient_(ambient), heaters_(heaters), support_(support), dimensions_(dimensions) {
    for (const Material& material : materials) {
        constants_.emplace_back(material);
        conductivity_.push_back(static_cast<float>(constants_.back().k));
        rest_density_.push_back(static_cast<float>(material.density));
        conducts_ |= conductivity_.back() > 0;
    }
    const LatticeSums lattice = sum_over_lattice(support, dimensions, spacing);
    scale_ = lattice.weight / lattice.moment;
    full_ = rest_volume(kernel, support, dimensions, Lattice::cubic, spacing) * lattice.weight;
    area_of_missing_ = std::pow(spacing, dimensions - 1) / lattice.missing;
}

void HeatFlow::advance(const Device& device, const HeatState& state, double time, double dt) {
    iterations_ = 0;
    if (!acts() || state.particles.size() == 0) return;
    pack(device, state.particles);
    invert_supports(device, support_, state.supports, inverse_support_);
    weigh(device, state);
    gather_exchange(device, state, time, dt);
    if (exchange_.empty() && is_even(device, state)) return;
    measure_flow(device, state);
    const int steps = explicit_steps(dt * fastest_rate(device, state.particles));
    if (steps > 0)
        step_explicitly(device, state, steps, dt / steps);
    else
        solve(device, state, dt);
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
    position_volume_.resize(n + 1);
    field_.resize(n + 1);
    position_volume_[n] = padding_record;
    field_[n] = {};
    launch(device, n,
           [x = View<const Vec3f>(particles.position), m = View<const float>(particles.mass),
            t = View<const float>(particles.temperature),
            material = View<const std::uint16_t>(particles.material),
            rho = View(std::as_const(rest_density_)), k = View(std::as_const(conductivity_)),
            out = View(position_volume_), field = View(field_)](Index i) {
               out[i] = {x[i].x, x[i].y, x[i].z, m[i] / rho[material[i]]};
               field[i] = {t[i], k[material[i]], 0, 0};
           });
}

void HeatFlow::weigh(const Device& device, const HeatState& state) {
    const Index n = state.particles.size();
    area_.resize(faces_air() ? n : 0);
    with_viscosity_sizes(support_, dimensions_, inverse_support_, [&](const auto& sizes) {
        launch(device, n,
               Weigh{sizes, state.neighbours, state.walls, position_volume_.data(), dimensions_,
                     static_cast<float>(scale_), static_cast<float>(full_),
                     static_cast<float>(area_of_missing_), View(field_), View(area_)});
    });
}

void HeatFlow::measure_flow(const Device& device, const HeatState& state) {
    const Index n = state.particles.size();
    flow_.resize(n);
    total_.resize(n);
    with_pairs(state, [&](const auto& flows) {
        launch(device, n, [flows, flow = View(flow_), total = View(total_)](Index i) {
            const auto sums = flows(i);
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
                       exchange = View(exchange_)](Index i) {
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
                exchange = View(std::as_const(exchange_)), field = View(field_)](Index i) {
                   const HeatExchange outside = exchange.empty() ? HeatExchange{} : exchange[i];
                   const double power = flow[i] + outside.gain - outside.loss * heat.temperature[i];
                   const double h = heat[i] + dt * power / m[i];
                   heat.set(i, above_absolute_zero(heat.constants[heat.material[i]], h));
                   field[i].x = heat.temperature[i];
               });
    }
}

std::size_t HeatFlow::bytes() const {
    return (position_volume_.capacity() + field_.capacity()) * sizeof(Packed4) +
           exchange_.capacity() * sizeof(HeatExchange) +
           (inverse_support_.capacity() + area_.capacity() + flow_.capacity() + total_.capacity() +
            residual_.capacity() + product_.capacity() + change_.capacity() + capacity_.capacity()) *
               sizeof(float) +
           (start_.capacity() + content_.capacity() + temperature_.capacity() + excess_.capacity()) *
               sizeof(double);
}

}  // namespace thixo
