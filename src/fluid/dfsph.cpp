#include "fluid/dfsph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "fluid/dfsph_pairs.h"
#include "fluid/equation_of_state.h"
#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

// Bender & Koschier 2015 correct all of an error in each step. The constants that damp it here were chosen by
// trial; which test pins them: docs/theory/constants.md. tests/physics/still_water.cpp, dam_break.cpp and
// floating_block.cpp test what they are for: pools that come to rest at their hydrostatic pressure, with
// bodies in them.

/// Where the sum is below this, the free surface is in reach, and particles may still gather. The layer below
/// the outermost has 1, the outermost 0.84.
constexpr float full_kernel = 0.9f;

/// No step counts as less than this fraction of the one that the flow allows: single precision does not
/// resolve compression better, and where nothing moves the flow would allow any step.
constexpr double shortest_fraction = 1e-3;

/// In supports: way of √(p/ρ) in a long step. The cubic lattice swings with at most ω² = 8.5 p/(ρ ℓ²), and
/// steps are stable while ω Δt < 2, which is 0.34 H.
constexpr double swing_way = 0.3;

/// The step by which errors and corrections count: the one that the flow alone would allow. What gravity adds
/// to the compression in a step falls with Δt², so with a fraction of each step, however short, solves would
/// end before pressure has crossed the fluid; and a pool would heave with every change of Δt.
double counted_step(double dt, double flow_step) { return std::clamp(flow_step, dt, dt / shortest_fraction); }

/// On the cubic lattice at rest. The largest eigenvalue of the system over its diagonal is that of waves J =
/// cos(k·x), |Σⱼ ∇Wⱼ sin(k·xⱼ)|² / Σⱼ |∇Wⱼ|². It grows with the number of neighbours, which all push the same
/// way; 2.1 for H = 2 ℓ in 2D, 2.8 in 3D. The pull is the largest eigenvalue of Σⱼ V⁰ |∇Wⱼ| nⱼnⱼᵀ, nⱼ along
/// xⱼ: their sum over d.
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

}  // namespace

Dfsph::Dfsph(const DfsphSettings& settings, const Discretisation& discretisation,
             const std::vector<FluidConstants>& constants)
    : iterations_(discretisation, constants, settings.max_iterations),
      settings_(settings),
      constants_(constants),
      dimensions_(discretisation.dimensions),
      lattice_(on_lattice(discretisation)) {
    mixed_density_ = std::any_of(constants.begin(), constants.end(), [&](const FluidConstants& c) {
        return c.rest_density != constants[0].rest_density;
    });
}

std::unique_ptr<PressureSolver> make_dfsph(const PressureSetup& setup) {
    return std::make_unique<Dfsph>(setup.methods.dfsph, setup.discretisation, setup.constants);
}

void Dfsph::compute_density(const Device& device, const FluidState& state) {
    const Index n = state.particles.size();
    iterations_.begin(device, state);
    const View<const FluidConstants> constants(constants_);
    const View<const std::uint16_t> material(state.particles.material);
    if (mixed_density_) {
        // Of the padding any will do.
        rest_density_.resize(n + 1, constants_[0].rest_density);
        launch(device, n,
               [=, out = View(rest_density_)](Index i) { out[i] = constants[material[i]].rest_density; });
    }
    state.records.with_pairs(state.neighbours, [&](const auto& pairs) {
        launch_pairs(
            device, n,
            DfsphDiagonal{pairs.template with_places<2>(iterations_.records()), constants, material,
                          View<const Phase>(state.particles.phase),
                          mixed_density_ ? std::as_const(rest_density_).data() : nullptr, lattice_,
                          state.walls, dimensions_, View(state.particles.density), iterations_.gradient(),
                          iterations_.records() + 1, iterations_.fullness(), iterations_.rate()});
    });
}

bool Dfsph::compute_pressure(const Device& device, ParticleTable& particles,
                             View<Packed4> velocity_pressure) {
    launch(device, particles.size(), [=, v = View<const Vec3f>(particles.velocity)](Index i) {
        velocity_pressure[i] = {v[i].x, v[i].y, v[i].z, 0};
    });
    return false;
}

bool Dfsph::solve_divergence(const Device& device, const FluidState& state, double last_step,
                             const FlowStep& flow_step) {
    iterations_.pack(device, state);
    launch(device, state.particles.size(),
           [impulse = iterations_.impulse(), applied = iterations_.applied()](Index i) {
               impulse[i] = applied[i] = 0;
           });
    const double error = last_step > 0 ? settings_.divergence_error / counted_step(last_step, flow_step())
                                       : std::numeric_limits<double>::infinity();
    divergence_iterations_ = iterations_.iterate(
        device, state,
        {.surface = full_kernel, .error = error, .at_least = (settings_.min_iterations + 1) / 2});
    return true;
}

bool Dfsph::solve_density(const Device& device, const FluidState& state, double dt, const FlowStep& flow_step,
                          View<float> wall_push) {
    const auto per_step = static_cast<float>(1 / dt);
    iterations_.pack(device, state);
    launch(device, state.particles.size(),
           [dt = static_cast<float>(dt), p = View<const float>(state.particles.pressure),
            g = iterations_.gradient(), impulse = iterations_.impulse(),
            applied = iterations_.applied()](Index i) {
               impulse[i] = g[i].w > 0 ? dt * p[i] : 0;
               applied[i] = 0;
           });
    iterations_.apply(device, state, iterations_.impulse());
    const double counted = counted_step(dt, flow_step());
    density_iterations_ = iterations_.iterate(device, state,
                                              {.solids = true,
                                               .closing = per_step,
                                               .easing = static_cast<float>(1 / counted),
                                               .error = settings_.density_error / counted,
                                               .at_least = settings_.min_iterations,
                                               .coarse = true});
    launch(device, state.particles.size(),
           [=, impulse = iterations_.impulse(), walls = state.walls,
            constants = View<const FluidConstants>(constants_),
            material = View<const std::uint16_t>(state.particles.material),
            p = View(state.particles.pressure)](Index i) {
               p[i] = impulse[i] * per_step;
               wall_push[i] = p[i] * norm(walls[i].gradient) / constants[material[i]].rest_density;
           });
    return true;
}

void Dfsph::limit_time_step(const Device& device, const ParticleTable& particles, double support, bool loose,
                            TimeStepLimit& limit) const {
    // A lattice under pressure swings sideways with about √(p/ρ)/ℓ, which the solver does not see ahead. A
    // single particle is no lattice: what is pinched between solids gets any impulse J, and were its J/Δt to
    // limit the step, the next would be larger. So p/ρ is a mean over rows next to each other in the table,
    // those of about one cell.
    constexpr Index group = 8;
    const Index n = particles.size();
    const View<const float> p(particles.pressure), rho(particles.density);
    const View<const Phase> phase(particles.phase);
    const float largest = reduce_max(device, (n + group - 1) / group, 0.f, [=](Index k) {
        const Index end = std::min(n, group * (k + 1));
        float sum = 0;
        for (Index i = group * k; i < end; ++i)
            sum += phase[i] == Phase::liquid || (loose && phase[i] == Phase::elastic) ? p[i] / rho[i] : 0.f;
        return sum / static_cast<float>(end - group * k);
    });
    const double swing = std::sqrt(largest);
    limit.tighten((looks_ahead() ? swing_way : courant()) * support / swing,
                  [] { return std::string("pressure"); });
}

std::size_t Dfsph::bytes() const { return iterations_.bytes() + rest_density_.capacity() * sizeof(float); }

}  // namespace thixo
