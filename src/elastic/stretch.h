#pragma once

#include "elastic/elastic_bodies.h"

namespace thixo {

/// How far rows stand from their reference neighbours compared with the undeformed state: the largest |x|/|X| among neighbours
/// within `reach` (m); 1 for rows that are in no body. To be called where the positions are those of the last forces.
void measure_stretch(const Device& device, const ElasticBodies& bodies, const ParticleTable& particles,
                     float reach, View<const Index> rows, View<float> stretch);

}  // namespace thixo
