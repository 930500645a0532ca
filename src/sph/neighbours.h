#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/launch.h"
#include "core/raw_array.h"
#include "core/state.h"
#include "core/view.h"
#include "sph/cell_grid.h"
#include "sph/neighbour_lists.h"

namespace thixo {

static_assert(rows_per_block == launch_grain);

/// Lists that last for some steps of a slow flow, and are a third longer than without a skin.
inline constexpr float usual_skin = 0.1f;

/// Neighbour lists with a skin. i and j are neighbours when |xᵢ−xⱼ| < max(Hᵢ, Hⱼ); lists are built for
/// supports grown by the skin and stay complete until a particle has moved by half the skin.
class NeighbourSearch {
public:
    /// The skin that the next lists are built with, in support radii; 0: for the positions as they are.
    void set_skin(float skin) { skin_ = skin; }
    /// That of the lists there are; saved in checkpoints.
    float skin() const { return skin_; }

    /// Whether the lists still hold every pair for these positions.
    bool is_current(const Device& device, View<const Vec3f> position, View<const float> support) const;

    /// The order of rows that `build` needs.
    std::vector<Index> sort(const Device& device, View<const Vec3f> position, View<const float> support);

    /// Builds the lists for rows that were brought into the order `sort` returned.
    void build(const Device& device, View<const Vec3f> position, View<const float> support);

    /// Whether the lists as they were built are kept beside the filtered ones, for `whole`; costs their
    /// memory once more.
    void keep_whole(bool keep) { keep_whole_ = keep; }

    /// Drops the neighbours j of i for which keep(i, j) does not hold; the others stay in order. Where the
    /// whole lists are kept, it begins with those: may be called again when others are to be dropped.
    template <class Keep>
    void filter(const Device& device, const Keep& keep) {
        if (keep_whole_ && whole_count_.empty()) save_whole();
        launch(device, size(), [this, keep](Index i) { filter_row(i, keep); });
    }

    /// The same again for some rows, where for the others nothing has changed. The whole lists must be kept.
    template <class Keep>
    void filter(const Device& device, View<const Index> rows, const Keep& keep) {
        launch<small_grain>(device, static_cast<Index>(rows.size()),
                            [this, rows, keep, all = whole()](Index k) {
                                all.prefetch_after(rows, k);
                                filter_row(rows[k], keep);
                            });
    }

    /// What was decided stays, unless unsure(i, j, whether j was kept) holds.
    template <class Keep, class Unsure>
    void filter_again(const Device& device, View<const Index> rows, const Keep& keep, const Unsure& unsure) {
        launch<small_grain>(device, static_cast<Index>(rows.size()),
                            [this, rows, keep, unsure, all = whole()](Index k) {
                                all.prefetch_after(rows, k);
                                filter_row_again(rows[k], keep, unsure);
                            });
    }

    Neighbours view() const { return {block_data_.data(), begin_, count_}; }

    /// All pairs, those that were filtered out too.
    Neighbours whole() const {
        return whole_count_.empty() ? view() : Neighbours{whole_data_.data(), begin_, whole_count_};
    }

    /// Positions the lists were built from; saved in checkpoints, because the lists' order follows from them.
    const std::vector<Vec3f>& built_positions() const { return built_positions_; }
    template <class Self, class Visitor>
    static void list_state(Self& self, Visitor& visit) {
        visit("skin", self.skin_, StateOrder::listed);
        visit("built_positions", self.built_positions_, StateOrder::by_row);
    }
    Index size() const { return static_cast<Index>(count_.size()); }
    std::size_t bytes() const;
    std::size_t builds() const { return builds_; }

private:
    RawArray<float> reaches(const Device& device, View<const float> support) const;
    void save_whole();

    template <class Keep>
    void filter_row(Index i, const Keep& keep) {
        Index* list = blocks_[i / rows_per_block].data() + begin_[i];
        const View<const Index> all = whole().of(i);
        Index kept = 0;
        for (const Index j : all) {
            list[kept] = j;
            kept += keep(i, j) ? 1 : 0;
        }
        for (Index k = kept; k < all.size(); ++k) list[k] = size();
        count_[i] = kept;
    }

    template <class Keep, class Unsure>
    void filter_row_again(Index i, const Keep& keep, const Unsure& unsure) {
        Index before[256];
        if (count_[i] > std::size(before)) return filter_row(i, keep);
        const Index* list = blocks_[i / rows_per_block].data() + begin_[i];
        const Index *next = before, *end = std::copy_n(list, count_[i], before);
        filter_row(i, [&](Index, Index j) {
            const bool was = next != end && *next == j;
            next += was ? 1 : 0;
            return unsure(i, j, was) ? keep(i, j) : was;
        });
    }

    float skin_ = usual_skin;
    CellGrid grid_;
    std::vector<std::vector<Index>> blocks_;
    std::vector<const Index*> block_data_;
    std::vector<Index> begin_, count_;
    bool keep_whole_ = false;
    std::vector<std::vector<Index>> whole_blocks_;
    std::vector<const Index*> whole_data_;
    std::vector<Index> whole_count_;  ///< empty unless lists were filtered since they were built
    std::vector<Vec3f> built_positions_;
    std::size_t builds_ = 0;
};

}  // namespace thixo
