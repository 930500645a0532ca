#include "setup_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/core.h>

#include "fluid/pressure_methods.h"
#include "geometry/extent.h"
#include "geometry/layer.h"
#include "scene/solver_preset.h"
#include "sim/derive.h"
#include "text.h"

namespace thixo {

namespace {

/// Particles that emitters create by the end of the scene.
std::string describe_emitters(const Scene& scene, const Simulation& simulation) {
    std::string text;
    for (std::size_t k = 0; k < scene.model.emitters.size(); ++k) {
        const Emitter& emitter = scene.model.emitters[k];
        text += fmt::format("{}`{}`: {} of `{}` in {:g} s, {:.4g} {} at {:g} m/s\n",
                            text.empty() ? "emitted      " : "             ", emitter.name,
                            with_commas(simulation.emitters().expected(k, scene.duration)), emitter.material,
                            scene.duration, emitter.rate, scene.model.dimensions == 2 ? "m²/s" : "m³/s",
                            emitter.speed);
    }
    return text;
}

/// Number of bodies, and reference neighbours per particle.
std::string describe_bodies(const Simulation& simulation) {
    const Reference reference = simulation.elastic().reference();
    const std::size_t rigid = simulation.rigid().members().size();
    if (reference.size() == 0 && rigid == 0) return "";
    double links = 0;
    for (Index s = 0; s < reference.size(); ++s) links += reference.count(s);
    const std::uint64_t bodies = count_bodies(simulation.particles());
    std::string text = fmt::format("bodies       {}, {} particles", with_commas(bodies),
                                   with_commas(reference.size() + rigid));
    if (rigid > 0) text += fmt::format(", {} of them rigid", with_commas(rigid));
    if (reference.size() > 0) text += fmt::format(", {:.1f} reference neighbours", links / reference.size());
    return text + "\n";
}

/// Thermal diffusivity of each material, and its Fourier number in a step of `dt` seconds.
std::string describe_heat(const Scene& scene, const Simulation& simulation, double dt) {
    const HeatFlow& heat = simulation.heat();
    const double spacing = scene.model.particles.spacing;
    std::string text;
    for (std::size_t k = 0; k < scene.model.materials.size(); ++k) {
        const HeatConstants& constants = heat.constants()[k];
        if (constants.k == 0) continue;
        const Material& material = scene.model.materials[k];
        const double diffusivity = constants.k / (material.density * constants.c);
        const int steps = HeatFlow::explicit_steps(heat.step_ratio(k, dt));
        text +=
            fmt::format("{}`{}`: {:.4g} W/(m K), diffusivity {:.4g} m²/s, Fourier number {:.3g} a step, {}\n",
                        text.empty() ? "heat         " : "             ", material.name, constants.k,
                        diffusivity, diffusivity * dt / (spacing * spacing),
                        steps == 0   ? "implicit"
                        : steps == 1 ? "explicit"
                                     : fmt::format("explicit, {} substeps", steps));
    }
    if (text.empty() && heat.acts())
        text = "heat         no material conducts; heaters and air act on each particle\n";
    return text;
}

/// A lattice disintegrates if more than one docking in a thousand fails.
constexpr double least_docking = 7;

/// Constants of lattice solids, one line per material.
std::string describe_lattices(const Scene& scene, const Simulation& simulation) {
    if (simulation.lattice().empty()) return "";
    std::string text;
    const double spacing = scene.model.particles.spacing;
    const double dt = simulation.time_step_limit().seconds * scene.model.solver.time_step_scale;
    for (std::uint16_t m = 0; m < scene.model.materials.size(); ++m) {
        const Material& material = scene.model.materials[m];
        const SolidSettings& solid = material.solid;
        if (solid.model != SolidModel::lattice) continue;
        text += fmt::format("{}`{}`: D {:.4g} m, k {:.4g} N/m{}, reach {:g} D",
                            text.empty() ? "lattice      " : "             ", material.name, spacing,
                            simulation.lattice().stiffness(m), scene.model.dimensions == 2 ? " a metre" : "",
                            solid.reach);
        if (solid.docking_rate > 0)
            text += fmt::format(", docking rate {:.3g} a step", solid.docking_rate * dt);
        text += "\n";
        if (solid.docking_rate > 0 && solid.docking_rate * dt < least_docking)
            text += fmt::format(
                "             warning: disintegrates without load; give it a docking_rate of at least "
                "{:.2g}\n",
                10 / dt);
    }
    return text;
}

/// ", +0.12 % of its shape": how the mass differs from the density times the volume; empty for sheets and
/// rods.
std::string compared_to_shape(const Scene& scene, std::size_t object, double mass) {
    const Object& of = scene.model.objects[object];
    if (is_layer(of.shape)) return "";
    const double volume = extent(of.shape, scene.model.dimensions).volume;
    if (!(volume > 0)) return "";
    const double density = scene.model.materials[material_index(scene.model, of.material)].density;
    return fmt::format(", {:+.2f} % of its shape", 100 * (mass / (density * volume) - 1));
}

std::string describe_memory(const Scene& scene, const Simulation& simulation) {
    constexpr double usual = 350;  // bytes of a particle with about thirty neighbours
    const auto now = static_cast<double>(simulation.particles().size());
    const auto later = static_cast<double>(expected_particles(scene, simulation, scene.duration));
    const auto bytes = static_cast<double>(simulation.bytes());
    const double each = now > 0 ? bytes / now : usual;
    std::string text = fmt::format("memory       {}, {} a particle", human_bytes(bytes), human_bytes(each));
    if (later > 0) text += fmt::format("; {} at the end", human_bytes(bytes + later * each));
    return text + "\n";
}

}  // namespace

std::string describe_setup(const Scene& scene, const Simulation& simulation) {
    const ParticleTable& particles = simulation.particles();
    struct Count {
        std::uint64_t particles = 0;
        double mass = 0, lightest = 0, heaviest = 0;
    };
    std::vector<Count> counts(scene.model.objects.size());
    for (Index i = 0; i < particles.size(); ++i) {
        Count& count = counts[particles.object[i]];
        const double mass = particles.mass[i];
        count.lightest = count.particles == 0 ? mass : std::min(count.lightest, mass);
        count.heaviest = std::max(count.heaviest, mass);
        count.mass += mass;
        ++count.particles;
    }
    const int d = scene.model.dimensions;
    const char* mass_unit = d == 2 ? "kg/m" : "kg";
    std::string text = fmt::format("particles    {} in {}, {}D\n", with_commas(particles.size()),
                                   counted(scene.model.objects.size(), "object"), d);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const Count& count = counts[k];
        // Masses of particles of one size differ in their last bits.
        const bool differ = count.heaviest > 1.001 * count.lightest;
        text += fmt::format("             `{}`: {} of `{}`, {}{:.4g} {} each, {:.4g} {} in total{}\n",
                            scene.model.objects[k].name, with_commas(count.particles),
                            scene.model.objects[k].material,
                            differ ? fmt::format("{:.4g} to ", count.lightest) : "", count.heaviest,
                            mass_unit, count.mass, mass_unit, compared_to_shape(scene, k, count.mass));
    }
    text += describe_emitters(scene, simulation);
    const double spacing = scene.model.particles.spacing;
    text += fmt::format("spacing      {:.4g} m\nradius       {:.4g} m\nsupport H    {:.4g} m", spacing,
                        spacing / 2, simulation.support());
    // Solids alone have none: particles of one body do not interact as those of liquids do.
    if (const double neighbours = simulation.mean_neighbours(); neighbours > 0)
        text += fmt::format(", {:.1f} neighbours", neighbours);
    text += "\n";
    text += describe_bodies(simulation);
    text += describe_lattices(scene, simulation);
    text += describe_memory(scene, simulation);
    const TimeStepLimit& limit = simulation.time_step_limit();
    const double scale = scene.model.solver.time_step_scale;
    text += fmt::format("time step    {:.4g} s, limited by {}", limit.seconds * scale, limit.name);
    if (scale != 1) text += fmt::format(", times {:g} (solver.time_step_scale)", scale);
    if (const std::string preset = describe_preset(scene.model.solver); !preset.empty())
        text += "\nsolver       " + preset;
    return text + "\n" + describe_heat(scene, simulation, limit.seconds * scale);
}

namespace {

/// Velocities by id.
std::vector<Vec3f> velocities(const Simulation& simulation) {
    const ParticleTable& particles = simulation.particles();
    std::vector<Vec3f> out;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.id[i] >= out.size()) out.resize(particles.id[i] + 1u);
        out[particles.id[i]] = particles.velocity[i];
    }
    return out;
}

/// What the first step does to the particle that it moves most.
struct FirstStep {
    double acceleration = 0;   ///< m/s², the largest
    double displacement = 0;   ///< from where it would rest, in spacings, the largest
    std::uint16_t object = 0;  ///< of the particle that is displaced most
};

/// Speed of sound or of elastic waves in matter, the faster one (m/s).
double wave_speed(const Material& material, Phase phase) {
    const double c = material.liquid.sound_speed, nu = material.solid.poisson_ratio;
    if (phase != Phase::elastic) return c;
    const double modulus = material.solid.young_modulus * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
    return std::max(c, std::sqrt(modulus / material.density));
}

/// Particles that the step made or took do not count. An acceleration a is balanced when the particle has
/// moved by a ℓ²/c²: that is the distance ℓ between particles times the strain which gives the acceleration
/// in matter with the wave speed c.
FirstStep first_step(Simulation& simulation) {
    const std::vector<Vec3f> before = velocities(simulation);
    simulation.step(std::numeric_limits<double>::infinity());
    const ParticleTable& particles = simulation.particles();
    // The first kick of the leapfrog is half a step long; the incompressible solver's is a whole one.
    const bool solved = entry_of(simulation.model().solver.pressure).solved;
    const double kick = simulation.clock().last_step * (solved ? 1 : 0.5);
    FirstStep out;
    if (!(kick > 0)) return out;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.id[i] >= before.size() || particles.kinematic_id[i] != 0) continue;
        const double a = norm(to_double(particles.velocity[i] - before[particles.id[i]])) / kick;
        const double c = wave_speed(simulation.model().materials[particles.material[i]], particles.phase[i]);
        const double spacing = 2 * particles.radius[i], displacement = a * spacing / (c * c);
        out.acceleration = std::max(out.acceleration, a);
        if (displacement <= out.displacement) continue;
        out.displacement = displacement;
        out.object = particles.object[i];
    }
    return out;
}

}  // namespace

std::string describe_start(Simulation& simulation) {
    const ParticleTable& particles = simulation.particles();
    if (particles.size() == 0) return "";
    constexpr double most_compression = 0.01, most_displacement = 0.1;
    double sum = 0, most = 0;
    std::uint64_t liquid = 0;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.phase[i] != Phase::liquid) continue;
        const double rest = simulation.model().materials[particles.material[i]].density;
        const double error = std::max(0.0, particles.density[i] / rest - 1);
        sum += error;
        most = std::max(most, error);
        ++liquid;
    }
    std::string text = "start        ", warnings;
    if (liquid > 0) {
        text += fmt::format("density error {:.2g} % in the mean, {:.2g} % at most, ",
                            100 * sum / static_cast<double>(liquid), 100 * most);
        if (most > most_compression)
            warnings +=
                "             warning: liquids start compressed by more than 1 %, and may jump; where that "
                "is "
                "their weight, a higher sound_speed helps\n";
    }
    const double g = norm(simulation.model().gravity);
    const FirstStep first = first_step(simulation);
    if (first.displacement > most_displacement)
        warnings += fmt::format(
            "             warning: `{}` starts up to {:.2g} spacings from where it would rest, and will "
            "jump: it is pressed or "
            "held there\n",
            simulation.model().objects[first.object].name, first.displacement);
    if (!(g > 0))
        return text + fmt::format("largest acceleration {:.3g} m/s²\n", first.acceleration) + warnings;
    return text + fmt::format("largest acceleration {:.3g} g\n", first.acceleration / g) + warnings;
}

std::uint64_t expected_particles(const Scene& scene, const Simulation& simulation, double time) {
    std::uint64_t count = 0;
    for (std::size_t k = 0; k < scene.model.emitters.size(); ++k)
        count += simulation.emitters().expected(k, time);
    return count;
}

std::string describe_emitters_and_sinks(const Scene& scene, const Simulation& simulation) {
    const EmitterState& state = simulation.emitter_state();
    std::string text;
    for (std::size_t k = 0; k < scene.model.emitters.size(); ++k) {
        text += fmt::format("emitter `{}` made {}", scene.model.emitters[k].name,
                            counted(simulation.emitters().emitted(state, k), "particle"));
        if (state.held[k] > 0)
            text += fmt::format("; {} more were skipped: no room in front of the opening",
                                with_commas(state.held[k]));
        text += "\n";
    }
    for (std::size_t k = 0; k < scene.model.sinks.size(); ++k)
        text += fmt::format("sink `{}` removed {}\n", scene.model.sinks[k].name,
                            counted(state.removed[k], "particle"));
    return text;
}

}  // namespace thixo
