#include "fluid/dfsph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "particles/lattice.h"
#include "sph/calibration.h"
#include "sph/kernels.h"

namespace thixo {

namespace {

/// Where the sum is below this, the free surface is in reach, and particles may still gather.
constexpr float full_kernel = 0.9f;

/// Share of the last step's pressure that the next one starts from.
constexpr float warm_start = 0.5f;

/// Share of a compression that is taken away in the step that the flow allows. All of it at once would leave a velocity of
/// expansion behind, and a still pool bouncing on it.
constexpr float share_a_step = 0.2f;

/// Matter looser than this may close up within one step; what is denser approaches rest as slowly as it leaves it.
constexpr float loose = 0.05f;

/// Compression beyond this is not that of a fluid at rest, and goes as fast as steps can take it away.
constexpr float dense = 0.01f;

/// No step counts as less than this share of the one that the flow allows: single precision does not know compression
/// better, and where nothing moves the flow would allow any step.
constexpr double shortest_share = 1e-3;

constexpr float nothing_to_take = -1e20f;

/// The step by which errors and corrections count: the one that the flow alone would allow. What gravity adds to the compression
/// in a step falls with Δt², so with a share of each step, however short, solves would end before pressure has crossed the
/// fluid; and a pool would heave with every change of Δt.
double counted_step(double dt, double flow_step) { return std::clamp(flow_step, dt, dt / shortest_share); }

/// Sums over one iteration: error of all rows, and whether the step went against the gradient.
struct Progress {
    double error = 0, uphill = 0;
};

/// On the cubic lattice at rest. The largest eigenvalue of the system over its diagonal is that of waves J = cos(k·x),
/// |Σⱼ ∇Wⱼ sin(k·xⱼ)|² / Σⱼ |∇Wⱼ|². It grows with the number of neighbours, which all push the same way; 2.1 for H = 2 ℓ in
/// 2D, 2.8 in 3D. The pull is the largest eigenvalue of Σⱼ V⁰ |∇Wⱼ| nⱼnⱼᵀ, nⱼ along xⱼ: their sum over d.
DfsphLattice on_lattice(KernelName name, double support, int dimensions, double spacing) {
    constexpr int waves = 12;
    const std::vector<Vec3d> lattice = lattice_around_origin(Lattice::cubic, spacing, dimensions, support);
    return with_kernel(name, support, dimensions, [&](const auto& kernel) {
        const auto gradient = [&](const Vec3d& x) {
            return x * double{kernel.gradient_over_distance(static_cast<float>(norm(x)))};
        };
        double diagonal = 0, pull = 0, largest = 0;
        for (const Vec3d& x : lattice) {
            diagonal += norm2(gradient(x));
            pull += norm(gradient(x)) / dimensions;
        }
        const double unit = std::numbers::pi / (waves * spacing);
        for (int a = 0; a <= waves; ++a) {
            for (int b = 0; b <= a; ++b) {
                for (int c = 0; c <= (dimensions == 2 ? 0 : b); ++c) {
                    Vec3d sum;
                    for (const Vec3d& x : lattice)
                        sum += std::sin(unit * (a * x.x + b * x.y + c * x.z)) * gradient(x);
                    largest = std::max(largest, norm2(sum) / diagonal);
                }
            }
        }
        const double volume = rest_volume(name, support, dimensions, Lattice::cubic, spacing);
        return DfsphLattice{static_cast<float>(largest), static_cast<float>(volume * pull)};
    });
}

constexpr auto add = [](const Progress& a, const Progress& b) {
    return Progress{a.error + b.error, a.uphill + b.uphill};
};

/// In one sweep: ρᵢ = ρ₀ᵢ (Σⱼ V⁰ⱼ Wᵢⱼ + γᵢ), gᵢ = Σⱼ V⁰ⱼ ∇Wᵢⱼ + ∇γᵢ and αᵢ, such that J = α × (rate of compression) does not
/// overshoot. With uᵢᵢ = |gᵢ|, uᵢⱼ = V⁰ⱼ |∇Wᵢⱼ| and the mean density ρ̄ᵢ = Σⱼ uᵢⱼ ρ₀ⱼ / Σⱼ uᵢⱼ
///
///     1/αᵢ = λ (|gᵢ|² + V⁰ᵢ Σⱼ V⁰ⱼ |∇Wᵢⱼ|²)/ρ̄ᵢ + τ Σⱼ uᵢⱼ (1/ρ₀ⱼ − 1/ρ̄ᵢ)
template <class W>
struct Diagonal {
    W kernel;
    Neighbours neighbours;
    const Packed4* position_volume;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;
    bool mixed;
    DfsphLattice lattice;
    View<const WallTerm> walls;
    View<float> rho;
    View<Packed4> gradient;

    void operator()(Index i) const {
        const Packed4 self = position_volume[i];
        const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
        const float rest = constants[material[i]].rest_density;
        Vec3<Lanes> g{};
        Lanes s{}, squares{}, reach{}, heavy{}, light{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather(position_volume, j);
            const Vec3<Lanes> xij = x - other.xyz;
            const Lanes r2 = norm2(xij), r = square_root(r2), slope = kernel.gradient_over_distance(r);
            s += other.w * kernel.value(r);
            g += xij * (other.w * slope);
            squares += other.w * slope * slope * r2;
            if (!mixed) return;
            const Lanes u = -other.w * slope * r, density = densities(j, rest);
            reach += u;
            heavy += u * density;
            light += u / density;
        });
        rho[i] = rest * (self.w * kernel.value(0.f) + sum(s) + walls[i].share);
        const Vec3f total = sum(g) + walls[i].gradient;
        const float own = norm(total), all = own + sum(reach);
        const float mean = mixed && all > 0 ? (own * rest + sum(heavy)) / all : rest;
        const float excess = mixed ? std::max(0.f, own / rest + sum(light) - all / mean) : 0.f;
        const float diagonal =
            lattice.eigenvalue * (own * own + self.w * sum(squares)) / mean + lattice.pull * excess;
        gradient[i] = {total.x, total.y, total.z, diagonal > 0 ? 1 / diagonal : 0.f};
    }

    /// ρ₀ⱼ; for entries that fill up the last lanes any will do.
    Lanes densities(const Index* j, float any) const {
        Lanes out = spread<Lanes>(any);
        for (Index l = 0; l < lane_count; ++l) {
            if (j[l] < material.size()) out[l] = constants[material[j[l]]].rest_density;
        }
        return out;
    }
};

/// Rate of compression of velocities packed as V⁰v: vᵢ·gᵢ − Σⱼ V⁰ⱼ vⱼ·∇Wᵢⱼ.
template <class W>
struct Compression {
    W kernel;
    Neighbours neighbours;
    const Packed4* records;
    const Packed4* position_volume;
    View<const Packed4> gradient;

    float at(Index i) const {
        const Packed4 self = records[2 * i], own = records[2 * i + 1], g = gradient[i];
        const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
        Lanes rate{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const Vec3<Lanes> xij = x - gather<2>(records, j).xyz;
            const Lanes r = square_root(norm2(xij));
            rate += dot(gather<2>(records + 1, j).xyz, xij) * kernel.gradient_over_distance(r);
        });
        return (own.x * g.x + own.y * g.y + own.z * g.z) / position_volume[i].w - sum(rate);
    }
};

/// Δvᵢ = −(Jᵢ gᵢ + Σⱼ V⁰ⱼ Jⱼ ∇Wᵢⱼ)/ρ₀ᵢ
template <class W>
struct Push {
    W kernel;
    Neighbours neighbours;
    const Packed4* records;
    const Packed4* position_volume;
    View<const Packed4> gradient;
    View<const FluidConstants> constants;
    View<const std::uint16_t> material;

    /// V⁰ Δv
    Vec3f at(Index i) const {
        const Packed4 self = records[2 * i], g = gradient[i];
        const Vec3<Lanes> x = spread(Vec3f{self.x, self.y, self.z});
        Vec3<Lanes> push{};
        neighbours.for_each_lanes(i, [&](const Index* j) {
            const PackedLanes other = gather<2>(records, j);
            const Vec3<Lanes> xij = x - other.xyz;
            push += xij * (other.w * kernel.gradient_over_distance(square_root(norm2(xij))));
        });
        const float volume = position_volume[i].w;
        return (volume * sum(push) + self.w * Vec3f{g.x, g.y, g.z}) *
               (-1 / constants[material[i]].rest_density);
    }
};

}  // namespace

float Dfsph::Goal::correction(float s) const {
    return easing * std::clamp(s - 1, -loose, dense) +
           closing * (std::min(s - 1 + loose, 0.f) + share_a_step * std::max(s - 1 - dense, 0.f));
}

Dfsph::Dfsph(const DfsphSettings& settings, KernelName kernel, double support, int dimensions, double spacing)
    : settings_(settings),
      kernel_(kernel),
      support_(support),
      dimensions_(dimensions),
      lattice_(on_lattice(kernel, support, dimensions, spacing)) {}

void Dfsph::prepare(const Device& device, const FluidState& state, Fluid& fluid) {
    fluid.pack_positions(device, state.particles);
    const Index n = state.particles.size();
    gradient_.resize(n);
    records_.resize(2 * (n + 1));
    for (std::vector<float>* column : {&impulse_, &applied_, &ahead_}) column->resize(n);
    records_[2 * n] = padding_record;
    records_[2 * n + 1] = {};
    const View<const FluidConstants> constants = fluid.constants();
    const bool mixed = std::any_of(constants.begin(), constants.end(), [&](const FluidConstants& c) {
        return c.rest_density != constants[0].rest_density;
    });
    launch(device, n, [xv = fluid.position_volume(), out = View(records_)](Index i) { out[2 * i] = xv[i]; });
    with_kernel(kernel_, support_, dimensions_, [&](const auto& kernel) {
        launch(device, n,
               Diagonal{kernel, state.neighbours, fluid.position_volume(), constants,
                        View<const std::uint16_t>(state.particles.material), mixed, lattice_, state.walls,
                        View(state.particles.density), View(gradient_)});
    });
}

/// Velocities packed as V⁰v.
void Dfsph::pack(const Device& device, const FluidState& state, const Fluid& fluid) {
    launch(device, state.particles.size(),
           [xv = fluid.position_volume(), v = View<const Vec3f>(state.particles.velocity),
            out = View(records_)](Index i) {
               const Vec3f u = xv[i].w * v[i];
               out[2 * i + 1] = {u.x, u.y, u.z, 0};
           });
}

/// Brings the impulses that act from `applied_` to `target`, and the velocities with them.
void Dfsph::apply(const Device& device, const FluidState& state, const Fluid& fluid,
                  View<const float> target) {
    const Index n = state.particles.size();
    const Packed4* xv = fluid.position_volume();
    launch(device, n, [=, applied = View(applied_), record = View(records_)](Index i) {
        record[2 * i].w = xv[i].w * (target[i] - applied[i]);
        applied[i] = target[i];
    });
    with_kernel(kernel_, support_, dimensions_, [&](const auto& kernel) {
        const Push push{kernel,
                        state.neighbours,
                        records_.data(),
                        xv,
                        View<const Packed4>(gradient_),
                        fluid.constants(),
                        View<const std::uint16_t>(state.particles.material)};
        launch(device, n, [=, records = View(records_)](Index i) {
            const Vec3f change = push.at(i);
            Packed4& flow = records[2 * i + 1];
            flow = {flow.x + change.x, flow.y + change.y, flow.z + change.z, 0};
        });
    });
    // A projection within the system: it stays symmetric, and no stiffer than its diagonal knows.
    if (state.bind) state.bind(View(records_));
}

/// Solves the complementarity problem J ≥ 0, excess + rate of compression by J ≤ 0, one of them zero in each row, by
/// projected Jacobi steps with Nesterov's momentum: pressure must travel through the fluid, and does so a layer an iteration
/// where Jacobi alone needs the square. Momentum starts anew where it leads uphill (O'Donoghue & Candès 2015). Ends when
/// the mean error is below the goal's. The excess is the rate of compression of the velocities and that at which compression
/// shall fall.
int Dfsph::iterate(const Device& device, const FluidState& state, const Fluid& fluid, const Goal& goal) {
    const Index n = state.particles.size();
    const Packed4* xv = fluid.position_volume();
    double t = 1;
    int iterations = 0;
    for (bool again = true; again; ++iterations) {
        const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
        const auto momentum = static_cast<float>((t - 1) / next);
        Progress progress;
        with_kernel(kernel_, support_, dimensions_, [&](const auto& kernel) {
            const View<const Packed4> g(gradient_);
            const Compression compression{kernel, state.neighbours, records_.data(), xv, g};
            const auto improve = [=, constants = fluid.constants(),
                                  material = View<const std::uint16_t>(state.particles.material),
                                  rho = View<const float>(state.particles.density),
                                  phase = View<const Phase>(state.particles.phase), motion = state.motion,
                                  applied = View<const float>(applied_), impulse = View(impulse_),
                                  ahead = View(ahead_)](Index i) {
                const float s = rho[i] / constants[material[i]].rest_density;
                const float walls = motion.empty() ? 0.f : motion[i].approach;
                // Solids feel pressure, but have none that is solved for: far neighbours alone would have to give it.
                const float left = s < goal.surface || phase[i] != Phase::liquid
                                       ? nothing_to_take
                                       : compression.at(i) - walls + goal.correction(s);
                const float better = std::max(0.f, applied[i] + g[i].w * left);
                const float change = better - impulse[i];
                impulse[i] = better;
                ahead[i] = std::max(0.f, better + momentum * change);
                const float error = better > 0 ? std::abs(left) : std::max(0.f, left);
                return Progress{error, -double{left} * change * xv[i].w};
            };
            progress = reduce(device, n, Progress{}, improve, add);
        });
        t = progress.uphill > 0 ? 1 : next;
        again = iterations + 1 < goal.at_least ||
                (progress.error > goal.error * n && iterations + 1 < settings_.max_iterations);
        apply(device, state, fluid, again ? ahead_ : impulse_);
    }
    launch(device, n,
           [xv, records = View<const Packed4>(records_), v = View(state.particles.velocity)](Index i) {
               const Packed4& flow = records[2 * i + 1];
               v[i] = Vec3f{flow.x, flow.y, flow.z} / xv[i].w;
           });
    return iterations;
}

void Dfsph::solve_divergence(const Device& device, const FluidState& state, const Fluid& fluid,
                             double last_step, double flow_step) {
    pack(device, state, fluid);
    std::fill(impulse_.begin(), impulse_.end(), 0.f);
    std::fill(applied_.begin(), applied_.end(), 0.f);
    const double error = last_step > 0 ? settings_.divergence_error / counted_step(last_step, flow_step)
                                       : std::numeric_limits<double>::infinity();
    divergence_iterations_ =
        iterate(device, state, fluid,
                {.surface = full_kernel, .error = error, .at_least = (settings_.min_iterations + 1) / 2});
}

void Dfsph::solve_density(const Device& device, const FluidState& state, const Fluid& fluid, double dt,
                          double flow_step, View<float> wall_push) {
    const auto per_step = static_cast<float>(1 / dt);
    pack(device, state, fluid);
    launch(device, state.particles.size(),
           [factor = warm_start * static_cast<float>(dt), p = View<const float>(state.particles.pressure),
            phase = View<const Phase>(state.particles.phase), impulse = View(impulse_),
            applied = View(applied_)](Index i) {
               impulse[i] = phase[i] == Phase::liquid ? factor * p[i] : 0;
               applied[i] = 0;
           });
    apply(device, state, fluid, impulse_);
    const double counted = counted_step(dt, flow_step);
    density_iterations_ = iterate(device, state, fluid,
                                  {.closing = per_step,
                                   .easing = share_a_step / static_cast<float>(counted),
                                   .error = settings_.density_error / counted,
                                   .at_least = settings_.min_iterations});
    launch(device, state.particles.size(),
           [=, impulse = View<const float>(impulse_), walls = state.walls, constants = fluid.constants(),
            material = View<const std::uint16_t>(state.particles.material),
            phase = View<const Phase>(state.particles.phase), p = View(state.particles.pressure)](Index i) {
               if (phase[i] != Phase::liquid) return;
               p[i] = impulse[i] * per_step;
               wall_push[i] = p[i] * norm(walls[i].gradient) / constants[material[i]].rest_density;
           });
}

std::size_t Dfsph::bytes() const {
    return (gradient_.capacity() + records_.capacity()) * sizeof(Packed4) +
           (impulse_.capacity() + applied_.capacity() + ahead_.capacity()) * sizeof(float);
}

}  // namespace thixo
