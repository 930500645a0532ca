#include "heat/implicit.h"

#include <algorithm>
#include <utility>

#include "core/conjugate_gradient.h"
#include "heat/absolute_zero.h"

namespace thixo {

namespace {

constexpr double tolerance = 1e-4;  ///< of the change in a step, on average
/// Limits that are not reached in practice; the error that is left there is accepted.
constexpr int most_corrections = 20, most_iterations = 500;

/// Σ over rows: rᵀz, r²/m and what the solution so far changes, (C δT)²/m.
struct Sizes {
    double rz = 0, left2 = 0, change2 = 0;

    friend Sizes operator+(const Sizes& a, const Sizes& b) {
        return {a.rz + b.rz, a.left2 + b.left2, a.change2 + b.change2};
    }
};

/// What the passes of the system read and write.
template <class Flows>
struct HeatRows {
    Flows flows;
    View<const HeatExchange> exchange;
    View<const float> m, capacity;
    View<float> r, product, x;
    View<Packed4> field;  ///< .x: direction of search, .w: inverse of the diagonal, 0 for those that melt
    float dt;

    Sizes sizes(Index i) const {
        const double c = capacity[i], left2 = double{r[i]} * r[i];
        return {left2 * field[i].w, left2 / m[i], c * c * x[i] * x[i] / m[i]};
    }
};

/// As conjugate_gradient takes it.
template <class Flows>
struct HeatSystem {
    const Device& device;
    HeatRows<Flows> rows;
    double before2;  ///< how far the corrections before this one went, Σ m (h − h⁰)²
    Sizes now = {};
    double floor2 = 0;

    Index count() const { return static_cast<Index>(rows.x.size()); }

    /// rᵀz of the first residual.
    double start() {
        now = measure([](Index) {});
        floor2 = 1e-12 * now.left2;  // single precision ends at a millionth of where it began
        return now.rz;
    }
    bool converged(double) const {
        return now.left2 <= std::max(floor2, 0.1 * tolerance * tolerance * (before2 + now.change2));
    }
    double multiply() const {
        launch(device, count(), [rows = rows](Index i) {
            const float loss = rows.exchange.empty() ? 0.f : static_cast<float>(rows.exchange[i].loss);
            rows.product[i] = rows.field[i].w == 0 ? 0.f
                                                   : (rows.capacity[i] + rows.dt * loss) * rows.field[i].x -
                                                         rows.dt * rows.flows(EightLanes{}, i).flow;
        });
        return reduce_sum(device, count(), [field = rows.field, product = rows.product](Index i) {
            return double{field[i].x} * product[i];
        });
    }
    double advance(double alpha) {
        const auto length = static_cast<float>(alpha);
        now = measure([rows = rows, length](Index i) {
            rows.x[i] += length * rows.field[i].x;
            rows.r[i] -= length * rows.product[i];
        });
        return now.rz;
    }
    void turn(double beta) const {
        launch(device, count(), [field = rows.field, r = rows.r, keep = static_cast<float>(beta)](Index i) {
            field[i].x = field[i].w * r[i] + keep * field[i].x;
        });
    }

private:
    template <class Update>
    Sizes measure(const Update& update) const {
        return reduce(
            device, count(), Sizes{},
            [rows = rows, update](Index i) {
                update(i);
                return rows.sizes(i);
            },
            [](const Sizes& a, const Sizes& b) { return a + b; });
    }
};

}  // namespace

int ImplicitHeat::solve(const Device& device, const HeatState& state, const System& system, double dt) {
    const Index n = state.particles.size();
    for (auto* column : {&start_, &content_, &temperature_, &excess_}) column->resize(n);
    for (auto* column : {&residual_, &product_, &change_, &capacity_}) column->resize(n);
    const HeatColumns heat = heat_columns(system.constants, state.particles);
    const View<const float> m(state.particles.mass);
    const View h0(start_), h(content_), t(temperature_), excess(excess_);
    launch(device, n, [=](Index i) {
        h0[i] = h[i] = heat[i];
        t[i] = heat.constants[heat.material[i]].split(h[i]).temperature;
    });
    int iterations = 0;
    for (int k = 0; k <= most_corrections; ++k) {
        const double left2 = measure_excess(device, state, system, dt);
        const double change2 =
            reduce_sum(device, n, [=](Index i) { return m[i] * (h[i] - h0[i]) * (h[i] - h0[i]); });
        if (left2 <= tolerance * tolerance * change2 || k == most_corrections) break;
        iterations += correct(device, state, system, dt, change2);
    }
    launch(device, n, [=](Index i) {
        heat.set(i, above_absolute_zero(heat.constants[heat.material[i]], h[i] - excess[i] / m[i]));
    });
    return iterations;
}

/// E, and Σ E²/m (J²/kg).
double ImplicitHeat::measure_excess(const Device& device, const HeatState& state, const System& system,
                                    double dt) {
    return with_flows(state, system.field, [&](const auto& flows) {
        return reduce_sum(
            device, state.particles.size(),
            [dt, flows, m = View<const float>(state.particles.mass), h0 = View(std::as_const(start_)),
             h = View(std::as_const(content_)), t = View(std::as_const(temperature_)),
             exchange = system.exchange, excess = View(excess_)](Index i) {
                const HeatExchange outside = exchange.empty() ? HeatExchange{} : exchange[i];
                const double power = flows.precise(i, t) + outside.gain - outside.loss * t[i];
                excess[i] = m[i] * (h[i] - h0[i]) - dt * power;
                return excess[i] * excess[i] / m[i];
            });
    });
}

/// One correction: with C = m/T'(h), (C + Δt loss) δT − Δt Σ K (δTⱼ − δTᵢ) = −E for those whose temperature
/// follows their heat, by conjugate gradients; δT = 0 for those that melt at one temperature, which take what
/// flows to them. `change2` is how far the corrections so far went, Σ m (h − h⁰)².
int ImplicitHeat::correct(const Device& device, const HeatState& state, const System& system, double dt,
                          double change2) {
    begin_correction(device, state.particles, system, dt);
    const int iterations = iterate(device, state, system, dt, change2);
    const View<const float> m(state.particles.mass), x(change_), capacity(capacity_);
    const View field(system.field);
    launch(device, state.particles.size(), [=](Index i) { field[i].x = x[i]; });
    with_flows(state, system.field, [&](const auto& flows) {
        launch(device, state.particles.size(),
               [=, excess = View(std::as_const(excess_)), constants = system.constants,
                material = View<const std::uint16_t>(state.particles.material), h = View(content_),
                t = View(temperature_)](Index i) {
                   h[i] += field[i].w == 0 ? (-excess[i] + dt * flows(EightLanes{}, i).flow) / m[i]
                                           : double{capacity[i]} * x[i] / m[i];
                   t[i] = constants[material[i]].split(h[i]).temperature;
               });
    });
    return iterations;
}

/// C, the residual and the first direction of search. That is field.x; field.w is the inverse of the
/// diagonal, 0 for those that melt.
void ImplicitHeat::begin_correction(const Device& device, const ParticleTable& particles,
                                    const System& system, double dt) {
    launch(
        device, particles.size(),
        [dt, m = View<const float>(particles.mass), material = View<const std::uint16_t>(particles.material),
         constants = system.constants, exchange = system.exchange, excess = View(std::as_const(excess_)),
         total = system.total, h = View(std::as_const(content_)), capacity = View(capacity_),
         r = View(residual_), x = View(change_), field = View(system.field)](Index i) {
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
int ImplicitHeat::iterate(const Device& device, const HeatState& state, const System& system, double dt,
                          double change2) {
    return with_flows(state, system.field, [&](const auto& flows) {
        HeatSystem<std::remove_cvref_t<decltype(flows)>> equations{
            device,
            {flows, system.exchange, state.particles.mass, capacity_, residual_, product_, change_,
             system.field, static_cast<float>(dt)},
            change2};
        return conjugate_gradient(equations, equations.start(), most_iterations);
    });
}

std::size_t ImplicitHeat::bytes() const {
    return (residual_.capacity() + product_.capacity() + change_.capacity() + capacity_.capacity()) *
               sizeof(float) +
           (start_.capacity() + content_.capacity() + temperature_.capacity() + excess_.capacity()) *
               sizeof(double);
}

}  // namespace thixo
