#include "lattice/lattice_state.h"

#include "core/state_check.h"
#include "lattice/lattice_points.h"
#include "lattice/site.h"

namespace thixo {

void LatticeState::check(const ParticleTable& particles) const {
    const std::size_t n = rotations.size();
    check_length("lattice_deformations", deformations.size(), n);
    std::vector<bool> taken(n);
    for (const std::uint32_t s : particles.lattice_index) {
        if (s == no_index) continue;
        if (s >= n) refuse_state("lattice_index", "number {} is not below {}", s, n);
        if (taken[s]) refuse_state("lattice_index", "two particles have the number {}", s);
        taken[s] = true;
    }
    for (const std::uint32_t entry : docked) {
        if (entry == no_index) continue;
        const std::uint32_t s = entry & ~failed_draw;
        if (s >= n || !taken[s]) refuse_state("lattice_docked", "no particle has the number {}", s);
    }
}

void LatticeState::check(const ParticleTable& particles, const std::vector<Material>& materials,
                         int dimensions) const {
    const LatticePoints points(dimensions);
    const std::size_t n = rotations.size();
    check_length("lattice_docked", docked.size(), n * points.lanes());
    bool breakable = false;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.lattice_index[i] == no_index) continue;
        const SolidSettings& solid = materials[particles.material[i]].solid;
        if (solid.model != SolidModel::lattice)
            refuse_state("lattice_index", "particle {} is of a material without a lattice", particles.id[i]);
        breakable |= solid.docking_rate > 0;
    }
    check_length("lattice_rates", rates.size(), breakable ? n * points.count() : 0);
}

}  // namespace thixo
