#pragma once

#include <vector>

#include "body/matter.h"
#include "elastic/body_merge.h"

namespace thixo {

/// Carries changes of phase over to the bodies: rows that melt leave them, rows that freeze join them, rows
/// that stiffen or soften change between elastic matter and rigid clusters. Bodies are merged, split and
/// numbered by that.
class BodyUpdate {
public:
    BodyUpdate(const Device& device, const std::vector<Material>& materials, Matter& matter)
        : device_(device), materials_(materials), matter_(matter) {}

    void apply(PhaseChanges changes, Moment moment);

private:
    MaySplit melt(PhaseChanges& changes);
    void freeze(PhaseChanges& changes, View<const std::uint32_t> may_split);
    void link_elastic(PhaseChanges& changes);
    void add_rigid_rows(const PhaseChanges& changes, const BodyMerge& merge,
                        std::vector<Index>& joining) const;
    void update_clusters(const PhaseChanges& changes, View<const std::uint32_t> may_split);
    void unlink_rigid(PhaseChanges& changes);
    void renumber(const PhaseChanges& changes, std::vector<std::uint32_t> may_split, Moment moment);
    /// Rows whose material's solids are lattices, or those whose are not.
    std::vector<Index> of_model(const std::vector<Index>& rows, bool lattice) const;

    const Device& device_;
    const std::vector<Material>& materials_;
    Matter& matter_;
};

}  // namespace thixo
