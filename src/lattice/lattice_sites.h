#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/launch.h"
#include "lattice/site.h"
#include "particles/material.h"
#include "particles/table.h"
#include "sph/neighbours.h"

namespace thixo {

/// The particles of lattice solids by their lattice index, and the frames of their lattices. A site belongs
/// to a particle as long as that is part of such a solid.
struct LatticeSites {
    static constexpr Index vacant = std::numeric_limits<Index>::max();

    std::vector<Index> row;  ///< or `vacant`
    std::vector<std::uint32_t> id;
    std::vector<std::uint16_t> material;
    std::vector<float> mass, volume;  ///< kg; V⁰, m³
    std::vector<float> softness;      ///< fraction of the material's stiffness
    std::vector<SiteBlock> blocks;    ///< part of the state
    std::vector<double> lightest;     ///< particle of each material, kg; none: infinite

    Index size() const { return static_cast<Index>(row.size()); }

    /// Reads what does not change while a particle has its site.
    void read(const Device& device, const ParticleTable& particles, const std::vector<Material>& materials);
    /// To be called when rows were sorted.
    void find_rows(const Device& device, const ParticleTable& particles);
    /// Makes room for frames of all sites; new ones are unturned.
    void resize_frames();

    /// So many sites without a particle, new ones where there are too few.
    std::vector<Index> take(Index count);

    Quaternion<double> rotation(Index s) const;
    void set_frame(Index s, const Quaternion<double>& rotation);
    /// What freezes takes the rotation of the sites within `reach` (m), those next to them first; far from
    /// any it starts unturned. It is not deformed: that is left to the first match.
    void give_frames(const ParticleTable& particles, View<const Index> rows, const Neighbours& neighbours,
                     float reach);

    /// Sets the stiffness of each row, as a fraction of that of its material.
    void soften(const Device& device, View<const float> stiffness);

    /// Records (x, V⁰) and (v, ·) of the sites' particles.
    void pack(const Device& device, const ParticleTable& particles, std::vector<Packed4>& x,
              std::vector<Packed4>& v) const;

    std::size_t bytes() const { return bytes_of(row, id, material, mass, volume, softness, blocks); }
};

}  // namespace thixo
