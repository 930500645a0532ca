#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "lattice/bond_forces.h"
#include "lattice/docking.h"
#include "lattice/lattice_points.h"
#include "lattice/lattice_sites.h"
#include "lattice/lattice_state.h"
#include "lattice/lattice_stiffness.h"
#include "lattice/match.h"
#include "lattice/volume_pressure.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// Seconds spent so far.
struct LatticeTimes {
    double assignment = 0, matching = 0, force = 0;
};

/// Solids that store no connectivity [WHP06]: every particle with a lattice index has a crystal lattice
/// around itself, deformed like its neighbourhood in the last step. The particle of the same body that is
/// nearest to one of the closest lattice points docks there. ([theory](docs/theory/lattice.md))
///
///     Aᵢ = Σⱼ xⱼᵢ lᵢⱼᵀ (Σⱼ lᵢⱼ lᵢⱼᵀ)⁻¹,   Rᵢ = polar(Σⱼ xⱼᵢ lᵢⱼᵀ),   U = ¼ k Σᵢ Σⱼ |xⱼᵢ − Rᵢ lᵢⱼ|²
class LatticeSolids {
public:
    /// `contact_kernel` is the one that weighs density, by which solids feel others; `seed` that of the
    /// scene; `implicit`: whether steps are (`ImplicitLattice`).
    LatticeSolids(const std::vector<Material>& materials, KernelName contact_kernel, double support,
                  int dimensions, double spacing, std::uint64_t seed, bool implicit = false);

    /// Gives every elastic particle whose material's model is `lattice` a site. A and R are those that the
    /// lattice was turned by when its object was sampled, given for each number of an object.
    void create(const Device& device, ParticleTable& particles, View<const Mat3d> orientations);

    /// Takes up a saved state; the particles have their sites.
    void restore(const Device& device, const ParticleTable& particles, const LatticeState& state);
    LatticeState state() const;
    /// Loading fills `loaded`, which `restore` then takes up.
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        if constexpr (std::is_const_v<Self>) {
            const LatticeState now = self.state();
            visit_state(now, visit);
        } else {
            visit_state(self.loaded_, visit);
        }
    }
    const LatticeState& loaded() const { return loaded_; }
    void restore(const Device& device, const ParticleTable& particles) {
        restore(device, particles, std::exchange(loaded_, {}));
    }

    /// Gives sites to rows that froze. They take the rotation of those they touch, and when lattice points
    /// are next assigned they dock, and are docked on, as all are at the start. `neighbours` are all of them.
    void join(const Device& device, ParticleTable& particles, View<const Index> rows,
              const Neighbours& neighbours);

    /// Takes the sites of rows that melt. The lattice points they leave are free, and no cracks.
    void leave(const Device& device, ParticleTable& particles, View<const Index> rows);

    /// Sets the stiffness of each row, as a fraction of that of its material.
    void soften(const Device& device, View<const float> stiffness) { sites_.soften(device, stiffness); }

    DockingPairs docking_pairs(const ParticleTable& particles) const;

    /// Lists the docking pairs within the support of each site: to be called whenever rows are sorted and
    /// lists built, with all neighbours. The interaction filter then removes them from the lists.
    void collect(const Device& device, const ParticleTable& particles, const Neighbours& all);

    /// Assigns candidates to lattice points, draws which of them dock, and finds how neighbourhoods are
    /// deformed and move. `dt` is the time since the last assignment: 0 at the first. Sites that are new dock
    /// wherever they are assigned. Writes `rim`.
    void dock(const Device& device, ParticleTable& particles, double dt, std::uint64_t step);

    /// Adds the forces between docked particles, between candidates that come too close, and of the pressure
    /// that keeps the volume, to `acceleration`.
    void add_forces(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration);

    /// −(a K + b C) u, N, of small displacements u by site, around the last `dock`, see `LatticeStiffness`.
    /// Holds until it is called again.
    LatticeResponseForces respond_linearly(const Device& device, double a, double b,
                                           View<const Packed4> displacement) {
        return stiffness_.respond(device, a, b, displacement);
    }
    /// The lowest site of each connected component in the last `dock`.
    View<const Index> components() const { return stiffness_.components(); }

    /// Compression of each site by particles of the same body, up to that of a solid at rest: V⁰ᵢ W(0) is not
    /// part of it. Of the last `dock`.
    View<const float> contact_sums() const { return docking_.contact_sums(); }

    /// Calls visit(row) for the rows that a row is connected with: docked on it, or it on them, or touching
    /// it since one of them joined. Draws that failed do not disconnect neighbours.
    template <class Visit>
    void visit_docked(const ParticleTable& particles, Index row, const Visit& visit) const;

    /// Adds the numbers of bodies that lost lattice points for good since the last call, and may have fallen
    /// apart.
    bool collect_may_split(const ParticleTable& particles, std::vector<std::uint32_t>& may_split);

    /// Bonds that cross a cut are torn where their materials can crack, and gone in the next step. Returns
    /// whether there were any.
    bool cut_bonds(const Device& device, const ParticleTable& particles, const CutPlane& cut);

    /// J, of the last forces.
    double energy(const Device& device) const;

    /// What lattice solids add to a ledger.
    struct Ledger {
        double energy = 0;       ///< J
        double compression = 0;  ///< Σ max(0, ρ/ρ₀ − 1) of their particles
    };
    /// Adds the accelerations at the positions as they are, with the particles that docked in the last step,
    /// and leaves the state as it is; returns the energy there, and how compressed they are by particles of
    /// the same body.
    Ledger evaluate(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration) const;

    /// Acceleration of a row in the last forces, m/s².
    Vec3f acceleration(const ParticleTable& particles, Index row) const;

    /// The elastic wave limits explicit steps, and the damping does; implicit ones may be fifty times as long
    /// as the wave allows.
    void limit_time_step(TimeStepLimit& limit) const;

    /// ε = √(A Aᵀ) − I of the last `dock`, in space: what any elasticity law can start from.
    Sym3f strain(Index site) const;

    static constexpr Index vacant = LatticeSites::vacant;

    bool empty() const { return sites_.row.empty(); }
    double stiffness(std::uint16_t material) const { return constants_[material].stiffness; }  ///< k, N/m
    View<const Index> rows() const { return sites_.row; }  ///< of each site, or `vacant`
    const LatticeSites& sites() const { return sites_; }
    const LatticeTimes& times() const { return times_; }
    std::size_t bytes() const;

private:
    void find_constants();
    /// Reads the particles again, whose sites have changed.
    void follow_sites(const Device& device, const ParticleTable& particles);
    MatchInputs match_inputs(const std::vector<Packed4>& x, const std::vector<Packed4>& v) const;
    BondForces forces(const std::vector<SiteMotion>& motion, const std::vector<Packed4>& v) const;
    VolumePressure volume_pressure(const std::vector<SiteMotion>& motion,
                                   const std::vector<Packed4>& x) const;
    double stable_step(const LatticeConstants& constants, double mass) const;

    std::vector<Material> materials_;
    bool implicit_;
    ContactKernel contact_;
    int dimensions_;
    double spacing_;
    double rest_volume_;                       ///< of a particle of the undeformed lattice, m³
    double steepest_;                          ///< see VolumePressure
    std::vector<LatticeConstants> constants_;  ///< of each material
    std::vector<std::uint8_t> fuses_;          ///< each material, see DockingPairs
    bool damped_ = false, breakable_ = false, tears_ = false;

    LatticeSites sites_;
    Docking docking_;
    LatticeStiffness stiffness_;         ///< where steps are implicit
    std::vector<PointMoments> moments_;  ///< of all sets of lattice points
    // Of the last step.
    std::vector<Packed4> x_, v_;  ///< w of x: V⁰, m³; one more behind the last
    std::vector<SiteMotion> motion_;
    std::vector<float> sums_, loads_;  ///< of the pressure that keeps the volume
    std::vector<Vec3f> pushes_;        ///< its forces, N, where `pressed_`
    bool pressed_ = false;             ///< there is some
    LatticeTimes times_;
    LatticeState loaded_;  ///< empty but between loading and `restore`
};

template <class Visit>
void LatticeSolids::visit_docked(const ParticleTable& particles, Index row, const Visit& visit) const {
    const std::uint32_t s = particles.lattice_index[row];
    if (s != no_index) docking_.visit_connected(s, [&](Index other) { visit(sites_.row[other]); });
}

}  // namespace thixo
