#include "fluid/dfsph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "core/accelerated_jacobi.h"
#include "fluid/dfsph_pairs.h"
#include "fluid/equation_of_state.h"
#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

// Bender & Koschier 2015 correct all of an error in each step. The constants that damp it here were chosen by trial; which test pins them: docs/theory/constants.md. tests/physics/still_water.cpp,
// dam_break.cpp and floating_block.cpp test what they are for: pools that come to rest at their hydrostatic pressure, with bodies in them.

/// Where the sum is below this, the free surface is in reach, and particles may still gather. The layer below the outermost has 1, the outermost 0.84.
constexpr float full_kernel = 0.9f;

/// Fraction of the last step's pressure that the next one starts from (warm start).
constexpr float warm_start = 0.5f;

/// Fraction of a compression that is taken away in the step that the flow allows. All of it at once would leave a velocity of
/// expansion behind, and a still pool bouncing on it (tests/physics/still_water.cpp).
constexpr float correction_fraction = 0.2f;

/// Matter looser than this may close up within one step; what is denser approaches rest as slowly as it leaves it.
constexpr float loose = 0.05f;

/// Compression beyond this is not that of a fluid at rest, and goes as fast as steps can take it away.
constexpr float dense = 0.01f;

/// No step counts as less than this fraction of the one that the flow allows: single precision does not resolve compression
/// better, and where nothing moves the flow would allow any step.
constexpr double shortest_fraction = 1e-3;

/// Below any error that occurs.
constexpr float nothing_to_take = -1e20f;

/// The step by which errors and corrections count: the one that the flow alone would allow. What gravity adds to the compression
/// in a step falls with Δt², so with a fraction of each step, however short, solves would end before pressure has crossed the
/// fluid; and a pool would heave with every change of Δt.
double counted_step(double dt, double flow_step) { return std::clamp(flow_step, dt, dt / shortest_fraction); }

/// Sums over one iteration: errors and the rows that have one, all of liquids and those of solids that are pressed; and whether the step
/// went against the gradient.
struct Progress {
    double error = 0, rows = 0, uphill = 0;
};

/// On the cubic lattice at rest. The largest eigenvalue of the system over its diagonal is that of waves J = cos(k·x),
/// |Σⱼ ∇Wⱼ sin(k·xⱼ)|² / Σⱼ |∇Wⱼ|². It grows with the number of neighbours, which all push the same way; 2.1 for H = 2 ℓ in
/// 2D, 2.8 in 3D. The pull is the largest eigenvalue of Σⱼ V⁰ |∇Wⱼ| nⱼnⱼᵀ, nⱼ along xⱼ: their sum over d.
DfsphLattice on_lattice(const Discretisation& of) {
    constexpr int waves = 12;  // wave numbers tried along an axis; the maximum is flat
    const std::vector<Vec3d> lattice =
        lattice_around_origin(Lattice::cubic, of.spacing, of.dimensions, of.support);
    return with_kernel(of, [&](const auto& kernel) {
        const auto gradient = [&](const Vec3d& x) {
            return x * double{kernel.gradient_over_distance(static_cast<float>(norm(x)))};
        };
        double diagonal = 0, pull = 0, largest = 0;
        for (const Vec3d& x : lattice) {
            diagonal += norm2(gradient(x));
            pull += norm(gradient(x)) / of.dimensions;
        }
        const double unit = std::numbers::pi / (waves * of.spacing);
        for (int a = 0; a <= waves; ++a) {
            for (int b = 0; b <= a; ++b) {
                for (int c = 0; c <= (of.dimensions == 2 ? 0 : b); ++c) {
                    Vec3d sum;
                    for (const Vec3d& x : lattice)
                        sum += std::sin(unit * (a * x.x + b * x.y + c * x.z)) * gradient(x);
                    largest = std::max(largest, norm2(sum) / diagonal);
                }
            }
        }
        return DfsphLattice{static_cast<float>(largest), static_cast<float>(rest_volume(of) * pull)};
    });
}

constexpr auto add = [](const Progress& a, const Progress& b) {
    return Progress{a.error + b.error, a.rows + b.rows, a.uphill + b.uphill};
};

}  // namespace

float Dfsph::Goal::softness(Phase phase, const FluidConstants& c) const {
    return phase != Phase::elastic ? 0.f : closing * closing / (c.sound_speed2 * c.rest_density);
}

float Dfsph::Goal::correction(Phase phase, float s) const {
    if (phase == Phase::elastic) return closing * (s - 1);
    return easing * std::clamp(s - 1, -loose, dense) +
           closing * (std::min(s - 1 + loose, 0.f) + correction_fraction * std::max(s - 1 - dense, 0.f));
}

Dfsph::Dfsph(const DfsphSettings& settings, const Discretisation& discretisation,
             const std::vector<FluidConstants>& constants)
    : settings_(settings), constants_(constants), lattice_(on_lattice(discretisation)) {
    mixed_density_ = std::any_of(constants.begin(), constants.end(), [&](const FluidConstants& c) {
        return c.rest_density != constants[0].rest_density;
    });
}

std::unique_ptr<PressureSolver> make_dfsph(const PressureSetup& setup) {
    return std::make_unique<Dfsph>(setup.methods.dfsph, setup.discretisation, setup.constants);
}

void Dfsph::compute_density(const Device& device, const FluidState& state) {
    const Index n = state.particles.size();
    gradient_.resize(n);
    records_.resize(2 * (n + 1));
    for (std::vector<float>* column : {&impulse_, &applied_, &ahead_}) column->resize(n);
    records_[2 * n] = padding_record;
    records_[2 * n + 1] = {};
    const View<const FluidConstants> constants(constants_);
    const View<const std::uint16_t> material(state.particles.material);
    launch(device, n,
           [xv = state.records.position_volume(), out = View(records_)](Index i) { out[2 * i] = xv[i]; });
    if (mixed_density_) {
        // Of the padding any will do.
        rest_density_.resize(n + 1, constants_[0].rest_density);
        launch(device, n,
               [=, out = View(rest_density_)](Index i) { out[i] = constants[material[i]].rest_density; });
    }
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(device, n,
                     DfsphDiagonal{pairs, constants, material, View<const Phase>(state.particles.phase),
                                   mixed_density_ ? std::as_const(rest_density_).data() : nullptr, lattice_,
                                   state.walls, View(state.particles.density), View(gradient_)});
    });
}

bool Dfsph::compute_pressure(const Device& device, ParticleTable& particles,
                             View<Packed4> velocity_pressure) {
    launch(device, particles.size(), [=, v = View<const Vec3f>(particles.velocity)](Index i) {
        velocity_pressure[i] = {v[i].x, v[i].y, v[i].z, 0};
    });
    return false;
}

/// Velocities packed as V⁰v.
void Dfsph::pack(const Device& device, const FluidState& state) {
    launch(device, state.particles.size(),
           [xv = state.records.position_volume(), v = View<const Vec3f>(state.particles.velocity),
            out = View(records_)](Index i) {
               const Vec3f u = xv[i].w * v[i];
               out[2 * i + 1] = {u.x, u.y, u.z, 0};
           });
}

/// Brings the impulses that act from `applied_` to `target`, and the velocities with them.
void Dfsph::apply(const Device& device, const FluidState& state, View<const float> target) {
    const Index n = state.particles.size();
    const Packed4* xv = state.records.position_volume();
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

/// Solves the complementarity problem J ≥ 0, excess + rate of compression by J ≤ 0, one of them zero in each row, by
/// accelerated Jacobi (core/accelerated_jacobi.h). Ends when
/// the mean error is below the goal's. The excess is the rate of compression of the velocities and that at which compression
/// shall fall.
int Dfsph::iterate(const Device& device, const FluidState& state, const Goal& goal) {
    const Index n = state.particles.size();
    const Packed4* xv = state.records.position_volume();
    NesterovMomentum nesterov;
    int iterations = 0;
    for (bool again = true; again; ++iterations) {
        const float momentum = nesterov.begin();
        Progress progress;
        state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
            const View<const Packed4> g(gradient_);
            const DfsphCompression compression{pairs.template with_places<2>(records_.data()),
                                               std::as_const(records_).data() + 1, xv, g};
            const auto improve = [=, constants = View<const FluidConstants>(constants_),
                                  material = View<const std::uint16_t>(state.particles.material),
                                  rho = View<const float>(state.particles.density),
                                  phase = View<const Phase>(state.particles.phase), motion = state.motion,
                                  applied = View<const float>(applied_), impulse = View(impulse_),
                                  ahead = View(ahead_)](Index i) {
                const float s = rho[i] / constants[material[i]].rest_density;
                const float walls = motion.empty() ? 0.f : motion[i].approach;
                const float softness = goal.softness(phase[i], constants[material[i]]);
                const float left = s < goal.surface || g[i].w == 0 || !goal.includes(phase[i])
                                       ? nothing_to_take
                                       : compression(EightLanes{}, i) - walls + goal.correction(phase[i], s) -
                                             softness * applied[i];
                const float step = g[i].w / (1 + softness * g[i].w);
                const float change = projected_step(applied[i], step * left, momentum, impulse[i], ahead[i]);
                const float error = impulse[i] > 0 ? std::abs(left) : std::max(0.f, left);
                const bool counts = phase[i] == Phase::liquid || error > 0;
                return Progress{error, counts ? 1.0 : 0.0, -double{left} * change * xv[i].w};
            };
            progress = reduce(device, n, Progress{}, improve, add);
        });
        nesterov.end(progress.uphill);
        again = iterations + 1 < goal.at_least ||
                (progress.error > goal.error * progress.rows && iterations + 1 < settings_.max_iterations);
        apply(device, state, again ? ahead_ : impulse_);
    }
    launch(device, n,
           [xv, records = View<const Packed4>(records_), v = View(state.particles.velocity)](Index i) {
               const Packed4& flow = records[2 * i + 1];
               v[i] = Vec3f{flow.x, flow.y, flow.z} / xv[i].w;
           });
    return iterations;
}

bool Dfsph::solve_divergence(const Device& device, const FluidState& state, double last_step,
                             const FlowStep& flow_step) {
    pack(device, state);
    std::fill(impulse_.begin(), impulse_.end(), 0.f);
    std::fill(applied_.begin(), applied_.end(), 0.f);
    const double error = last_step > 0 ? settings_.divergence_error / counted_step(last_step, flow_step())
                                       : std::numeric_limits<double>::infinity();
    divergence_iterations_ =
        iterate(device, state,
                {.surface = full_kernel, .error = error, .at_least = (settings_.min_iterations + 1) / 2});
    return true;
}

bool Dfsph::solve_density(const Device& device, const FluidState& state, double dt, const FlowStep& flow_step,
                          View<float> wall_push) {
    const auto per_step = static_cast<float>(1 / dt);
    pack(device, state);
    launch(device, state.particles.size(),
           [factor = warm_start * static_cast<float>(dt), p = View<const float>(state.particles.pressure),
            g = View<const Packed4>(gradient_), impulse = View(impulse_), applied = View(applied_)](Index i) {
               impulse[i] = g[i].w > 0 ? factor * p[i] : 0;
               applied[i] = 0;
           });
    apply(device, state, impulse_);
    const double counted = counted_step(dt, flow_step());
    density_iterations_ = iterate(device, state,
                                  {.solids = true,
                                   .closing = per_step,
                                   .easing = correction_fraction / static_cast<float>(counted),
                                   .error = settings_.density_error / counted,
                                   .at_least = settings_.min_iterations});
    launch(device, state.particles.size(),
           [=, impulse = View<const float>(impulse_), walls = state.walls,
            constants = View<const FluidConstants>(constants_),
            material = View<const std::uint16_t>(state.particles.material),
            p = View(state.particles.pressure)](Index i) {
               p[i] = impulse[i] * per_step;
               wall_push[i] = p[i] * norm(walls[i].gradient) / constants[material[i]].rest_density;
           });
    return true;
}

void Dfsph::limit_time_step(const Device& device, const ParticleTable& particles, double support,
                            TimeStepLimit& limit) const {
    // A lattice under pressure swings sideways with about √(p/ρ)/ℓ, which the solver does not see ahead.
    const View<const float> p(particles.pressure), rho(particles.density);
    const View<const Phase> phase(particles.phase);
    const double swing = std::sqrt(reduce_max(device, particles.size(), 0.f, [=](Index i) {
        return phase[i] == Phase::rigid ? 0.f : p[i] / rho[i];
    }));
    limit.tighten(courant() * support / swing, [] { return std::string("pressure"); });
}

std::size_t Dfsph::bytes() const {
    return (gradient_.capacity() + records_.capacity()) * sizeof(Packed4) +
           (impulse_.capacity() + applied_.capacity() + ahead_.capacity() + rest_density_.capacity()) *
               sizeof(float);
}

}  // namespace thixo
