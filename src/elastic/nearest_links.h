#pragma once

#include "elastic/elastic_bodies.h"
#include "particles/rest_links.h"

namespace thixo {

/// The reference neighbours of these rows that were within `reach` (m) at rest: the mesh that a surface is
/// made of. Rows may have been sorted since the last forces.
RestLinks nearest_links(const Device& device, const ElasticBodies& bodies, const ParticleTable& particles,
                        float reach, View<const Index> rows);

}  // namespace thixo
