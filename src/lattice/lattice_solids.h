#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "core/simd.h"
#include "core/time_step.h"
#include "lattice/lattice_points.h"
#include "lattice/lattice_state.h"
#include "lattice/site.h"
#include "particles/cut_plane.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/kernel_name.h"
#include "sph/neighbours.h"

namespace thixo {

/// Seconds spent so far.
struct LatticeTimes {
    double assignment = 0, matching = 0, force = 0;
};

/// Solids that store no connectivity [WHP06]: every particle with a lattice index has a crystal lattice around itself, deformed like its
/// neighbourhood in the last step. The particle of the same body that is nearest to one of the closest lattice points docks there.
/// ([theory](docs/theory/lattice.md))
///
///     Aᵢ = Σⱼ xⱼᵢ lᵢⱼᵀ (Σⱼ lᵢⱼ lᵢⱼᵀ)⁻¹,   Rᵢ = polar(Σⱼ xⱼᵢ lᵢⱼᵀ),   U = ¼ k Σᵢ Σⱼ |xⱼᵢ − Rᵢ lᵢⱼ|²
class LatticeSolids {
public:
    /// `contact_kernel` is the one that weighs density, by which solids feel others; `seed` that of the scene.
    LatticeSolids(const std::vector<Material>& materials, KernelName contact_kernel, double support,
                  int dimensions, double spacing, std::uint64_t seed);

    /// Gives every elastic particle whose material's model is `lattice` a site. A and R are those that the lattice was turned by
    /// when its object was sampled, given for each number of an object.
    void create(const Device& device, ParticleTable& particles, View<const Mat3d> orientations);

    /// Takes up a saved state; the particles have their sites.
    void restore(const Device& device, const ParticleTable& particles, const LatticeState& state);
    LatticeState state() const;
    template <class Visitor>
    void visit_state(Visitor&& visit) const {
        LatticeState now = state();
        now.visit_state(visit);
    }

    /// Gives sites to rows that froze. They take the rotation of those they touch, and when lattice points are next assigned they
    /// dock, and are docked on, as all are at the start. `neighbours` are all of them.
    void join(const Device& device, ParticleTable& particles, View<const Index> rows,
              const Neighbours& neighbours);

    /// Takes the sites of rows that melt. The lattice points they leave are free, and no cracks.
    void leave(const Device& device, ParticleTable& particles, View<const Index> rows);

    /// Sets the stiffness of each row, as a fraction of that of its material.
    void soften(const Device& device, View<const float> stiffness);

    /// Whether two rows may dock on each other: particles of one body, and those of one object whose pieces fuse when they touch.
    struct DockingPairs {
        View<const std::uint32_t> site, body;
        View<const std::uint16_t> object, material;
        View<const std::uint8_t> fuses;  ///< by material: it neither cracks nor melts

        bool operator()(Index i, Index j) const {
            return site[i] != no_index && site[j] != no_index &&
                   (body[i] == body[j] || (object[i] == object[j] && fuses[material[i]] != 0));
        }
    };
    DockingPairs docking_pairs(const ParticleTable& particles) const;

    /// Lists the docking pairs within the support of each site: to be called whenever rows are sorted and lists built, with all
    /// neighbours. The interaction filter then removes them from the lists.
    void collect(const Device& device, const ParticleTable& particles, const Neighbours& all);

    /// Assigns candidates to lattice points, draws which of them dock, and finds how neighbourhoods are deformed and move. `dt` is the time since
    /// the last assignment: 0 at the first. Sites that are new dock wherever they are assigned. Writes `rim`.
    void dock(const Device& device, ParticleTable& particles, double dt, std::uint64_t step);

    /// Adds the forces between docked particles, and between candidates that come too close, to `acceleration`.
    void add_forces(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration);

    /// Compression of each site by particles of the same body, up to that of a solid at rest: V⁰ᵢ W(0) is not part of it. Of the last `dock`.
    View<const float> contact_sums() const { return contact_sum_; }

    /// Calls visit(row) for the rows that a row is connected with: docked on it, or it on them, or touching it since one of them
    /// joined. Draws that failed do not disconnect neighbours.
    template <class Visit>
    void visit_docked(const ParticleTable& particles, Index row, const Visit& visit) const;

    /// Adds the numbers of bodies that lost lattice points for good since the last call, and may have fallen apart.
    bool collect_may_split(const ParticleTable& particles, std::vector<std::uint32_t>& may_split);

    /// Bonds that cross a cut are torn where their materials can crack, and gone in the next step. Returns whether there were any.
    bool cut_bonds(const Device& device, const ParticleTable& particles, const CutPlane& cut);

    /// J, of the last forces.
    double energy(const Device& device) const { return energy(device, motion_); }

    /// What lattice solids add to a ledger.
    struct Ledger {
        double energy = 0;       ///< J
        double compression = 0;  ///< Σ max(0, ρ/ρ₀ − 1) of their particles
    };
    /// Adds the accelerations at the positions as they are, with the particles that docked in the last step, and leaves the state as it is;
    /// returns the energy there, and how compressed they are by particles of the same body.
    Ledger evaluate(const Device& device, const ParticleTable& particles, View<Vec3f> acceleration) const;

    /// Acceleration of a row in the last forces, m/s².
    Vec3f acceleration(const ParticleTable& particles, Index row) const;

    /// The elastic wave limits the step, and the damping does.
    void limit_time_step(TimeStepLimit& limit) const;

    /// ε = √(A Aᵀ) − I of the last `dock`, in space: what any elasticity law can start from.
    Sym3f strain(Index site) const;

    static constexpr Index vacant = std::numeric_limits<Index>::max();

    bool empty() const { return row_.empty(); }
    double stiffness(std::uint16_t material) const { return constants_[material].stiffness; }  ///< k, N/m
    View<const Index> rows() const { return row_; }  ///< of each site, or `vacant`
    const LatticeTimes& times() const { return times_; }
    std::size_t bytes() const;

private:
    void find_constants();
    void resize_sites(Index n);
    std::vector<Index> take_sites(Index count);
    void set_frame(Index s, const Quaternion<double>& rotation);
    Quaternion<double> rotation(Index s) const;
    void give_frames(const ParticleTable& particles, View<const Index> rows, const Neighbours& neighbours);
    void read_particles(const Device& device, const ParticleTable& particles);
    void find_rows(const Device& device, const ParticleTable& particles);
    /// Positions and velocities of the sites' particles, and how their neighbourhoods are deformed and move.
    struct Motion {
        std::vector<Packed4> x, v;
        std::vector<SiteBlock> blocks;
        std::vector<SiteMotion> sites;
    };
    void pack(const Device& device, const ParticleTable& particles, std::vector<Packed4>& x,
              std::vector<Packed4>& v) const;

    void assign(const Device& device, ParticleTable& particles, double dt, std::uint64_t step);
    void match(const Device& device, const std::vector<Packed4>& x, const std::vector<Packed4>& v,
               std::vector<SiteBlock>& blocks, std::vector<SiteMotion>& motion) const;
    struct ForceOn;
    ForceOn force_on(const std::vector<SiteMotion>& motion, const std::vector<Packed4>& v) const;
    double energy(const Device& device, const std::vector<SiteMotion>& motion) const;
    double compression(const Device& device, const std::vector<Packed4>& x) const;
    void exert(const Device& device, View<Vec3f> acceleration);
    void tear(const Device& device);

    /// Whether a lattice point of one site is the other's.
    bool holds(Index s, Index other) const;

    Index size() const { return static_cast<Index>(row_.size()); }
    double stable_step(const LatticeConstants& constants, double mass) const;

    std::vector<Material> materials_;
    KernelName contact_kernel_;
    double support_;
    int dimensions_;
    double spacing_;
    std::uint64_t seed_;
    LatticePoints points_;
    std::vector<PointMoments> moments_;  ///< of all sets of lattice points

    std::vector<LatticeConstants> constants_;  ///< of each material
    std::vector<std::uint8_t> fuses_;          ///< each material, see DockingPairs
    std::vector<float> certainty_;  ///< probability to dock at the highest rate in this step, by material
    std::vector<double> lightest_;  ///< particle of each material, kg; none: infinite
    bool damped_ = false, breakable_ = false, tears_ = false;

    // Of each site, as long as it lives.
    std::vector<Index> row_;  ///< or `vacant`
    std::vector<std::uint32_t> id_;
    std::vector<std::uint16_t> material_;
    std::vector<float> mass_, volume_;  ///< kg; V⁰, m³
    std::vector<float> softness_;       ///< fraction of the material's stiffness

    // State.
    std::vector<SiteBlock> blocks_;
    std::vector<float> rates_;         ///< λ of each lattice point, 1/s; eight more behind the last
    std::vector<std::uint8_t> fresh_;  ///< whether a site has not docked yet
    bool any_fresh_ = false;
    std::map<Index, std::vector<Index>> touching_;  ///< particles that touch fresh sites, both ways

    // Lists of candidates for docking, padded to whole lanes with the number behind the last site.
    std::vector<std::size_t> begin_;
    std::vector<Index> candidates_;

    // Of the last step.
    std::vector<Packed4> x_, v_;           ///< w of x: V⁰, m³; one more behind the last
    std::vector<std::size_t> near_begin_;  ///< those of the lists of candidates then
    std::vector<Index> near_;              ///< the candidates within reach, where `candidates_` has all
    std::vector<Index> near_count_;
    std::vector<std::uint32_t> docked_;  ///< the particle at each lattice point, in whole lanes
    std::vector<SiteMotion> motion_;
    std::vector<float> contact_sum_;
    std::vector<std::uint16_t> torn_;  ///< lattice points of each site whose bonds tear
    std::vector<std::uint8_t> lost_;   ///< whether a site lost a lattice point since the last query
    LatticeTimes times_;
};

template <class Visit>
void LatticeSolids::visit_docked(const ParticleTable& particles, Index row, const Visit& visit) const {
    const std::uint32_t s = particles.lattice_index[row];
    if (s == no_index) return;
    for (Index p = 0; p < points_.count(); ++p) {
        const std::uint32_t other = docked_[std::size_t{s} * points_.lanes() + p];
        if (other != no_index) visit(row_[other & ~failed_draw]);
    }
    // One may dock on the other without being docked on; they are connected all the same.
    for (std::size_t k = begin_[s]; k < begin_[s + 1]; ++k) {
        const Index other = candidates_[k];
        if (other < size() && holds(other, s) && !holds(s, other)) visit(row_[other]);
    }
    if (const auto found = touching_.find(s); found != touching_.end()) {
        for (const Index other : found->second) visit(row_[other]);
    }
}

}  // namespace thixo
