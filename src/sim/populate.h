#pragma once

#include <optional>
#include <string>
#include <vector>

#include "particles/object.h"
#include "particles/table.h"
#include "sim/model.h"

namespace thixo {

/// Fills every object with particles. Masses are calibrated: the undisturbed lattice has its rest density.
ParticleTable populate(const Model& model, const std::vector<Object>& objects);

/// An object that cannot start where it is, and why.
struct Misplacement {
    std::size_t object;
    std::string reason;
};

/// The first object that no particle fits into, or that reaches into an obstacle by more than a spacing. What is
/// buried deeper than that would be shot out of the wall, or pressed flat onto it.
std::optional<Misplacement> find_misplacement(const Model& model, const std::vector<Object>& objects,
                                              const ParticleTable& particles);

/// Particles that start where they should not be.
struct Overlaps {
    std::size_t in_obstacles = 0;      ///< inside an obstacle, or closer to it than a quarter of the spacing
    std::size_t in_other_objects = 0;  ///< closer than half the spacing to a particle of another object
};

class Simulation;
Overlaps count_overlaps(const Simulation& simulation);

}  // namespace thixo
