#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/launch.h"
#include "core/mat3.h"
#include "core/prefetch.h"
#include "core/simd.h"
#include "core/vec.h"
#include "core/view.h"

namespace thixo {

/// A reference neighbour of an index.
struct ReferenceLink {
    Index neighbour;
    Vec3f X;  ///< from the index to the neighbour while neither was deformed, Xⱼ − Xᵢ

    friend bool operator==(const ReferenceLink&, const ReferenceLink&) = default;
};

/// Links that some indices get, at both ends.
class NewLinks {
public:
    /// For each of these indices up to most[k] links: find(k, list) writes them, and returns how many there
    /// are.
    template <class Find>
    void add(const Device& device, View<const Index> indices, View<const Index> most, const Find& find) {
        Part part{{indices.begin(), indices.end()}, std::vector<Index>(indices.size()), {0}, {}};
        for (const Index count : most) part.begin.push_back(part.begin.back() + count);
        part.links = std::make_unique_for_overwrite<ReferenceLink[]>(part.begin.back());
        launch<small_grain>(device, static_cast<Index>(indices.size()),
                            [&](Index k) { part.count[k] = find(k, part.links.get() + part.begin[k]); });
        parts_.push_back(std::move(part));
    }

    struct Part {
        std::vector<Index> index, count;
        std::vector<std::size_t> begin;
        std::unique_ptr<ReferenceLink[]> links;

        View<const ReferenceLink> of(std::size_t k) const { return {links.get() + begin[k], count[k]}; }
    };
    View<const Part> parts() const { return parts_; }

private:
    std::vector<Part> parts_;
};

/// One end of a link that is no more.
struct CutLink {
    Index index, neighbour;
};

/// Vectors and weights of eight links, each component side by side for SIMD lanes. Unused entries are zero.
struct alignas(64) LinkVectors {
    float x[lane_count], y[lane_count], z[lane_count];  ///< Xⱼ − Xᵢ
    float weight[lane_count];                           ///< of the pair in the sums of its model, ≥ 0
};

/// Eight reference neighbours as a pass sees them. Unused entries name the index whose list it is, and weigh
/// nothing.
struct ReferenceBlock {
    ReferenceBlock(const Index* neighbours, const LinkVectors& v)
        : neighbour(neighbours), x(v.x), y(v.y), z(v.z), weight(v.weight) {}

    const Index* neighbour;
    const float *x, *y, *z;
    const float* weight;

    Vec3<Lanes> X() const { return {load(x), load(y), load(z)}; }
    Lanes w() const { return load(weight); }
};

/// Weights of eight links in sums that are weighed otherwise.
struct alignas(32) SecondWeights {
    float weight[lane_count];

    Lanes w() const { return load(weight); }
};

/// What a pass sees of the reference neighbourhoods.
class Reference {
public:
    Reference() = default;
    Reference(View<const Index> begin, View<const Index> count, View<const Index> linked,
              View<const LinkVectors> vectors, View<const SecondWeights> second_weights)
        : begin_(begin), count_(count), linked_(linked), vectors_(vectors), second_weights_(second_weights) {}

    Index size() const { return static_cast<Index>(count_.size()); }
    Index count(Index s) const { return count_[s]; }

    template <class Visit>
    void for_each_block(Index s, const Visit& visit) const {
        const Index* neighbour = neighbours(s);
        const LinkVectors* vectors = vectors_.data() + begin_[s];
        for (Index k = 0; k < count_[s]; k += lane_count) visit(ReferenceBlock(neighbour + k, *vectors++));
    }

    /// For indices[k] and those after it, whose links are read one after the other.
    void prefetch_after(View<const Index> indices, std::size_t k) const {
        if (k + prefetch_ahead >= indices.size()) return;
        const Index s = indices[k + prefetch_ahead];
        prefetch_linked(s);
        prefetch(vectors_.data() + begin_[s],
                 (count_[s] + lane_count - 1) / lane_count * sizeof(LinkVectors));
    }
    /// Only the neighbours will be read.
    void prefetch_linked(Index s) const { prefetch(neighbours(s), count_[s] * sizeof(Index)); }

    template <class Visit>
    void for_each_neighbour(Index s, const Visit& visit) const {
        const Index* neighbour = neighbours(s);
        std::for_each(neighbour, neighbour + count_[s], visit);
    }

    template <class Predicate>
    bool any_neighbour(Index s, const Predicate& holds) const {
        const Index* neighbour = neighbours(s);
        return std::any_of(neighbour, neighbour + count_[s], holds);
    }

    /// Calls visit(block, its second weights).
    template <class Visit>
    void for_each_block_twice(Index s, const Visit& visit) const {
        const SecondWeights* second = second_weights_.data() + begin_[s];
        for_each_block(s, [&](const ReferenceBlock& block) { visit(block, (second++)->w()); });
    }

    ReferenceLink link(Index s, Index k) const {
        const LinkVectors& v = vectors_[begin_[s] + k / lane_count];
        const Index l = k % lane_count;
        return {neighbours(s)[k], {v.x[l], v.y[l], v.z[l]}};
    }

    /// Whether b is a reference neighbour of a. Eight at a time are sooner compared than a sorted list is
    /// halved.
    bool linked(Index a, Index b) const {
        LaneMask found{};
        const Index* neighbour = neighbours(a);
        for (Index k = 0; k < count_[a]; k += lane_count)
            found |= load(neighbour + k) == static_cast<std::int32_t>(b);
        return bits(found) != 0 && a != b;
    }

    /// The same: both ends list it, and the shorter list is searched.
    bool linked_at_either(Index a, Index b) const {
        return count_[a] < count_[b] ? linked(a, b) : linked(b, a);
    }

    /// Whether a and b, which are not linked, have a reference neighbour in common. Slots are numbered along
    /// the lattice, so it is mostly among the first of those towards b.
    bool share_neighbour(Index a, Index b) const {
        const Index *first = neighbours(a), *last = first + count_[a];
        const auto is_common = [&](Index k) { return linked(b, k); };
        return b < a ? std::any_of(first, last, is_common)
                     : std::any_of(std::make_reverse_iterator(last), std::make_reverse_iterator(first),
                                   is_common);
    }

private:
    const Index* neighbours(Index s) const { return linked_.data() + std::size_t{begin_[s]} * lane_count; }

    View<const Index> begin_, count_;  ///< first block; entries
    View<const Index> linked_;         ///< eight in a block
    View<const LinkVectors> vectors_;
    View<const SecondWeights> second_weights_;
};

/// The reference neighbours of every index with their distance vectors, stored locally [SSP07, fig. 3]: no
/// rest shape of the whole exists. Links are mutual and their vectors opposite, Xᵢⱼ = −Xⱼᵢ, to the bit. Lists
/// are in the order in which they grew.
///
/// Links come and go: a list fills whole blocks and may have some to spare; one that outgrows its blocks
/// moves behind the others, and when too much of the whole is unused, all lists are brought together again,
/// in the order of their indices. Blocks behind the last link of a list may hold anything: they are cleaned
/// when it grows into them.
class ReferenceNeighbourhoods {
public:
    /// Lists of `count[s]` links for each index s, one after the other, sorted. Weights are zero.
    void assign(std::vector<Index> count, View<const ReferenceLink> links);

    /// Adds indices without links behind the last.
    void add_indices(Index count);

    /// Adds links between indices that are not linked yet; their weights are zero.
    void add(const Device& device, const NewLinks& links);

    /// Drops all links of these indices, in the lists at their other ends too: `around` are the indices and
    /// those other ends.
    void detach(const Device& device, View<const Index> indices, View<const Index> around);

    /// Turns the vectors of all links of these indices, which are linked among themselves only; their weights
    /// are zero then.
    void turn(View<const Index> indices, const Mat3d& rotation);

    /// Keeps the links for which keep(s, link) holds; it must say the same from both ends. Returns how many
    /// went.
    template <class Keep>
    std::uint64_t filter(const Device& device, const Keep& keep) {
        return static_cast<std::uint64_t>(reduce_sum(device, size(), [&](Index s) {
            return static_cast<double>(filter_list(s, [&](Index k) { return keep(s, view().link(s, k)); }));
        }));
    }

    /// Drops the links whose lanes overloaded(s, block) sets, which must be those of both their ends. Returns
    /// both ends of each link that went, by index. Second weights of indices that lost links are no longer
    /// right.
    template <class Overloaded>
    std::vector<CutLink> cut(const Device& device, const Overloaded& overloaded) {
        // Each link is tested once from each end, and the answer kept in its weight: a second test, elsewhere
        // in the program, it might be rounded another way.
        const bool any_cut = reduce_max(device, size(), 0, [&](Index s) {
            int found = 0;
            for (Index k = 0; k < count_[s]; k += lane_count) {
                const LaneMask mask = overloaded(s, block(s, k));
                if (all(~mask)) continue;
                found = 1;
                float* weight = vectors(s, k).weight;
                for (Index l = 0; l < lane_count; ++l) weight[l] = mask[l] ? cut_mark : weight[l];
            }
            return found;
        });
        return any_cut ? remove_marked() : std::vector<CutLink>();
    }

    /// Sets the weights of those links of an index, eight at a time to weight(block), that have none yet, and
    /// of those that have another one now: where stale(block) says so.
    template <class Weight, class Stale>
    void weigh(Index s, const Weight& weight, const Stale& stale) {
        for (Index k = 0; k < count_[s]; k += lane_count) {
            const ReferenceBlock here = block(s, k);
            const Lanes before = here.w();
            const LaneMask there = load(here.neighbour) != static_cast<std::int32_t>(s),
                           outdated = there & ((before == 0.f) | stale(here));
            if (bits(outdated) == 0) continue;
            const Lanes now = outdated ? weight(here) : before;
            __builtin_memcpy(vectors(s, k).weight, &now, sizeof now);
        }
    }

    /// Gives every link a second weight as well, and sets those of these indices.
    template <class Weight>
    void weigh_twice(const Device& device, View<const Index> indices, const Weight& weight) {
        second_weights_.resize(vectors_.size());
        launch(device, static_cast<Index>(indices.size()), [this, indices, weight](Index i) {
            const Index s = indices[i];
            for (Index k = 0; k < room_[s]; ++k) second_weights_[begin_[s] + k] = {};
            for (Index k = 0; k < count_[s]; ++k)
                second_weights_[begin_[s] + k / lane_count].weight[k % lane_count] =
                    weight(s, view().link(s, k));
        });
    }

    /// These indices and their reference neighbours, sorted.
    std::vector<Index> with_neighbours(const Device& device, View<const Index> indices) const;

    Reference view() const { return {begin_, count_, linked_, vectors_, second_weights_}; }
    Index size() const { return static_cast<Index>(count_.size()); }

    /// For checkpoints: what `assign` takes.
    const std::vector<Index>& counts() const { return count_; }
    std::vector<ReferenceLink> links() const;

    std::size_t bytes() const;

private:
    LinkVectors& vectors(Index s, Index k) { return vectors_[begin_[s] + k / lane_count]; }
    Index& neighbour(Index s, Index k) { return linked_[std::size_t{begin_[s]} * lane_count + k]; }
    /// That begins with the k-th link.
    ReferenceBlock block(Index s, Index k) { return {&neighbour(s, k), vectors(s, k)}; }
    static constexpr float cut_mark = -1;  ///< in place of a weight

    /// Keeps the k-th links of an index for which keep(k) holds; returns how many went.
    template <class Keep>
    Index filter_list(Index s, const Keep& keep) {
        const Index before = count_[s];
        MovingLinks moving;
        count_[s] = 0;
        for (Index k = 0; k < before; k += lane_count) {
            unsigned lanes = 0;
            for (Index l = 0; l < lane_count && k + l < before; ++l) lanes |= (keep(k + l) ? 1u : 0u) << l;
            if (lanes == all_lanes && count_[s] == k && moving.count == 0) {
                count_[s] += lane_count;
            } else if (lanes != 0) {
                moving.take(block(s, k), lanes);
                if (moving.count >= lane_count) put(s, moving);
            }
        }
        if (moving.count > 0) put(s, moving);
        return before - count_[s];
    }
    static constexpr unsigned all_lanes = (1u << lane_count) - 1;

    /// Links on their way to the front of their list.
    struct MovingLinks {
        static constexpr Index columns = 5;
        Index bits[columns][2 * lane_count];  ///< neighbour, x, y, z and weight
        Index count = 0;

        void take(const ReferenceBlock& block, unsigned lanes);
    };
    /// Puts the first eight of them behind the last link of an index; or all, if they are fewer.
    void put(Index s, MovingLinks& moving);

    std::vector<CutLink> remove_marked();
    void move_entry(Index s, Index from, Index to);
    void clear_entry(Index s, Index k);
    void append(Index s, const ReferenceLink& link);
    /// For indices[k] and those after it, whose links other threads may change meanwhile: they are not
    /// counted.
    void prefetch_after(View<const Index> indices, std::size_t k);
    void set_vector(Index s, Index k, const Vec3f& X);
    void make_room(Index s, Index links);
    void compact();

    std::vector<Index> begin_, count_;
    std::vector<Index> room_;  ///< blocks of each list
    /// Neighbours, eight in a block: apart from the vectors, so that a search for neighbours alone finds them
    /// in the caches.
    std::vector<Index> linked_;
    std::vector<LinkVectors> vectors_;
    std::vector<SecondWeights> second_weights_;
    Index unused_ = 0;  ///< blocks that belong to no list
};

}  // namespace thixo
