#include "fluid/dfsph_iterations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "fluid/dfsph_pairs.h"

namespace thixo {

namespace {

/// Fraction of a compression that is taken away in the step that the flow allows. All of it at once would
/// leave a velocity of expansion behind, and a still pool bouncing on it (tests/physics/still_water.cpp).
constexpr float correction_fraction = 0.2f;

/// Matter looser than this may close up within one step; what is denser approaches rest as slowly as it
/// leaves it.
constexpr float loose = 0.05f;

/// Compression beyond this is not that of a fluid at rest, and goes as fast as steps can take it away.
constexpr float dense = 0.01f;

/// Below any error that occurs.
constexpr float nothing_to_take = -1e20f;

/// Momentum of the sweeps begins as in this iteration: the coarse level has taken what would be carried too
/// far.
constexpr double first_momentum = 3;

/// Where errors grow by this factor, some wave is stiffer than the diagonal says. Momentum starts anew, and
/// steps become shorter.
constexpr double most_growth = 1.5;
constexpr float damping = 0.8f;

/// V⁰v of a row.
Packed4 flow_of(const Packed4& position_volume, const Vec3f& v) {
    const Vec3f u = position_volume.w * v;
    return {u.x, u.y, u.z, 0};
}

/// A rate of compression that is known.
struct KnownRate {
    View<const float> rate;

    template <class Width>
    float operator()(const Width&, Index i) const {
        return rate[i];
    }
};

constexpr auto add_progress = [](const auto& a, const auto& b) {
    return std::remove_cvref_t<decltype(a)>{a.error + b.error, a.rows + b.rows, a.uphill + b.uphill,
                                            a.smooth + b.smooth};
};

}  // namespace

float DfsphIterations::Goal::softness(Phase phase, const FluidConstants& c) const {
    return phase != Phase::elastic ? 0.f : closing * closing / (c.sound_speed2 * c.rest_density);
}

float DfsphIterations::Goal::correction(Phase phase, float s) const {
    if (phase == Phase::elastic) return closing * (s - 1);
    return correction_fraction *
               (easing * std::clamp(s - 1, -loose, dense) + closing * std::max(s - 1 - dense, 0.f)) +
           closing * std::min(s - 1 + loose, 0.f);
}

/// Sums over one iteration: errors and the rows that have one, all of liquids and those of solids that are
/// pressed; whether the step went against the gradient; and the rows that a coarse correction is for.
struct DfsphIterations::Progress {
    double error = 0, rows = 0, uphill = 0, smooth = 0;
};

void DfsphIterations::begin(const Device& device, const FluidState& state) {
    const Index n = state.particles.size();
    gradient_.resize(n);
    records_.resize(2 * (n + 1));
    for (std::vector<float>* column : {&impulse_, &applied_, &ahead_, &fullness_, &residual_})
        column->resize(n);
    before_.resize(n);
    assembled_ = false;
    records_[2 * n] = padding_record;
    records_[2 * n + 1] = {};
    launch(device, n,
           [xv = state.records.position_volume(), v = View<const Vec3f>(state.particles.velocity),
            out = View(records_)](Index i) {
               out[2 * i] = xv[i];
               out[2 * i + 1] = flow_of(xv[i], v[i]);
           });
    rate_known_ = true;
}

std::size_t DfsphIterations::bytes() const {
    return (gradient_.capacity() + records_.capacity() + before_.capacity()) * sizeof(Packed4) +
           (impulse_.capacity() + applied_.capacity() + ahead_.capacity() + fullness_.capacity() +
            residual_.capacity() + left_.capacity()) *
               sizeof(float) +
           coarse_.bytes();
}

void DfsphIterations::pack(const Device& device, const FluidState& state) {
    const int changed =
        reduce_max(device, state.particles.size(), 0,
                   [xv = state.records.position_volume(), v = View<const Vec3f>(state.particles.velocity),
                    out = View(records_)](Index i) {
                       const Packed4 flow = flow_of(xv[i], v[i]), known = out[2 * i + 1];
                       out[2 * i + 1] = flow;
                       return flow.x == known.x && flow.y == known.y && flow.z == known.z ? 0 : 1;
                   });
    rate_known_ = rate_known_ && changed == 0;
}

/// Brings the impulses that act from `applied_` to `target`, and the velocities with them.
void DfsphIterations::apply(const Device& device, const FluidState& state, View<const float> target) {
    const Index n = state.particles.size();
    const Packed4* xv = state.records.position_volume();
    rate_known_ = false;
    launch(device, n, [=, applied = View(applied_), record = View(records_)](Index i) {
        record[2 * i].w = xv[i].w * (target[i] - applied[i]);
        applied[i] = target[i];
    });
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        const DfsphPush push{pairs.template with_places<2>(records_.data()), xv,
                             View<const Packed4>(gradient_), View<const FluidConstants>(constants_),
                             View<const std::uint16_t>(state.particles.material)};
        launch(device, n, [=, records = View(records_)](Index i) {
            const Vec3f change = push(EightLanes{}, i);
            Packed4& flow = records[2 * i + 1];
            flow = {flow.x + change.x, flow.y + change.y, flow.z + change.z, 0};
        });
    });
    // A projection within the system: it stays symmetric, and no stiffer than its diagonal says.
    if (state.bind) state.bind(View(records_));
}

/// What is left to be taken from row i at the impulses that act, and what it counts.
struct DfsphIterations::Excess {
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    View<const float> rho;
    View<const Phase> phase;
    View<const WallMotion> motion;
    View<const Packed4> gradient;
    View<const float> applied;
    Goal goal;

    float softness(Index i) const { return goal.softness(phase[i], constants[material[i]]); }

    /// Of the complementarity problem, where that much is left at the impulse J.
    static float error(float left, float impulse) {
        return impulse > 0 ? std::abs(left) : std::max(0.f, left);
    }
    /// Whether a row is one of those whose mean error is bounded.
    double counts(Index i, float error) const { return phase[i] == Phase::liquid || error > 0 ? 1 : 0; }

    template <class Compression>
    float operator()(const Compression& compression, Index i) const {
        const float s = rho[i] / constants[material[i]].rest_density;
        if (s < goal.surface || gradient[i].w == 0 || !goal.includes(phase[i])) return nothing_to_take;
        const float walls = motion.empty() ? 0.f : motion[i].approach;
        return compression(EightLanes{}, i) - walls + goal.correction(phase[i], s) - softness(i) * applied[i];
    }
};

DfsphIterations::Excess DfsphIterations::excess(const FluidState& state, const Goal& goal) const {
    return {constants_,
            state.particles.material,
            state.particles.density,
            state.particles.phase,
            state.motion,
            gradient_,
            applied_,
            goal};
}

/// Calls use(compression) with what finds the rates of the velocities as packed.
template <class Use>
void DfsphIterations::with_compression(const FluidState& state, const Use& use) const {
    if (rate_known_) return use(KnownRate{ahead_});
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        use(DfsphCompression{pairs.template with_places<2>(records_.data()), records_.data() + 1,
                             state.records.position_volume(), View<const Packed4>(gradient_)});
    });
}

/// What is left in each row goes to `left_`. Returns the curvature along the last change of the impulses of
/// solids, found from what was left before.
Curvature DfsphIterations::measure(const Device& device, const FluidState& state, const Goal& goal) {
    Curvature sum;
    left_.resize(state.particles.size());
    with_compression(state, [&](const auto& compression) {
        const auto find = [=, excess = excess(state, goal), g = View<const Packed4>(gradient_),
                           records = View<const Packed4>(records_), xv = state.records.position_volume(),
                           stored = View(left_)](Index i) {
            const float before = stored[i], left = excess(compression, i);
            const float change = records[2 * i].w;  // V⁰d
            stored[i] = left;
            if (change == 0 || left == nothing_to_take || excess.phase[i] == Phase::liquid)
                return Curvature{};
            const double diagonal = (1 + double{excess.softness(i)} * g[i].w) / g[i].w;
            return Curvature{double{change} * (before - left), double{change} * change / xv[i].w * diagonal};
        };
        sum = reduce(device, state.particles.size(), Curvature{}, find, std::plus<>());
    });
    return sum;
}

/// One step of accelerated Jacobi from the impulses that act: `impulse_` becomes what it makes of them,
/// `ahead_` where momentum leads. Leaves the residuals of the rows that a coarse correction is for.
DfsphIterations::Progress DfsphIterations::sweep(const Device& device, const FluidState& state,
                                                 const Goal& goal, float momentum, const Steps& steps) {
    Progress progress;
    const auto improve = [=, excess = excess(state, goal), g = View<const Packed4>(gradient_),
                          xv = state.records.position_volume(), impulse = View(impulse_),
                          ahead = View(ahead_), residual = View(residual_)](Index i, float left) {
        const float length = excess.phase[i] == Phase::liquid ? steps.liquid : steps.solid,
                    step = length * g[i].w / (1 + excess.softness(i) * g[i].w);
        const float error_before = excess.error(left, excess.applied[i]);
        residual[i] = error_before > 0 && excess.phase[i] != Phase::elastic ? xv[i].w * left : 0;
        const float change = projected_step(excess.applied[i], step * left, momentum, impulse[i], ahead[i]);
        const float error = excess.error(left, impulse[i]);
        return Progress{error, excess.counts(i, error), -double{left} * change * xv[i].w,
                        residual[i] != 0 ? 1. : 0.};
    };
    const Index n = state.particles.size();
    if (state.bind) {
        progress = reduce(
            device, n, Progress{},
            [=, left = View<const float>(left_)](Index i) { return improve(i, left[i]); }, add_progress);
    } else {
        with_compression(state, [&](const auto& compression) {
            progress = reduce(
                device, n, Progress{},
                [=, excess = excess(state, goal)](Index i) { return improve(i, excess(compression, i)); },
                add_progress);
        });
    }
    rate_known_ = false;  // the rates were in `ahead_`
    return progress;
}

/// Follows the direction that the coarse level finds, as far as it keeps J ≥ 0. Of it as much as is best:
/// along it the energy ½ Σ m v² − Σ V⁰ q J is a parabola, whose slope and curvature are sums over the rows.
void DfsphIterations::correct_coarsely(const Device& device, const FluidState& state) {
    if (!assembled_) coarse_.assemble(device, {state, gradient_, fullness_, constants_});
    assembled_ = true;
    coarse_.solve(device, state, residual_, ahead_);
    const Index n = state.particles.size();
    const double slope =
        reduce_sum(device, n,
                   [residual = View<const float>(residual_), ahead = View(ahead_), impulse = View(impulse_),
                    before = View(before_), applied = View<const float>(applied_),
                    records = View<const Packed4>(records_)](Index i) {
                       ahead[i] = residual[i] != 0 ? std::max(0.f, applied[i] + ahead[i]) : applied[i];
                       impulse[i] = applied[i];
                       before[i] = records[2 * i + 1];
                       return double{residual[i]} * (ahead[i] - applied[i]);
                   });
    if (!(slope > 0)) return;
    apply(device, state, ahead_);
    const double curvature = reduce_sum(
        device, n,
        [xv = state.records.position_volume(), before = View<const Packed4>(before_),
         records = View<const Packed4>(records_), constants = View<const FluidConstants>(constants_),
         material = View<const std::uint16_t>(state.particles.material)](Index i) {
            const Packed4 &a = before[i], &b = records[2 * i + 1];
            const Vec3f change{b.x - a.x, b.y - a.y, b.z - a.z};
            return double{constants[material[i]].rest_density / xv[i].w} * norm2(change);
        });
    shorten(device, state, static_cast<float>(std::min(1.0, slope / curvature)));
}

/// Keeps a fraction of the coarse correction from `impulse_` to `ahead_`, which is applied. Bodies that
/// answer have taken it up: one more push updates them; what else there is in the records is what it was
/// before and a fraction of its change.
void DfsphIterations::shorten(const Device& device, const FluidState& state, float fraction) {
    const Index n = state.particles.size();
    launch(device, n, [=, impulse = View(impulse_), ahead = View(ahead_)](Index i) {
        if (fraction < 1) ahead[i] = impulse[i] + fraction * (ahead[i] - impulse[i]);
        impulse[i] = ahead[i];
    });
    if (!(fraction < 1)) return;
    if (state.bind) return apply(device, state, ahead_);
    launch(
        device, n,
        [=, before = View<const Packed4>(before_), ahead = View<const float>(ahead_),
         applied = View(applied_), records = View(records_)](Index i) {
            const Packed4 a = before[i];
            Packed4& b = records[2 * i + 1];
            b = {a.x + fraction * (b.x - a.x), a.y + fraction * (b.y - a.y), a.z + fraction * (b.z - a.z), 0};
            applied[i] = ahead[i];
        });
}

/// Solves the complementarity problem J ≥ 0, excess + rate of compression by J ≤ 0, one of them zero in each
/// row, by a coarse correction and accelerated Jacobi (core/accelerated_jacobi.h). Ends when the mean error
/// is below the goal's. The excess is the rate of compression of the velocities and that at which compression
/// shall fall.
///
/// Rows of bodies that answer as a whole are heavier than the diagonal says. Their steps are longer by as
/// much as the stiffest of the last directions allows (Barzilai & Borwein 1988).
int DfsphIterations::iterate(const Device& device, const FluidState& state, const Goal& goal) {
    NesterovMomentum nesterov(first_momentum);
    float relaxation = 1;
    double least = std::numeric_limits<double>::infinity();
    MeasuredStretch stretch;
    bool measured = false;
    int iterations = 0;
    for (bool again = true; again; ++iterations) {
        if (state.bind) {
            const Curvature last = measure(device, state, goal);
            if (measured) stretch.take(last);
        }
        measured = true;
        const Progress progress = sweep(device, state, goal, nesterov.begin(),
                                        {relaxation, relaxation * static_cast<float>(stretch.value())});
        const bool converged = !(progress.error > goal.error * progress.rows);
        again = iterations + 1 < most_ && (iterations + 1 < goal.at_least || !converged);
        if (iterations == 0 && (!converged || goal.coarse) && progress.smooth > 0) {
            correct_coarsely(device, state);
            measured = false;  // of its two changes the records have the last
            continue;
        }
        nesterov.end(progress.uphill);
        if (progress.error > most_growth * least) {
            nesterov = NesterovMomentum();
            relaxation *= damping;
            least = progress.error;
        }
        least = std::min(least, progress.error);
        apply(device, state, again ? ahead_ : impulse_);
    }
    launch(device, state.particles.size(),
           [xv = state.records.position_volume(), records = View<const Packed4>(records_),
            v = View(state.particles.velocity)](Index i) {
               const Packed4& flow = records[2 * i + 1];
               v[i] = Vec3f{flow.x, flow.y, flow.z} / xv[i].w;
           });
    return iterations;
}

}  // namespace thixo
