#include "sim/settle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/walls.h"
#include "fluid/fluid.h"
#include "geometry/layer.h"
#include "sim/support_test.h"
#include "sph/kernels.h"
#include "sph/neighbours.h"

namespace thixo {

namespace {

/// Compression that the weight of the deepest liquid may leave where the run's solver leaves none.
constexpr double stiffest_compression = 1e-4;

/// Compression below which a liquid without load is left as it is.
constexpr double least_compression = 2e-3;

/// Sound speed in which liquids rearrange, in √(g d): as soft as that, pressure leaves steps long enough for weight to act.
constexpr double soft_sound = 5;

/// Iterations times particles: less than a minute on one core. Where there are more particles, each layer is a smaller part of the depth, and so is
/// what is left.
constexpr double most_work = 3e7;

/// Farthest way in one iteration, in spacings.
constexpr float longest_move = 0.05f;

/// FIRE's constants, as published.
constexpr double grow = 1.1, shrink = 0.5, mixing = 0.1, fade = 0.99;
constexpr int patience = 5;

/// The materials without what makes their motion slow or uneven. Where pressure is solved for, their sound speed is one at which they hardly yield;
/// `softest` (m/s) bounds it.
std::vector<Material> inviscid(const Model& model, double depth,
                               double softest = std::numeric_limits<double>::infinity()) {
    std::vector<Material> materials = model.materials;
    const double g = norm(model.gravity);
    for (Material& material : materials) {
        material.liquid.viscosity = material.liquid.artificial_viscosity = material.liquid.surface_tension =
            0;
        material.liquid.viscosity_table.clear();
        if (model.solver.pressure == PressureMethod::dfsph)
            material.liquid.sound_speed = std::max(1.0, std::sqrt(g * depth / stiffest_compression));
        material.liquid.sound_speed = std::min(material.liquid.sound_speed, softest);
    }
    return materials;
}

FluidMethods summed(FluidMethods methods) {
    if (methods.pressure == PressureMethod::dfsph) methods.pressure = PressureMethod::state_equation;
    methods.density = DensityMethod::summation;
    methods.viscosity = ViscosityMethod::laplacian;
    return methods;
}

FluidMethods soft_methods(const FluidMethods& methods) {
    FluidMethods soft = summed(methods);
    soft.pressure = PressureMethod::state_equation;
    return soft;
}

/// Height of the liquid objects along gravity (m).
double depth_of(const Model& model, const ParticleTable& particles) {
    const double g = norm(model.gravity);
    if (!(g > 0)) return 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.phase[i] != Phase::liquid) continue;
        const double y = -dot(to_double(particles.position[i]), model.gravity) / g;
        low = std::min(low, y);
        high = std::max(high, y);
    }
    return high > low ? high - low + model.particles.spacing : model.particles.spacing;
}

class Relaxation {
public:
    Relaxation(const Model& model, const std::vector<Object>& objects, const ParticleTable& particles,
               const Device& device)
        : model_(model),
          device_(device),
          particles_(particles),
          support_(model.particles.support * model.particles.spacing),
          depth_(depth_of(model, particles)),
          walls_(model.obstacles, model.dimensions, support_),
          half_space_(model.solver.kernel, support_, model.dimensions, model.particles.spacing),
          materials_(inviscid(model, depth_)),
          fluid_(materials_, summed(model.solver), model.solver.kernel, support_, model.dimensions,
                 model.particles.spacing),
          soft_sound_(soft_sound * std::sqrt(norm(model.gravity) * depth_)),
          soft_(inviscid(model, depth_, soft_sound_), soft_methods(model.solver), model.solver.kernel,
                support_, model.dimensions, model.particles.spacing),
          moves_(objects.size()),
          loads_(objects.size()) {
        std::fill(particles_.velocity.begin(), particles_.velocity.end(), Vec3f{});
        for (std::size_t k = 0; k < objects.size(); ++k)
            moves_[k] = objects[k].phase == Phase::liquid && objects[k].velocity == Vec3d{} &&
                        objects[k].angular_velocity == Vec3d{} && !is_layer(objects[k].shape);
    }

    Settling run(ParticleTable& out) {
        Settling report;
        report.loaded.resize(moves_.size());
        if (std::none_of(moves_.begin(), moves_.end(), [](std::uint8_t m) { return m != 0; })) return report;
        find_neighbours();
        find_loads();
        find_surplus();
        evaluate();
        leave_what_rests();
        for (std::size_t k = 0; k < loads_.size(); ++k) report.loaded[k] = loads_[k] != 0;
        if (std::none_of(moves_.begin(), moves_.end(), [](std::uint8_t m) { return m != 0; })) return report;
        const double share = std::min(1.0, most_work / (600.0 * particles_.size()));
        const auto some = [&](int iterations) { return static_cast<int>(share * iterations); };
        // Pressure comes first, in some crossings of sound; then what slides along walls, softly; then pressure once more.
        relax(fluid_, std::max(60, some(150)), 0.1, report);
        if (std::any_of(loads_.begin(), loads_.end(), [](std::uint8_t l) { return l != 0; }) &&
            some(300) > 0) {
            remember_pressure();
            switch_law(true);
            relax(soft_, some(300), 0.003, report);
            switch_law(false);
            relax(fluid_, some(150), 0.03, report);
        }
        write_back(out, report);
        return report;
    }

private:
    void find_neighbours() {
        if (search_.size() == particles_.size() &&
            search_.is_current(device_, particles_.position, supports_))
            return;
        supports_.assign(particles_.size(), static_cast<float>(support_));
        particles_.permute(device_, search_.sort(device_, particles_.position, supports_));
        search_.build(device_, particles_.position, supports_);
    }

    void find_loads() {
        if (norm(model_.gravity) > 0)
            loads_ = supported_objects(device_, model_, walls_, particles_, search_.view(), moves_);
    }

    /// Accelerations of the liquids that move, zero for all else.
    void evaluate() {
        const Index n = particles_.size();
        walls_terms_.resize(n);
        const View<const Phase> phase(particles_.phase);
        walls_.sense(device_, particles_.position, half_space_, walls_terms_, {},
                     {{}, model_.solver.pressure == PressureMethod::dfsph ? phase : View<const Phase>{}, {}});
        const FluidState state{particles_, search_.view(), walls_terms_, {}};
        Fluid& fluid = is_soft_ ? soft_ : fluid_;
        fluid.compute_density(device_, state);
        limit_density_of_solids();
        if (is_soft_) soften_pressure();
        fluid.compute_pressure(device_, particles_);
        acceleration_.assign(n, Vec3f{});
        push_.resize(n);
        fluid.compute_forces(device_, state, acceleration_, push_);
        launch(
            device_, n,
            [g = to_float(model_.gravity), loads = View<const std::uint8_t>(loads_),
             moves = View<const std::uint8_t>(moves_), object = View<const std::uint16_t>(particles_.object),
             hold = View<const std::uint16_t>(particles_.hold), a = View(acceleration_)](Index i) {
                if (!moves[object[i]] || hold[i] > 0)
                    a[i] = {};
                else if (loads[object[i]])
                    a[i] += g;
            });
    }

    void switch_law(bool soft) {
        is_soft_ = soft;
        std::fill(particles_.velocity.begin(), particles_.velocity.end(), Vec3f{});
        evaluate();
    }

    /// What the soft law goes through: the compression and p/s² of each liquid particle, by id.
    void remember_pressure() {
        at_rest_.resize(particles_.size());
        for (Index i = 0; i < particles_.size(); ++i) {
            const auto rest = static_cast<float>(materials_[particles_.material[i]].density);
            const float s = particles_.density[i] / rest;
            at_rest_[particles_.id[i]] = {s, particles_.pressure[i] / (s * s)};
        }
    }

    /// Gives liquids the density at which the soft law has the pressure of before, and its own, smaller slope: q = p/(s² c² ρ₀) = q⁰ + s − s⁰,
    /// and (s − 1)/s² = q.
    void soften_pressure() {
        launch(device_, particles_.size(),
               [constants = soft_.constants(), material = View<const std::uint16_t>(particles_.material),
                phase = View<const Phase>(particles_.phase), id = View<const std::uint32_t>(particles_.id),
                before = View<const Compression>(at_rest_), rho = View(particles_.density)](Index i) {
                   if (phase[i] != Phase::liquid) return;
                   const FluidConstants& c = constants[material[i]];
                   const Compression& from = before[id[i]];
                   const float q = std::clamp(
                       from.pressure / (c.rest_density * c.sound_speed2) + rho[i] / c.rest_density - from.s,
                       0.f, 0.2f);
                   rho[i] =
                       q > 1e-6f ? c.rest_density * (1 - std::sqrt(1 - 4 * q)) / (2 * q) : c.rest_density;
               });
    }

    /// Solids press on liquids by what is outside of them: what their own body adds to the sum counts up to rest alone, as in the run. Where
    /// pressure is solved for they have none.
    void limit_density_of_solids() {
        const bool solved = model_.solver.pressure == PressureMethod::dfsph;
        launch(device_, particles_.size(),
               [solved, constants = fluid_.constants(),
                material = View<const std::uint16_t>(particles_.material),
                phase = View<const Phase>(particles_.phase), id = View<const std::uint32_t>(particles_.id),
                surplus = View<const float>(surplus_), rho = View(particles_.density)](Index i) {
                   if (phase[i] == Phase::liquid) return;
                   const float rest = constants[material[i]].rest_density;
                   rho[i] = solved ? rest : rho[i] - rest * surplus[id[i]];
               });
    }

    /// By how much the body alone exceeds rest at each of its particles, by id.
    void find_surplus() {
        surplus_.assign(particles_.size(), 0);
        with_kernel(model_.solver.kernel, support_, model_.dimensions, [&](const auto& kernel) {
            for (Index i = 0; i < particles_.size(); ++i) {
                if (particles_.phase[i] == Phase::liquid) continue;
                const double v = particles_.mass[i] / materials_[particles_.material[i]].density;
                double sum = v * kernel.value(0.f);
                for (const Index j : search_.view().of(i))
                    if (particles_.object[j] == particles_.object[i])
                        sum += v * kernel.value(norm(particles_.position[i] - particles_.position[j]));
                surplus_[particles_.id[i]] = static_cast<float>(std::max(0.0, sum - 1));
            }
        });
    }

    /// Objects without a load that nothing compresses keep their places.
    void leave_what_rests() {
        std::vector<float> compression(moves_.size());
        for (Index i = 0; i < particles_.size(); ++i) {
            const float s =
                particles_.density[i] / static_cast<float>(materials_[particles_.material[i]].density);
            float& most = compression[particles_.object[i]];
            most = std::max(most, s - 1);
        }
        for (std::size_t k = 0; k < moves_.size(); ++k)
            if (moves_[k] && !loads_[k] && compression[k] < least_compression) moves_[k] = 0;
        evaluate();
    }

    struct Compression {
        float s, pressure;
    };

    struct Sums {
        double power = 0, speed2 = 0, acceleration2 = 0;
        float hardest2 = 0;
        double count = 0;
    };

    Sums sums() const {
        return reduce(
            device_, particles_.size(), Sums{},
            [v = View<const Vec3f>(particles_.velocity), a = View<const Vec3f>(acceleration_),
             moves = View<const std::uint8_t>(moves_),
             object = View<const std::uint16_t>(particles_.object)](Index i) {
                return Sums{dot(to_double(a[i]), to_double(v[i])), norm2(to_double(v[i])),
                            norm2(to_double(a[i])), norm2(a[i]), moves[object[i]] ? 1. : 0.};
            },
            [](Sums a, const Sums& b) {
                return Sums{a.power + b.power, a.speed2 + b.speed2, a.acceleration2 + b.acceleration2,
                            std::max(a.hardest2, b.hardest2), a.count + b.count};
            });
    }

    /// Until accelerations are below `tolerance` (root mean square, in g) and nowhere five times that, or for `most` iterations.
    void relax(const Fluid& fluid, int most, double tolerance, Settling& report) {
        double longest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < materials_.size(); ++k)
            longest = std::min(longest, fluid.stable_step(k, true).by_size);
        const double g = norm(model_.gravity) > 0 ? norm(model_.gravity) : 1;
        double dt = 0.5 * longest, mix = mixing;
        int good = 0;
        for (int k = 0; k < most; ++k, ++report.iterations) {
            const Sums s = sums();
            report.residual = std::sqrt(s.hardest2);
            const double mean = tolerance * g;
            if (s.count == 0 || (report.residual < 5 * mean && s.acceleration2 < mean * mean * s.count))
                break;
            if (s.power > 0) {
                if (++good > patience) {
                    dt = std::min(grow * dt, longest);
                    mix *= fade;
                }
            } else {
                good = 0;
                dt *= shrink;
                mix = mixing;
            }
            move(s.power > 0 ? 1 - mix : 0,
                 s.power > 0 && s.acceleration2 > 0 ? mix * std::sqrt(s.speed2 / s.acceleration2) : 0, dt);
            find_neighbours();
            evaluate();
        }
    }

    void move(double keep, double turn, double dt) {
        const float most = longest_move * static_cast<float>(model_.particles.spacing);
        launch(device_, particles_.size(),
               [keep = static_cast<float>(keep), turn = static_cast<float>(turn), dt = static_cast<float>(dt),
                most, a = View<const Vec3f>(acceleration_), v = View(particles_.velocity),
                x = View(particles_.position)](Index i) {
                   v[i] = keep * v[i] + turn * a[i] + dt * a[i];
                   const float way = dt * norm(v[i]);
                   if (way > most) v[i] *= most / way;
                   x[i] += dt * v[i];
               });
    }

    void write_back(ParticleTable& out, Settling& report) const {
        for (Index i = 0; i < particles_.size(); ++i) {
            const std::uint16_t object = particles_.object[i];
            if (!moves_[object]) continue;
            const Index k = particles_.id[i];  // of a table that was just filled: its row
            report.moved = std::max(report.moved, double{norm(particles_.position[i] - out.position[k])});
            out.position[k] = particles_.position[i];
            const auto rest = static_cast<float>(materials_[particles_.material[i]].density);
            out.density[k] = std::max(rest, particles_.density[i]);
            if (loads_[object]) out.pressure[k] = particles_.pressure[i];
        }
    }

    const Model& model_;
    const Device& device_;
    ParticleTable particles_;
    double support_, depth_;
    Walls walls_;
    HalfSpaceIntegral half_space_;
    std::vector<Material> materials_;
    Fluid fluid_;
    double soft_sound_;
    Fluid soft_;
    bool is_soft_ = false;
    std::vector<Compression> at_rest_;
    std::vector<std::uint8_t> moves_, loads_;  ///< of each object
    NeighbourSearch search_;
    std::vector<float> supports_, push_, surplus_;
    std::vector<WallTerm> walls_terms_;
    std::vector<Vec3f> acceleration_;
};

}  // namespace

Settling settle(const Model& model, const std::vector<Object>& objects, ParticleTable& particles,
                const Device& device) {
    if (particles.size() == 0) return {};
    return Relaxation(model, objects, particles, device).run(particles);
}

}  // namespace thixo
