#include "lattice/lattice_sites.h"

#include <algorithm>

#include "core/eight.h"
#include "core/rotation.h"

namespace thixo {

namespace {

/// Fraction of the stiffness that stays when a solid is about to melt. Only springs keep particles of the
/// same body apart, as pressure does with others: softer ones would let them collapse, and burst when they
/// melt.
constexpr float least_softness = 0.05f;

}  // namespace

void LatticeSites::read(const Device& device, const ParticleTable& particles,
                        const std::vector<Material>& materials) {
    id.resize(size());
    material.resize(size());
    mass.resize(size());
    volume.resize(size());
    find_rows(device, particles);
    lightest.assign(materials.size(), std::numeric_limits<double>::infinity());
    for (Index s = 0; s < size(); ++s) {
        const Index i = row[s];
        // Where no particle is, any finite numbers will do.
        id[s] = material[s] = 0;
        mass[s] = 1;
        volume[s] = 0;
        if (i == vacant) continue;
        id[s] = particles.id[i];
        material[s] = particles.material[i];
        mass[s] = particles.mass[i];
        volume[s] = static_cast<float>(mass[s] / materials[material[s]].density);
        lightest[material[s]] = std::min(lightest[material[s]], double{mass[s]});
    }
}

void LatticeSites::find_rows(const Device& device, const ParticleTable& particles) {
    launch(device, particles.size(),
           [site = View<const std::uint32_t>(particles.lattice_index), rows = View(row)](Index i) {
               if (site[i] != no_index) rows[site[i]] = i;
           });
}

void LatticeSites::resize_frames() {
    SiteBlock unturned{};
    for (Index l = 0; l < lane_count; ++l) set_lane(unturned.deformation, l, identity<float>());
    unturned.rotation.w = spread<Lanes>(1.f);
    blocks.resize(whole_blocks(size()) / lane_count, unturned);
    softness.resize(size(), 1.f);
}

std::vector<Index> LatticeSites::take(Index count) {
    std::vector<Index> out;
    for (Index s = 0; s < size() && out.size() < count; ++s) {
        if (row[s] == vacant) out.push_back(s);
    }
    while (out.size() < count) {
        out.push_back(size());
        row.push_back(vacant);
    }
    return out;
}

void LatticeSites::give_frames(const ParticleTable& particles, View<const Index> rows,
                               const Neighbours& neighbours, float reach) {
    std::vector<bool> known(size(), true);
    for (const Index i : rows) known[particles.lattice_index[i]] = false;
    std::vector<Index> left(rows.begin(), rows.end());
    while (!left.empty()) {
        std::vector<Index> found, still;
        for (const Index i : left) {
            Quaternion<double> sum{};
            for (const Index j : neighbours.of(i)) {
                const std::uint32_t s = particles.lattice_index[j];
                if (s != no_index && known[s] &&
                    norm2(particles.position[j] - particles.position[i]) < reach * reach)
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

Quaternion<double> LatticeSites::rotation(Index s) const {
    const Quaternion<Lanes>& q = blocks[s / lane_count].rotation;
    const Index l = s % lane_count;
    return {{q.v.x[l], q.v.y[l], q.v.z[l]}, q.w[l]};
}

void LatticeSites::set_frame(Index s, const Quaternion<double>& turn) {
    SiteBlock& block = blocks[s / lane_count];
    const Index l = s % lane_count;
    set_lane(block.deformation, l, to_float(matrix(turn)));
    set_lane(block.rotation, l, turn);
}

void LatticeSites::soften(const Device& device, View<const float> stiffness) {
    launch(device, size(), [rows = View<const Index>(row), stiffness, out = View(softness)](Index s) {
        if (rows[s] != vacant) out[s] = std::max(stiffness[rows[s]], least_softness);
    });
}

void LatticeSites::pack(const Device& device, const ParticleTable& particles, std::vector<Packed4>& to_x,
                        std::vector<Packed4>& to_v) const {
    launch(device, size(),
           [rows = View<const Index>(row), x = View<const Vec3f>(particles.position),
            v = View<const Vec3f>(particles.velocity), volumes = View<const float>(volume),
            x_out = View(to_x), v_out = View(to_v)](Index s) {
               if (rows[s] == vacant) return;
               const Vec3f &x_here = x[rows[s]], &v_here = v[rows[s]];
               x_out[s] = {x_here.x, x_here.y, x_here.z, volumes[s]};
               v_out[s] = {v_here.x, v_here.y, v_here.z, 0};
           });
}

}  // namespace thixo
