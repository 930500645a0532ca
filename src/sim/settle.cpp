#include "sim/settle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/walls.h"
#include "fluid/fluid.h"
#include "geometry/layer.h"
#include "heat/expansion.h"
#include "sim/derive.h"
#include "sim/load_contacts.h"
#include "sim/pressure_multipliers.h"
#include "sim/relaxation_laws.h"
#include "sim/support_test.h"
#include "sph/kernels.h"
#include "sph/neighbours.h"

namespace thixo {

namespace {

// Numbers without a stated reason were chosen by trial on pools, layers and vessels;
// tests/physics/start_at_rest.cpp holds the density, the speed and the energy that they leave, and fails
// without enough of them (docs/theory/constants.md).

/// Compression below which a liquid without load is left as it is.
constexpr double least_compression = 2e-3;

/// Length of the steps by the soft law (`soft_sound`), in those that a run with its sound speed takes. With 4
/// the relaxation does not converge.
constexpr double soft_step = 2.5;

/// Iterations by the law of the run, which spread the pressure; by the soft law, which let what is heavier
/// than its neighbours sink; and by the soft law until its pressures are made the new multipliers. Random
/// starts with solids take 1,600 in the median; films of a layer or two over the lattice of a solid take
/// thousands.
constexpr int stiff_iterations = 150, soft_iterations = 6000, iterations_of_multipliers = 75;

/// Iterations times particles: less than a minute on one core. Where there are more particles, each layer is
/// a smaller part of the depth, and so is what is left.
constexpr double most_work = 6e7;

/// Difference of the compression from that of the law of the run beyond which particles have collapsed: a
/// layer more or less on top is a hundredth.
constexpr float unlawful = 0.05f;

/// No particle comes closer to a wall, in its radii, as in the run: γ keeps particles away from walls, but
/// does not bring back what is behind one.
constexpr float nearest_to_wall = 0.4f;

/// Farthest way in one iteration, in spacings.
constexpr float longest_move = 0.05f;

/// FIRE's constants, as published (f_inc, f_dec, α_start, f_α; N_min).
constexpr double grow = 1.1, shrink = 0.5, mixing = 0.1, fade = 0.99;
constexpr int patience = 5;

std::vector<ThermalExpansion> expansions_of(const std::vector<Material>& materials) {
    std::vector<ThermalExpansion> out;
    for (const Material& material : materials) out.emplace_back(material.heat);
    return out;
}

class Relaxation {
public:
    Relaxation(const Model& model, const std::vector<Object>& objects, const ParticleTable& particles,
               const Device& device)
        : model_(model),
          device_(device),
          particles_(particles),
          support_(model.particles.support * model.particles.spacing),
          depth_(liquid_depth(model, particles)),
          walls_(model.obstacles, model.dimensions, support_),
          half_space_(discretisation_of(model)),
          materials_(inviscid_materials(model, depth_)),
          expansion_(expansions_of(materials_)),
          records_(materials_, discretisation_of(model)),
          fluid_(materials_, relaxation_methods(model.solver), discretisation_of(model)),
          soft_(softened(materials_, soft_sound * std::sqrt(norm(model.gravity) * depth_)),
                soft_relaxation_methods(model.solver), discretisation_of(model)),
          multipliers_(model.solver.pressure, fluid_.constants(), soft_.constants()),
          moves_(objects.size()),
          loads_(objects.size()) {
        std::fill(particles_.velocity.begin(), particles_.velocity.end(), Vec3f{});
        for (std::size_t k = 0; k < objects.size(); ++k)
            moves_[k] = objects[k].phase == Phase::liquid && objects[k].angular_velocity == Vec3d{} &&
                        !is_layer(objects[k].shape);
        for (std::size_t k = 0; k < objects.size(); ++k)
            rests_.push_back(moves_[k] && objects[k].velocity == Vec3d{});
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
        const double affordable = most_work / static_cast<double>(particles_.size());
        const double stiff = std::clamp(affordable / 9, 60., double{stiff_iterations});
        relax(static_cast<int>(stiff), 0.1, report);
        if (std::any_of(loads_.begin(), loads_.end(), [](std::uint8_t l) { return l != 0; }))
            relax_softly(static_cast<int>(std::min(affordable * 8 / 9, double{soft_iterations})), report);
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
            loads_ = supported_objects(device_, model_, walls_, particles_, search_.view(), rests_);
    }

    /// Accelerations of the liquids that move, zero for all else.
    void evaluate() {
        const Index n = particles_.size();
        walls_terms_.resize(n);
        const View<const Phase> phase(particles_.phase);
        walls_.sense(device_, particles_.position, half_space_, walls_terms_, {},
                     {{}, wall_form_of(model_.solver.pressure), phase, {}});
        records_.pack(device_, particles_);
        const FluidState state{particles_, search_.view(), records_, walls_terms_};
        Fluid& fluid = is_soft_ ? soft_ : fluid_;
        fluid.compute_density(device_, state);
        limit_density_of_solids();
        if (is_soft_) multipliers_.soften(device_, particles_);
        fluid.compute_pressure(device_, particles_);
        acceleration_.assign(n, Vec3f{});
        push_.resize(n);
        fluid.compute_forces(device_, state, acceleration_, push_);
        launch(
            device_, n,
            [g = to_float(model_.gravity), loads = View<const std::uint8_t>(loads_),
             moves = View<const std::uint8_t>(moves_), object = View<const std::uint16_t>(particles_.object),
             kinematic = View<const std::uint16_t>(particles_.kinematic_id),
             material = View<const std::uint16_t>(particles_.material),
             temperature = View<const float>(particles_.temperature),
             expansion = View<const ThermalExpansion>(expansion_), a = View(acceleration_)](Index i) {
                if (!moves[object[i]] || kinematic[i] > 0)
                    a[i] = {};
                else if (loads[object[i]])
                    a[i] += g * static_cast<float>(expansion[material[i]].weight(temperature[i]));
            });
    }

    /// What is heavier than its neighbours carry, such as columns of particles along walls, sinks by up to
    /// some spacings: far too slowly for steps of the law of the run.
    void relax_softly(int iterations, Settling& report) {
        const ParticleTable before = particles_;
        multipliers_.start(device_, particles_);
        switch_law(true);
        relax(iterations, 0.003, report);
        if (multipliers_.update(device_, particles_) > unlawful) {
            particles_ = before;
            find_neighbours();
            switch_law(false);
        }
    }

    void switch_law(bool soft) {
        is_soft_ = soft;
        std::fill(particles_.velocity.begin(), particles_.velocity.end(), Vec3f{});
        evaluate();
    }

    /// Solids press on liquids by what is outside of them: what their own body adds to the sum is what it
    /// adds in the run. Where pressure is solved for they push back with that of the liquid, which is what
    /// they would have.
    void limit_density_of_solids() {
        launch(device_, particles_.size(),
               [constants = fluid_.constants(), material = View<const std::uint16_t>(particles_.material),
                phase = View<const Phase>(particles_.phase), id = View<const std::uint32_t>(particles_.id),
                surplus = View<const float>(surplus_), rho = View(particles_.density)](Index i) {
                   if (phase[i] == Phase::liquid) return;
                   const float rest = constants[material[i]].rest_density;
                   rho[i] -= rest * surplus[id[i]];
               });
    }

    /// By how much the kernel sum of the body alone exceeds what the run takes for it, at each of its
    /// particles, by id.
    void find_surplus() {
        surplus_.assign(particles_.size(), 0);
        const float nearest = nearest_neighbours * static_cast<float>(model_.particles.spacing);
        with_kernel(discretisation_of(model_), [&](const auto& kernel) {
            for (Index i = 0; i < particles_.size(); ++i) {
                if (particles_.phase[i] == Phase::liquid) continue;
                const auto v =
                    static_cast<float>(particles_.mass[i] / materials_[particles_.material[i]].density);
                const float self = v * kernel.value(0.f);
                float sum = self;
                int near = 0;
                for (const Index j : search_.view().of(i)) {
                    if (particles_.object[j] != particles_.object[i]) continue;
                    const float r = norm(particles_.position[i] - particles_.position[j]);
                    sum += v * kernel.value(r);
                    near += r < nearest;
                }
                surplus_[particles_.id[i]] =
                    sum - own_sum(model_, particles_.material[i], particles_.phase[i], self, sum, near) +
                    particles_.contact_slack[i];
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

    /// Until accelerations are below `tolerance` (root mean square, in g) and nowhere five times that, or for
    /// `most` iterations.
    void relax(int most, double tolerance, Settling& report) {
        double longest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < materials_.size(); ++k)
            longest = std::min(longest, is_soft_ ? soft_step * soft_.stable_step(k, true).by_size
                                                 : fluid_.stable_step(k, true).by_size);
        const double g = norm(model_.gravity) > 0 ? norm(model_.gravity) : 1;
        double dt = 0.5 * longest, mix = mixing;
        int good = 0;
        for (int k = 0; k < most; ++k, ++report.iterations) {
            if (is_soft_ && k > 0 && k % iterations_of_multipliers == 0) {
                multipliers_.update(device_, particles_);
                evaluate();
            }
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
        hold_back();
    }

    /// Puts particles that came too close to a wall, or behind it, back beside it.
    void hold_back() {
        const ResolveContacts resolve{.room = walls_.room(),
                                      .nearest = nearest_to_wall,
                                      .touching = nearest_to_wall,
                                      .radius = View<const float>(particles_.radius),
                                      .push = View<const float>(push_),
                                      .x = particles_.position,
                                      .v = particles_.velocity};
        launch(device_, particles_.size(),
               [resolve, moves = View<const std::uint8_t>(moves_),
                object = View<const std::uint16_t>(particles_.object),
                kinematic = View<const std::uint16_t>(particles_.kinematic_id)](Index i) {
                   if (moves[object[i]] && kinematic[i] == 0) resolve(i);
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
            float density = particles_.density[i], pressure = particles_.pressure[i];
            if (is_soft_) multipliers_.recall(particles_, i, density, pressure);
            out.density[k] = std::max(rest, density);
            if (loads_[object]) out.pressure[k] = pressure;
        }
    }

    const Model& model_;
    const Device& device_;
    ParticleTable particles_;
    double support_, depth_;
    Walls walls_;
    HalfSpaceIntegral half_space_;
    std::vector<Material> materials_;
    std::vector<ThermalExpansion> expansion_;  ///< of each material
    PairRecords records_;
    Fluid fluid_;
    Fluid soft_;
    bool is_soft_ = false;
    PressureMultipliers multipliers_;
    std::vector<std::uint8_t> moves_, rests_, loads_;  ///< of each object
    NeighbourSearch search_;
    std::vector<float> supports_, push_, surplus_;
    std::vector<WallTerm> walls_terms_;
    std::vector<Vec3f> acceleration_;
};

}  // namespace

Settling settle(const Model& model, const std::vector<Object>& objects, ParticleTable& particles,
                const Device& device) {
    if (particles.size() == 0) return {};
    const std::vector<bool> carried = load_contacts(model, objects, particles, device);
    Settling report = Relaxation(model, objects, particles, device).run(particles);
    report.loaded.resize(objects.size());
    for (std::size_t k = 0; k < carried.size(); ++k)
        if (carried[k]) report.loaded[k] = true;
    report.balance = find_balance(model, objects, particles, report.loaded, device);
    return report;
}

}  // namespace thixo
