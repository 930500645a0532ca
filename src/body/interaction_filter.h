#pragma once

#include "body/phase_changes.h"
#include "body/solids.h"
#include "sph/neighbours.h"

namespace thixo {

/// Leaves those pairs in the lists that interact by pressure: every pair with a liquid particle, and contact pairs of deformable
/// solids. Rows of the same body that are linked, or share a neighbour, do not; rigid rows interact with liquids alone, and
/// by contacts that are solved for. With `changes`, only pairs around the rows that changed are decided again.
void filter_interactions(const Device& device, const ParticleTable& particles, const Solids& solids,
                         const PhaseChanges* changes, NeighbourSearch& search);

}  // namespace thixo
