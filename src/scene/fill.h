#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scene/check_entry.h"
#include "scene/load.h"
#include "sim/populate.h"
#include "sim/settle.h"
#include "sim/simulation.h"

namespace thixo {

/// Initial particles of a scene, and the particles carved from each object.
struct Filling {
    ParticleTable particles;
    std::vector<Carving> carvings;
    Settling settling;
};

/// An object without particles before or after carving, and a kinematic region without particles, are
/// InputErrors with their position in the file.
Filling fill(const SceneWithSource& source, const Device& device);

/// The same for a scene that comes from no file: the place is the key's path.
Filling fill(const Scene& scene, const Device& device);

/// A simulation that starts with it.
std::unique_ptr<Simulation> start(const Model& model, Filling filling, const Device& device,
                                  std::vector<Event> events = {});

/// A line for each object that was carved:
/// "`water`: 1,234 of 10,000 particles carved: 1,200 in obstacle `bowl`, 34 in object `duck`".
std::string describe_carvings(const Scene& scene, const std::vector<Carving>& carvings);

}  // namespace thixo
