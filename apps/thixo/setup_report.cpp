#include "setup_report.h"

#include <vector>

#include <fmt/core.h>

#include "text.h"

namespace thixo {

std::string describe_setup(const Scene& scene, const Simulation& simulation) {
    const ParticleTable& particles = simulation.particles();
    struct Count {
        std::uint64_t particles = 0;
        double mass = 0, particle_mass = 0;
    };
    std::vector<Count> counts(scene.objects.size());
    for (Index i = 0; i < particles.size(); ++i) {
        Count& count = counts[particles.object[i]];
        ++count.particles;
        count.mass += particles.mass[i];
        count.particle_mass = particles.mass[i];
    }
    const int d = scene.model.dimensions;
    const char* mass_unit = d == 2 ? "kg/m" : "kg";
    std::string text = fmt::format("particles    {} in {}, {}D\n", with_commas(particles.size()),
                                   counted(scene.objects.size(), "object"), d);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        text +=
            fmt::format("             `{}`: {} of `{}`, {:.4g} {} each, {:.4g} {} together\n",
                        scene.objects[k].name, with_commas(counts[k].particles), scene.objects[k].material,
                        counts[k].particle_mass, mass_unit, counts[k].mass, mass_unit);
    }
    const double spacing = scene.model.particles.spacing;
    text += fmt::format(
        "spacing      {:.4g} m\nradius       {:.4g} m\nsupport H    {:.4g} m, {:.1f} neighbours\n", spacing,
        spacing / 2, simulation.support(), simulation.mean_neighbours());
    text += fmt::format(
        "memory       {}, {} a particle\n", human_bytes(static_cast<double>(simulation.bytes())),
        human_bytes(static_cast<double>(simulation.bytes()) / std::max<Index>(1, particles.size())));
    const TimeStepLimit& limit = simulation.time_step_limit();
    const double scale = scene.model.solver.time_step_scale;
    text += fmt::format("time step    {:.4g} s, limited by {}", limit.seconds * scale, limit.name);
    if (scale != 1) text += fmt::format(", times {:g} (solver.time_step_scale)", scale);
    return text + "\n";
}

}  // namespace thixo
