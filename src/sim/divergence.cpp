#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "core/error.h"
#include "sim/simulation.h"

namespace thixo {

namespace {

/// A particle that crosses half its support in one step has left its neighbourhood: forces no longer know it.
constexpr float runaway_share = 0.5f;

/// An automatic step this much shorter than the one sound and viscosity allow means that something else blew
/// up.
constexpr double collapsed_share = 1e-4;

struct Suspect {
    float severity = -1;
    std::uint32_t id = 0;
    Index row = 0;
};

/// The worst particle; among equals the one with the lowest id, whatever the order of the rows.
constexpr auto worse = [](const Suspect& a, const Suspect& b) {
    if (a.severity != b.severity) return a.severity > b.severity ? a : b;
    return a.id <= b.id ? a : b;
};

}  // namespace

void Simulation::guard_against_divergence(float kick) {
    guard_against_divergence(
        particles_.size(), [](Index k) { return k; }, [kick](Index) { return kick; },
        [drift = static_cast<float>(dt_)](Index) { return drift; });
}

void Simulation::guard_due_against_divergence() {
    guard_against_divergence(
        static_cast<Index>(paces_.due().size()), [due = paces_.due()](Index k) { return due[k]; },
        [pace = View<const float>(particles_.pace), step = View<const float>(own_step_)](Index i) {
            return 0.5f * (pace[i] + step[i]);
        },
        [step = View<const float>(own_step_)](Index i) { return step[i]; });
}

template <class RowOf, class KickOf, class DriftOf>
void Simulation::guard_against_divergence(Index count, const RowOf& row_of, const KickOf& kick,
                                          const DriftOf& drift) {
    const View<const Vec3f> v(particles_.velocity), a(acceleration_);
    const View<const float> h(supports_);
    const View<const std::uint32_t> id(particles_.id);
    // Solids must not meet between two looks at who is near whom.
    const auto farthest = [meeting = static_cast<float>(contact_.longest_way() / support()),
                           phase = View<const Phase>(particles_.phase)](Index i) {
        return phase[i] == Phase::liquid ? runaway_share : std::min(runaway_share, meeting);
    };
    const Suspect suspect = reduce(
        device_, count, Suspect{},
        [=](Index k) {
            const Index i = row_of(k);
            const float share = norm(v[i] + kick(i) * a[i]) * drift(i) / (h[i] * farthest(i));
            return Suspect{std::isfinite(share) ? share : std::numeric_limits<float>::infinity(), id[i], i};
        },
        worse);
    if (std::isinf(suspect.severity))
        report_divergence(suspect.row, "its motion is no longer a finite number");
    if (suspect.severity > 1) {
        report_divergence(suspect.row, fmt::format("it would move {:.3g} support radii in one step",
                                                   suspect.severity * farthest(suspect.row)));
    }
    TimeStepLimit calm{.named = false};
    fluid_.limit_time_step(calm, {}, finest_);
    elastic_.limit_time_step(calm);
    lattice_.limit_time_step(calm);
    if (std::isfinite(calm.seconds) && limit_.seconds < collapsed_share * calm.seconds) {
        report_divergence(suspect.row, fmt::format("the stable time step fell to {:.3g} s because of {}",
                                                   limit_.seconds, limit_.name));
    }
}

void Simulation::report_divergence(Index row, const std::string& symptom) {
    const Material& material = model_.materials[particles_.material[row]];
    const FluidTerms terms = fluid_.terms(fluid_state(), row);
    struct Term {
        const char* name;
        double size;
    };
    const std::array<Term, 7> causes{Term{"pressure", norm(terms.pressure)},
                                     Term{"wall pressure", norm(terms.wall)},
                                     Term{"viscosity", norm(terms.viscosity)},
                                     Term{"surface tension", norm(terms.tension)},
                                     Term{"elastic force", norm(elastic_.acceleration(particles_, row))},
                                     Term{"lattice force", norm(lattice_.acceleration(particles_, row))},
                                     Term{"gravity", norm(model_.gravity)}};
    const Term* largest = &causes[0];
    for (const Term& term : causes) {
        if (!(term.size <= largest->size)) largest = &term;  // a NaN is larger than any number
    }
    const Vec3f x = particles_.position[row];
    std::string message = fmt::format(
        "the simulation diverged in frame {} at t = {:.6g} s (step {}, time step {:.3g} s): particle {} of "
        "`{}` at "
        "({:.4g}, {:.4g}, {:.4g}): {}; the term that grew is {} ({:.3g} m/s²), density {:.4g} kg/m³",
        clock_.frame + 1, clock_.time, clock_.step, dt_, particles_.id[row], material.name, x.x, x.y, x.z,
        symptom, largest->name, largest->size, particles_.density[row]);
    if (model_.solver.time_step_scale > 1) {
        message +=
            fmt::format("; solver.time_step_scale is {:g}: the stable time step is {:.3g} s ({}), try 1",
                        model_.solver.time_step_scale, limit_.seconds, limit_.name);
    }
    throw RunError(message);
}

}  // namespace thixo
