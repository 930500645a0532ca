// Particles that join lattice solids and leave them: what freezes and melts.

#include <algorithm>

#include "core/rotation.h"
#include "lattice/lattice_solids.h"

namespace thixo {

namespace {

/// Fraction of the stiffness that stays when a solid is about to melt. Only springs keep particles of the same body apart, as pressure does with others: softer
/// ones would let them collapse, and burst when they melt.
constexpr float least_softness = 0.05f;

}  // namespace

void LatticeSolids::leave(const Device& device, ParticleTable& particles, View<const Index> rows) {
    if (rows.empty()) return;
    for (const Index row : rows) {
        const std::uint32_t s = particles.lattice_index[row];
        row_[s] = vacant;
        if (breakable_) lost_[s] = 0;
        near_count_[s] = 0;
        particles.lattice_index[row] = no_index;
        particles.rim[row] = 0;
    }
    // No site may keep a number that is given to another particle.
    launch(device, size(),
           [row = View<const Index>(row_), points = points_.count(), lanes = points_.lanes(),
            docked = View(docked_), rates = View(rates_)](Index s) {
               for (Index p = 0; p < points; ++p) {
                   std::uint32_t& other = docked[std::size_t{s} * lanes + p];
                   const bool gone =
                       row[s] == vacant || (other != no_index && row[other & ~failed_draw] == vacant);
                   if (!gone) continue;
                   other = no_index;
                   if (!rates.empty()) rates[std::size_t{s} * points + p] = 0;
               }
           });
    read_particles(device, particles);
    find_constants();
    resize_sites(size());
}

void LatticeSolids::join(const Device& device, ParticleTable& particles, View<const Index> rows,
                         const Neighbours& neighbours) {
    if (rows.empty()) return;
    const std::vector<Index> sites = take_sites(static_cast<Index>(rows.size()));
    for (std::size_t k = 0; k < sites.size(); ++k) particles.lattice_index[rows[k]] = sites[k];
    read_particles(device, particles);
    find_constants();
    resize_sites(size());
    for (const Index s : sites) {
        fresh_[s] = 1;
        softness_[s] = 1;
    }
    any_fresh_ = true;
    give_frames(particles, rows, neighbours);

    for (const Index i : rows) {
        const Index s = particles.lattice_index[i];
        for (const Index j : neighbours.of(i)) {
            const std::uint32_t other = particles.lattice_index[j];
            if (other == no_index) continue;
            const float reach2 =
                std::max(constants_[material_[s]].reach2, constants_[material_[other]].reach2);
            if (!(norm2(particles.position[j] - particles.position[i]) < reach2)) continue;
            touching_[s].push_back(other);
            if (!fresh_[other]) touching_[other].push_back(s);
        }
    }
}

std::vector<Index> LatticeSolids::take_sites(Index count) {
    std::vector<Index> out;
    for (Index s = 0; s < size() && out.size() < count; ++s) {
        if (row_[s] == vacant) out.push_back(s);
    }
    while (out.size() < count) {
        out.push_back(size());
        row_.push_back(vacant);
    }
    return out;
}

/// What freezes takes the rotation of the sites it finds, those next to them first; far from any it starts unturned. It is not
/// deformed: that is left to the first match.
void LatticeSolids::give_frames(const ParticleTable& particles, View<const Index> rows,
                                const Neighbours& neighbours) {
    std::vector<bool> known(size(), true);
    for (const Index i : rows) known[particles.lattice_index[i]] = false;
    const auto h = static_cast<float>(support_);
    std::vector<Index> left(rows.begin(), rows.end());
    while (!left.empty()) {
        std::vector<Index> found, still;
        for (const Index i : left) {
            Quaternion<double> sum{};
            for (const Index j : neighbours.of(i)) {
                const std::uint32_t s = particles.lattice_index[j];
                if (s != no_index && known[s] && norm2(particles.position[j] - particles.position[i]) < h * h)
                    add_aligned(sum, rotation(s));
            }
            const bool any = norm2(sum.v) + sum.w * sum.w > 0;
            set_frame(particles.lattice_index[i], any ? normalized(sum) : Quaternion<double>{{}, 1});
            (any ? found : still).push_back(i);
        }
        if (found.empty()) return;
        for (const Index i : found) known[particles.lattice_index[i]] = true;
        left = std::move(still);
    }
}

Quaternion<double> LatticeSolids::rotation(Index s) const {
    const Quaternion<Lanes>& q = blocks_[s / lane_count].rotation;
    const Index l = s % lane_count;
    return {{q.v.x[l], q.v.y[l], q.v.z[l]}, q.w[l]};
}

void LatticeSolids::set_frame(Index s, const Quaternion<double>& rotation) {
    SiteBlock& block = blocks_[s / lane_count];
    const Index l = s % lane_count;
    set_lane(block.deformation, l, to_float(matrix(rotation)));
    set_lane(block.rotation, l, rotation);
}

void LatticeSolids::soften(const Device& device, View<const float> stiffness) {
    launch(device, size(), [row = View<const Index>(row_), stiffness, out = View(softness_)](Index s) {
        if (row[s] != vacant) out[s] = std::max(stiffness[row[s]], least_softness);
    });
}

}  // namespace thixo
