#pragma once

#include <string>
#include <vector>

#include "surface/polygonise.h"

namespace thixo {

/// A property of the particles that vertices get, in the particles' order as they were passed.
struct ParticleAttribute {
    std::string name, unit;
    View<const float> values;
    bool blend =
        true;  ///< the weighted mean of the particles around; otherwise that of the one that counts most
};

/// Adds the attributes to the mesh, and how many neighbours the particles around each vertex have:
/// `neighbours`.
void add_attributes(const Device& device, const SurfaceField& field, const FieldParticles& particles,
                    const std::vector<ParticleAttribute>& attributes, Polygonisation& surface,
                    std::vector<float>& neighbours);

}  // namespace thixo
