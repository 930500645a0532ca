#pragma once

#include "particles/object.h"
#include "sph/discretisation.h"

namespace thixo {

/// Volume V⁰ that a particle must stand for so that Σⱼ V⁰ W(rᵢⱼ) = 1 exactly on the lattice, self included:
/// with m = ρ₀ V⁰ the undisturbed lattice has its rest density. It differs from the lattice's cell volume by
/// the kernel's discretisation error, some percent.
double rest_volume(const Discretisation& discretisation, Lattice lattice = Lattice::cubic);
double rest_volume(KernelName kernel, double support, int dimensions, Lattice lattice, double spacing);

}  // namespace thixo
