#include "sim/balance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "sim/simulation.h"
#include "sim/statistics.h"

namespace thixo {

namespace {

/// RMS speed of the solids at a maximum of their energy, in √(g h), at which they are in balance: a tenth of
/// what a start may have.
constexpr double balanced_speed = 0.005;

/// Steps from one maximum of the energy to the next, at least: fewer are noise, and taking the energy at once
/// would stop what moves slowly.
constexpr int steps_between_maxima = 8;

/// Damping of the solids, in ℓ/√(E/ρ): the fastest modes, which steps resolve badly, die within some of them,
/// and slow ones hardly notice.
constexpr double light_damping = 0.2;

/// By how much the energy may rise, in that of the fall that the start is saved from: rounding. What rises
/// more diverges.
constexpr double rising_energy = 0.01;

/// Three quarters of the slowest period of a block of forty spacings, and steps times particles.
constexpr int most_balance_steps = 800;
constexpr double most_balance_work = 2e7;

void stand_still(Motion& motion) {
    if (motion.keyframes.size() > 1) motion.keyframes.resize(1);
    motion.repeat = false;
}

bool is_solid(const Object& object) { return object.phase == Phase::elastic; }

/// What moves: objects with skins keep the shape that their skin has.
std::vector<bool> movable(const std::vector<Object>& objects, const std::vector<bool>& loaded) {
    std::vector<bool> out(objects.size());
    for (std::size_t k = 0; k < objects.size(); ++k)
        out[k] = k < loaded.size() && loaded[k] && !objects[k].skin;
    return out;
}

/// The model without what needs time, costs energy or ends the balance.
Model calm_model(const Model& model, const std::vector<Object>& objects, const std::vector<bool>& moves) {
    Model out = model;
    out.solver.time_step = TimeStepMethod::global;
    out.solver.viscosity = ViscosityMethod::laplacian;
    out.solver.elasticity = ElasticIntegrator::leapfrog;
    for (Material& material : out.materials) {
        LiquidSettings& liquid = material.liquid;
        liquid.viscosity = liquid.surface_tension = 0;
        liquid.viscosity_table.clear();
        SolidSettings& solid = material.solid;
        solid.damping =
            light_damping * model.particles.spacing * std::sqrt(material.density / solid.young_modulus);
        solid.elastic_limit = solid.break_strain = solid.break_stress = solid.docking_rate = 0;
        const HeatSettings heat = material.heat;
        material.heat = {};
        material.heat.specific_heat = heat.specific_heat;
        material.heat.expansion = heat.expansion;
        material.heat.reference_temperature = heat.reference_temperature;
    }
    out.contact_angles.clear();
    out.emitters.clear();
    out.sinks.clear();
    out.heaters.clear();
    out.ambient = {};
    out.grabs.clear();
    out.force_fields.clear();
    out.probes.clear();
    for (Obstacle& obstacle : out.obstacles) stand_still(obstacle.motion);
    out.objects = objects;
    Pause others;
    for (std::size_t k = 0; k < objects.size(); ++k) {
        Object& object = out.objects[k];
        object.name = std::to_string(k);  // pauses name them; names of a model need not differ
        for (HeldRegion& held : object.held) stand_still(held.motion);
        if (object.release > 0) object.release = end_of_time;
        if (!moves[k]) others.objects.push_back(object.name);
    }
    out.pauses.clear();
    if (!others.objects.empty()) out.pauses.push_back(others);
    return out;
}

class BalanceSearch {
public:
    BalanceSearch(const Model& model, const std::vector<Object>& objects, const ParticleTable& particles,
                  std::vector<bool> moves, const Device& device)
        : device_(device),
          moves_(std::move(moves)),
          solid_(objects.size()),
          sim_(calm_model(model, objects, moves_), particles, device) {
        for (std::size_t k = 0; k < objects.size(); ++k) solid_[k] = moves_[k] && is_solid(objects[k]);
        for (Index i = 0; i < particles.size(); ++i)
            if (solid_[particles.object[i]]) mass_ += particles.mass[i];
    }

    Balance run() {
        const double enough = balanced_speed * balanced_speed * norm(sim_.model().gravity) * height();
        const int most = static_cast<int>(std::min<double>(
            most_balance_steps, most_balance_work / std::max<double>(1, sim_.particles().size())));
        Balance out;
        const double start = energy();
        double last = 0, highest = 0;
        int since = 0, maxima = 0;
        for (out.steps = 0; out.steps < most; ++out.steps) {
            sim_.step(end_of_time);
            const double now = motion();
            highest = std::max(highest, now);
            if (++since < steps_between_maxima || now >= last) {
                last = now;
                continue;
            }
            if (++maxima > 1 && highest < enough) break;
            if (energy() >
                start + rising_energy * mass_ * norm(sim_.model().gravity) * sim_.model().particles.spacing)
                return {};
            View<Vec3f> v = sim_.velocities();
            std::fill(v.begin(), v.end(), Vec3f{});
            last = highest = 0;
            since = 0;
        }
        take(out);
        return out;
    }

private:
    /// Σ m v²/Σ m of the solids that move, m²/s².
    double motion() const {
        struct Sums {
            double energy = 0, mass = 0;
        };
        const ParticleTable& p = sim_.particles();
        const Sums sums = reduce(
            device_, p.size(), Sums{},
            [&](Index i) {
                return solid_[p.object[i]] ? Sums{double{p.mass[i]} * norm2(p.velocity[i]), p.mass[i]}
                                           : Sums{};
            },
            [](const Sums& a, const Sums& b) {
                return Sums{a.energy + b.energy, a.mass + b.mass};
            });
        return sums.mass > 0 ? sums.energy / sums.mass : 0;
    }

    double energy() const {
        const Statistics now = gather_statistics(sim_);
        return now.kinetic + now.potential + now.elastic_energy;
    }

    /// Of the solids that move, along gravity (m).
    double height() const {
        const ParticleTable& p = sim_.particles();
        const Vec3d down = (1 / norm(sim_.model().gravity)) * sim_.model().gravity;
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (Index i = 0; i < p.size(); ++i) {
            if (!solid_[p.object[i]]) continue;
            const double y = dot(to_double(p.position[i]), down);
            low = std::min(low, y);
            high = std::max(high, y);
        }
        return high > low ? high - low : sim_.model().particles.spacing;
    }

    void take(Balance& out) const {
        const ParticleTable& p = sim_.particles();
        std::vector<std::pair<std::uint32_t, Index>> rows;
        for (Index i = 0; i < p.size(); ++i)
            if (moves_[p.object[i]]) rows.emplace_back(p.id[i], i);
        std::sort(rows.begin(), rows.end());
        for (const auto& [id, i] : rows) {
            out.id.push_back(id);
            out.position.push_back(p.position[i]);
            out.position_low.push_back(p.position_low[i]);
            out.density.push_back(p.density[i]);
            out.pressure.push_back(p.pressure[i]);
        }
    }

    const Device& device_;
    std::vector<bool> moves_, solid_;  ///< of each object
    Simulation sim_;
    double mass_ = 0;  ///< of the solids that move, kg
};

}  // namespace

void place(const Balance& balance, ParticleTable& particles) {
    for (Index i = 0; i < particles.size(); ++i) {
        const auto found = std::lower_bound(balance.id.begin(), balance.id.end(), particles.id[i]);
        if (found == balance.id.end() || *found != particles.id[i]) continue;
        const auto k = static_cast<std::size_t>(found - balance.id.begin());
        particles.position[i] = balance.position[k];
        particles.position_low[i] = balance.position_low[k];
        particles.density[i] = balance.density[k];
        particles.pressure[i] = balance.pressure[k];
    }
}

Balance find_balance(const Model& model, const std::vector<Object>& objects, const ParticleTable& particles,
                     const std::vector<bool>& loaded, const Device& device) {
    const std::vector<bool> moves = movable(objects, loaded);
    bool any = false;
    for (std::size_t k = 0; k < objects.size(); ++k) any |= moves[k] && is_solid(objects[k]);
    if (!any || !(norm(model.gravity) > 0) || model.adaptivity.coarsest > 1) return {};
    try {
        return BalanceSearch(model, objects, particles, moves, device).run();
    } catch (const RunError&) {
        return {};  // the run will say what diverges
    }
}

}  // namespace thixo
