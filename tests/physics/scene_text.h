#pragma once

#include <string>

#include "scene/fill.h"
#include "scene/scene_file.h"
#include "sim/probes.h"
#include "sim/simulation.h"

namespace thixo {

/// A simulation of a scene that is given as text.
inline Simulation simulation_of(const std::string& text) {
    const Scene scene = parse_scene(text, "scene.json");
    Filling filling = fill(scene, {});
    return {scene.model, std::move(filling.particles), {}};
}

/// One number of a probe.
inline double reading(const Simulation& simulation, std::size_t probe, std::string_view name) {
    const auto columns = probe_columns(simulation.model().probes[probe].kind);
    const std::vector<double> values = measure(simulation, probe);
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (columns[k].name == name) return values[k];
    return -1e300;
}

}  // namespace thixo
