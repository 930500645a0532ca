#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/launch.h"
#include "lattice/docked.h"
#include "lattice/lattice_points.h"
#include "lattice/lattice_sites.h"
#include "particles/cut_plane.h"
#include "sph/kernel_name.h"
#include "sph/neighbours.h"

namespace thixo {

/// Whether two rows may dock on each other: particles of one body, and those of one object whose pieces fuse
/// when they touch.
struct DockingPairs {
    View<const std::uint32_t> site, body;
    View<const std::uint16_t> object, material;
    View<const std::uint8_t> fuses;  ///< by material: it neither cracks nor melts

    bool operator()(Index i, Index j) const {
        return site[i] != no_index && site[j] != no_index &&
               (body[i] == body[j] || (object[i] == object[j] && fuses[material[i]] != 0));
    }
};

/// The kernel by which solids feel others.
struct ContactKernel {
    KernelName name;
    double support;  ///< m
    int dimensions;
};

/// Which particle is at which lattice point of a site. Candidates within the support are listed with the
/// neighbour lists; in every step those within reach are assigned to lattice points, and it is drawn which of
/// them dock.
class Docking {
public:
    Docking(int dimensions, std::uint64_t seed) : points_(dimensions), seed_(seed) {}

    const LatticePoints& points() const { return points_; }

    /// Makes room for so many sites; new ones have no candidates and none docked. `rates`: some material
    /// cracks; `tears`: by pull.
    void resize(Index sites, bool rates, bool tears);
    void clear();

    /// State: λ of the lattice points of each site, 1/s, none without docking rates; sites at them, in whole
    /// lanes.
    std::vector<float> rates() const;
    const std::vector<std::uint32_t>& docked() const { return docked_; }
    void restore(const std::vector<float>& rates, const std::vector<std::uint32_t>& docked);

    /// Sites that dock wherever they are assigned next.
    void mark_fresh(View<const Index> sites);
    void mark_all_fresh();
    bool is_fresh(Index s) const { return fresh_[s] != 0; }
    void end_fresh();
    /// Particles that touch fresh sites are connected with them until those have docked.
    void add_touching(Index s, Index other) { touching_[s].push_back(other); }

    /// No site may keep the number of one that is vacant now.
    void leave(const Device& device, const LatticeSites& sites);

    /// Lists the docking pairs within the support of each site.
    void collect(const Device& device, const ParticleTable& particles, const LatticeSites& sites,
                 const DockingPairs& may_dock, const Neighbours& all);

    /// Assigns candidates to lattice points and draws which of them dock, `dt` s after the last time. `x`:
    /// records of the sites. Writes `rim`.
    void assign(const Device& device, const LatticeSites& sites, View<const LatticeConstants> constants,
                const ContactKernel& kernel, double spacing, View<const Packed4> x, double dt,
                std::uint64_t step, View<std::uint16_t> rim);

    /// Compression of each site by particles of the same body, see `LatticeSolids::contact_sums`.
    View<const float> contact_sums() const { return contact_sum_; }

    // The candidates within reach, as of the last `assign`.
    const std::size_t* near_begin() const { return near_begin_.data(); }
    const Index* near() const { return near_.data(); }
    const Index* near_count() const { return near_count_.data(); }

    // All candidates, as of the last `collect`, in whole lanes.
    View<const std::size_t> candidates_begin() const { return begin_; }
    const Index* candidates() const { return candidates_.data(); }

    /// Lattice points of each site whose bonds are pulled too hard, for `tear`; null where none tears.
    std::uint16_t* torn() { return torn_.empty() ? nullptr : torn_.data(); }
    /// A bond that was pulled too hard is gone for either end of it.
    void tear(const Device& device);
    /// The same for bonds that cross a cut. Returns whether there were any.
    bool cut(const Device& device, const ParticleTable& particles, const LatticeSites& sites,
             const CutPlane& cut);

    /// Calls visit(site) for the sites that one is connected with.
    template <class Visit>
    void visit_connected(Index s, const Visit& visit) const;

    /// Calls visit(site) for those that lost lattice points for good since the last call. Returns whether
    /// there were any.
    template <class Visit>
    bool take_lost(const Visit& visit);

    std::size_t bytes() const {
        return bytes_of(rates_, fresh_, begin_, candidates_, near_begin_, near_, near_count_, docked_,
                        contact_sum_, torn_, lost_);
    }

private:
    /// Whether a lattice point of one site is the other's.
    bool holds(Index s, Index other) const;
    Index size() const { return static_cast<Index>(fresh_.size()); }

    LatticePoints points_;
    std::uint64_t seed_;
    std::vector<float> certainty_;     ///< probability to dock at the highest rate in this step, by material
    std::vector<float> rates_;         ///< λ of each lattice point, 1/s; eight more behind the last
    std::vector<std::uint8_t> fresh_;  ///< whether a site has not docked yet
    bool any_fresh_ = false;
    std::map<Index, std::vector<Index>> touching_;  ///< particles that touch fresh sites, both ways

    // Lists of candidates for docking, padded to whole lanes with the number behind the last site.
    std::vector<std::size_t> begin_;
    std::vector<Index> candidates_;

    // Of the last step.
    std::vector<std::size_t> near_begin_;  ///< those of the lists of candidates then
    std::vector<Index> near_;              ///< the candidates within reach, where `candidates_` has all
    std::vector<Index> near_count_;
    std::vector<std::uint32_t> docked_;  ///< the particle at each lattice point, in whole lanes
    std::vector<float> contact_sum_;
    std::vector<std::uint16_t> torn_;
    std::vector<std::uint8_t> lost_;  ///< whether a site lost a lattice point since the last query
};

template <class Visit>
void Docking::visit_connected(Index s, const Visit& visit) const {
    for (Index p = 0; p < points_.count(); ++p) {
        const std::uint32_t other = docked_[std::size_t{s} * points_.lanes() + p];
        if (other != no_index) visit(other & ~failed_draw);
    }
    // One may dock on the other without being docked on; they are connected all the same.
    for (std::size_t k = begin_[s]; k < begin_[s + 1]; ++k) {
        const Index other = candidates_[k];
        if (other < size() && holds(other, s) && !holds(s, other)) visit(other);
    }
    if (const auto found = touching_.find(s); found != touching_.end()) {
        for (const Index other : found->second) visit(other);
    }
}

template <class Visit>
bool Docking::take_lost(const Visit& visit) {
    bool any = false;
    for (Index s = 0; s < lost_.size(); ++s) {
        if (lost_[s] == 0) continue;
        lost_[s] = 0;
        any = true;
        visit(s);
    }
    return any;
}

}  // namespace thixo
