#include "lattice/lattice_solids.h"

namespace thixo {

LatticeSolids::LatticeSolids(const std::vector<Material>&, KernelName, double, int, double, std::uint64_t) {}
void LatticeSolids::create(const Device&, ParticleTable&, View<const Mat3d>) {}
void LatticeSolids::restore(const Device&, const ParticleTable&, const LatticeState&) {}
LatticeState LatticeSolids::state() const { return {}; }
LatticeSolids::Kin LatticeSolids::kin(const ParticleTable& particles) const {
    return {particles.site, particles.body, particles.object, particles.material, {}};
}
void LatticeSolids::collect(const Device&, const ParticleTable&, const Neighbours&) {}
void LatticeSolids::dock(const Device&, ParticleTable&, double, std::uint64_t) {}
void LatticeSolids::add_forces(const Device&, const ParticleTable&, View<Vec3f>) {}
bool LatticeSolids::take_suspects(const ParticleTable&, std::vector<std::uint32_t>&) { return false; }
double LatticeSolids::energy(const Device&) const { return 0; }
Vec3f LatticeSolids::acceleration(const ParticleTable&, Index) const { return {}; }
void LatticeSolids::limit_time_step(TimeStepLimit&) const {}
Sym3f LatticeSolids::strain(Index) const { return {}; }
std::size_t LatticeSolids::bytes() const { return 0; }

}  // namespace thixo
