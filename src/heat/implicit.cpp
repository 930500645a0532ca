#include <algorithm>
#include <utility>

#include "heat/absolute_zero.h"
#include "heat/heat_flow.h"

namespace thixo {

namespace {

constexpr double tolerance = 1e-4;  ///< of the change in a step, on average
constexpr int most_corrections = 20, most_iterations = 500;

}  // namespace

/// Backward Euler for the heat content: the root of
///
///     Eᵢ(h) = mᵢ (hᵢ − h⁰ᵢ) − Δt (Σⱼ Kᵢⱼ (T(hⱼ) − T(hᵢ)) + gainᵢ − lossᵢ T(hᵢ))
///
/// by Newton's method. T(h) is made of straight pieces, so it ends after few corrections: one if nothing begins or ends to melt.
/// E is told in double precision and corrections are solved for in single precision, so that rounding does not grow with Δt. In
/// the end h becomes h⁰ + Δt/m × flows, which differs from h by what is left of E/m and conserves heat whatever is left.
void HeatFlow::solve(const Device& device, const HeatState& state, double dt) {
    const Index n = state.particles.size();
    for (auto* column : {&start_, &content_, &temperature_, &excess_}) column->resize(n);
    for (auto* column : {&residual_, &product_, &change_, &capacity_}) column->resize(n);
    const HeatColumns heat = heat_columns(constants_, state.particles);
    const View<const float> m(state.particles.mass);
    const View h0(start_), h(content_), t(temperature_), excess(excess_);
    launch(device, n, [=](Index i) {
        h0[i] = h[i] = heat[i];
        t[i] = heat.constants[heat.material[i]].split(h[i]).temperature;
    });
    for (int k = 0; k <= most_corrections; ++k) {
        const double left2 = measure_excess(device, state, dt);
        const double change2 =
            reduce_sum(device, n, [=](Index i) { return m[i] * (h[i] - h0[i]) * (h[i] - h0[i]); });
        if (left2 <= tolerance * tolerance * change2 || k == most_corrections) break;
        correct(device, state, dt, change2);
    }
    launch(device, n, [=](Index i) {
        heat.set(i, above_absolute_zero(heat.constants[heat.material[i]], h[i] - excess[i] / m[i]));
    });
}

/// E, and Σ E²/m (J²/kg).
double HeatFlow::measure_excess(const Device& device, const HeatState& state, double dt) {
    return with_pairs(state, [&](const auto& flows) {
        return reduce_sum(
            device, state.particles.size(),
            [dt, flows, m = View<const float>(state.particles.mass), h0 = View(std::as_const(start_)),
             h = View(std::as_const(content_)), t = View(std::as_const(temperature_)),
             exchange = View(std::as_const(exchange_)), excess = View(excess_)](Index i) {
                const HeatExchange outside = exchange.empty() ? HeatExchange{} : exchange[i];
                const double power = flows.precise(i, t) + outside.gain - outside.loss * t[i];
                excess[i] = m[i] * (h[i] - h0[i]) - dt * power;
                return excess[i] * excess[i] / m[i];
            });
    });
}

/// One correction: with C = m/T'(h), (C + Δt loss) δT − Δt Σ K (δTⱼ − δTᵢ) = −E for those whose temperature follows their heat,
/// by conjugate gradients; δT = 0 for those that melt at one temperature, which take what flows to them. `change2` is how far the
/// corrections so far went, Σ m (h − h⁰)².
void HeatFlow::correct(const Device& device, const HeatState& state, double dt, double change2) {
    begin_correction(device, state.particles, dt);
    iterate(device, state, dt, change2);
    const View<const float> m(state.particles.mass), x(change_), capacity(capacity_);
    const View field(field_);
    launch(device, state.particles.size(), [=](Index i) { field[i].x = x[i]; });
    with_pairs(state, [&](const auto& flows) {
        launch(device, state.particles.size(),
               [=, excess = View(std::as_const(excess_)), constants = View(std::as_const(constants_)),
                material = View<const std::uint16_t>(state.particles.material), h = View(content_),
                t = View(temperature_)](Index i) {
                   h[i] += field[i].w == 0 ? (-excess[i] + dt * flows(i).flow) / m[i]
                                           : double{capacity[i]} * x[i] / m[i];
                   t[i] = constants[material[i]].split(h[i]).temperature;
               });
    });
}

/// C, the residual and the first direction of search. That is field.x; field.w is the inverse of the diagonal, 0 for those that
/// melt.
void HeatFlow::begin_correction(const Device& device, const ParticleTable& particles, double dt) {
    launch(
        device, particles.size(),
        [dt, m = View<const float>(particles.mass), material = View<const std::uint16_t>(particles.material),
         constants = View(std::as_const(constants_)), exchange = View(std::as_const(exchange_)),
         excess = View(std::as_const(excess_)), total = View(std::as_const(total_)),
         h = View(std::as_const(content_)), capacity = View(capacity_), r = View(residual_),
         x = View(change_), field = View(field_)](Index i) {
            const double warming = constants[material[i]].warming(h[i]);
            const double loss = exchange.empty() ? 0 : exchange[i].loss;
            const bool melts = warming == 0;
            capacity[i] = melts ? 0.f : static_cast<float>(m[i] / warming);
            r[i] = melts ? 0.f : static_cast<float>(-excess[i]);
            x[i] = 0;
            field[i].w = melts ? 0.f : static_cast<float>(1 / (capacity[i] + dt * (loss + total[i])));
            field[i].x = field[i].w * r[i];
        });
}

/// Conjugate gradients, until what is left of the residual is small beside the change of heat.
void HeatFlow::iterate(const Device& device, const HeatState& state, double dt, double change2) {
    const Index n = state.particles.size();
    const View<const float> m(state.particles.mass), capacity(capacity_);
    const View r(residual_), product(product_), x(change_);
    const View field(field_);
    struct Sizes {
        double rz, left2, change2;
    };
    const auto sizes = [&](const auto& update) {
        return reduce(
            device, n, Sizes{0, 0, 0},
            [=](Index i) {
                update(i);
                const double c = capacity[i], left2 = double{r[i]} * r[i];
                return Sizes{left2 * field[i].w, left2 / m[i], c * c * x[i] * x[i] / m[i]};
            },
            [](const Sizes& a, const Sizes& b) {
                return Sizes{a.rz + b.rz, a.left2 + b.left2, a.change2 + b.change2};
            });
    };
    Sizes now = sizes([](Index) {});
    const double floor2 = 1e-12 * now.left2;  // single precision ends at a millionth of where it began
    const auto content = [&] {
        return now.left2 <= std::max(floor2, 0.1 * tolerance * tolerance * (change2 + now.change2));
    };
    for (int k = 0; k < most_iterations && !content(); ++k, ++iterations_) {
        with_pairs(state, [&](const auto& flows) {
            launch(device, n,
                   [=, dt = static_cast<float>(dt), exchange = View(std::as_const(exchange_))](Index i) {
                       const float loss = exchange.empty() ? 0.f : static_cast<float>(exchange[i].loss);
                       product[i] = field[i].w == 0
                                        ? 0.f
                                        : (capacity[i] + dt * loss) * field[i].x - dt * flows(i).flow;
                   });
        });
        const double curvature =
            reduce_sum(device, n, [=](Index i) { return double{field[i].x} * product[i]; });
        const auto length = static_cast<float>(now.rz / curvature);
        const Sizes next = sizes([=](Index i) {
            x[i] += length * field[i].x;
            r[i] -= length * product[i];
        });
        const auto keep = static_cast<float>(next.rz / now.rz);
        now = next;
        launch(device, n, [=](Index i) { field[i].x = field[i].w * r[i] + keep * field[i].x; });
    }
}

}  // namespace thixo
