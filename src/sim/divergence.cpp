#include "sim/divergence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "core/error.h"

namespace thixo {

namespace {

/// In supports: a particle that moves this far in one step has left its neighbourhood.
constexpr float runaway = 0.5f;

/// An automatic step that is shorter than this fraction of the one that sound and viscosity allow means that
/// something else diverged.
constexpr double collapsed = 1e-4;

struct Worst {
    float severity = -1;
    std::uint32_t id = 0;
    Index row = 0;
};

/// The worst particle; among equals the one with the lowest id, whatever the order of the rows.
constexpr auto worse = [](const Worst& a, const Worst& b) {
    if (a.severity != b.severity) return a.severity > b.severity ? a : b;
    return a.id <= b.id ? a : b;
};

/// Whether test(k) holds for any k below n.
template <class Test>
bool any_of(const Device& device, Index n, const Test& test) {
    return reduce(
               device, n, 0, [&](Index k) { return test(k) ? 1 : 0; }, [](int a, int b) { return a | b; }) !=
           0;
}

[[noreturn]] void report(const StepInputs& in, const TimeStepLimit& limit, double dt, Index row,
                         const FluidState& state, const std::string& symptom) {
    const ParticleTable& particles = in.matter.particles;
    const Solids& solids = in.matter.solids;
    const Material& material = in.model.materials[particles.material[row]];
    const FluidTerms terms = in.forces.fluid().terms(state, row);
    struct Term {
        const char* name;
        double size;
    };
    const std::array<Term, 7> causes{Term{"pressure", norm(terms.pressure)},
                                     Term{"wall pressure", norm(terms.wall)},
                                     Term{"viscosity", norm(terms.viscosity)},
                                     Term{"surface tension", norm(terms.tension)},
                                     Term{"elastic force", norm(solids.elastic.acceleration(particles, row))},
                                     Term{"lattice force", norm(solids.lattice.acceleration(particles, row))},
                                     Term{"gravity", norm(in.model.gravity)}};
    const Term* largest = &causes[0];
    for (const Term& term : causes) {
        if (!(term.size <= largest->size)) largest = &term;  // a NaN is larger than any number
    }
    const Vec3f x = particles.position[row];
    std::string message = fmt::format(
        "the simulation diverged in frame {} at t = {:.6g} s (step {}, time step {:.3g} s): particle {} of "
        "`{}` at "
        "({:.4g}, {:.4g}, {:.4g}): {}; the term that grew is {} ({:.3g} m/s²), density {:.4g} kg/m³",
        in.clock.frame + 1, in.clock.time, in.clock.step, dt, particles.id[row], material.name, x.x, x.y, x.z,
        symptom, largest->name, largest->size, particles.density[row]);
    if (in.model.solver.time_step_scale > 1) {
        message +=
            fmt::format("; solver.time_step_scale is {:g}: the stable time step is {:.3g} s ({}), try 1",
                        in.model.solver.time_step_scale, limit.seconds, limit.name);
    }
    throw RunError(message);
}

}  // namespace

void check_divergence(const StepInputs& in, const TimeStepLimit& limit, double dt, const Rows& rows,
                      const StepLengths& lengths, const FluidState& state) {
    const ParticleTable& particles = in.matter.particles;
    const View<const Vec3f> v(particles.velocity), a(in.forces.acceleration());
    const View<const float> h = in.matter.supports.rows();
    const View<const std::uint32_t> id(particles.id);
    // Two solids that are not in each other's lists must not meet within the step.
    const auto contact =
        static_cast<float>(in.matter.contacts.deformable().longest_way() / in.matter.supports.usual());
    const auto farthest = [contact, phase = View<const Phase>(particles.phase)](Index i) {
        return phase[i] == Phase::liquid ? runaway : std::min(runaway, contact);
    };
    const Index count = rows.all ? particles.size() : static_cast<Index>(rows.list.size());
    TimeStepLimit calm{.named = false};
    in.forces.fluid().limit_time_step(calm, {}, in.matter.supports.finest_ratio());
    in.matter.solids.elastic.limit_time_step(calm);
    in.matter.solids.lattice.limit_time_step(calm);
    const bool has_collapsed = std::isfinite(calm.seconds) && limit.seconds < collapsed * calm.seconds;
    // Mostly no row goes too far, which takes neither roots nor divisions; a NaN does.
    const auto goes_too_far = [=](Index i, float kick, float drift) {
        const float most = h[i] * farthest(i);
        return !(norm2(v[i] + kick * a[i]) * (drift * drift) <= most * most);
    };
    const bool too_far = rows.all && lengths.own.empty()
                             ? any_of(in.device, count,
                                      [=, kick = lengths.kick, drift = lengths.drift](Index i) {
                                          return goes_too_far(i, kick, drift);
                                      })
                             : any_of(in.device, count, [=](Index k) {
                                   const Index i = rows.all ? k : rows.list[k];
                                   return goes_too_far(i, lengths.kick_of(i), lengths.drift_of(i));
                               });
    if (!too_far && !has_collapsed) return;
    const Worst worst = reduce(
        in.device, count, Worst{},
        [=](Index k) {
            const Index i = rows.all ? k : rows.list[k];
            const float fraction =
                norm(v[i] + lengths.kick_of(i) * a[i]) * lengths.drift_of(i) / (h[i] * farthest(i));
            return Worst{std::isfinite(fraction) ? fraction : std::numeric_limits<float>::infinity(), id[i],
                         i};
        },
        worse);
    const auto fail = [&](const std::string& symptom) { report(in, limit, dt, worst.row, state, symptom); };
    if (std::isinf(worst.severity)) fail("its motion is no longer a finite number");
    if (worst.severity > 1) {
        fail(fmt::format("it would move {:.3g} support radii in one step",
                         worst.severity * farthest(worst.row)));
    }
    if (has_collapsed)
        fail(fmt::format("the stable time step fell to {:.3g} s because of {}", limit.seconds, limit.name));
}

}  // namespace thixo
