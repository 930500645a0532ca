#include "elastic/reference.h"

#include <doctest/doctest.h>

#include <map>
#include <numeric>

#include "unit/core/generators.h"

using namespace thixo;

namespace {

/// What the container holds, by definition.
using Links = std::map<std::pair<Index, Index>, Vec3f>;

struct Pair {
    Index a, b;
    Vec3f X;  ///< from a to b
};

void add(ReferenceNeighbourhoods& reference, const std::vector<Pair>& pairs) {
    std::map<Index, std::vector<ReferenceLink>> ends;
    for (const Pair& pair : pairs) {
        ends[pair.a].push_back({pair.b, pair.X});
        ends[pair.b].push_back({pair.a, -pair.X});
    }
    std::vector<Index> slots, count;
    for (const auto& [slot, list] : ends) {
        slots.push_back(slot);
        count.push_back(static_cast<Index>(list.size()));
    }
    NewLinks links;
    links.add({2}, slots, count, [&](Index k, ReferenceLink* out) {
        std::copy_n(ends.at(slots[k]).begin(), count[k], out);
        return count[k];
    });
    reference.add({2}, links);
}

void check_same(const ReferenceNeighbourhoods& reference, const Links& links) {
    const Reference view = reference.view();
    std::size_t count = 0;
    for (Index s = 0; s < view.size(); ++s) {
        for (Index k = 0; k < view.count(s); ++k, ++count) {
            const ReferenceLink link = view.link(s, k);
            const auto known = links.find({s, link.neighbour});
            RC_ASSERT(known != links.end());
            RC_ASSERT(known->second == link.X);
            RC_ASSERT(view.linked(link.neighbour, s));
        }
        view.for_each_block(s, [&](const ReferenceBlock& block) {
            for (Index l = 0; l < lane_count; ++l) {
                RC_ASSERT(block.neighbour[l] < view.size());
                if (block.neighbour[l] == s) RC_ASSERT(block.weight[l] == 0.f && block.x[l] == 0.f);
            }
        });
    }
    RC_ASSERT(count == links.size());
}

}  // namespace

TEST_CASE("links come and go, at both ends") {
    CHECK(rc::check([] {
        const auto slots = static_cast<Index>(*rc::gen::inRange(2, 60));
        Stream random(static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 20)));
        ReferenceNeighbourhoods reference;
        reference.assign(std::vector<Index>(slots, 0), {});
        Links links;
        std::vector<Index> every(slots);
        std::iota(every.begin(), every.end(), 0);
        for (int round = 0; round < 12; ++round) {
            std::vector<Pair> pairs;
            for (Index k = random.below(3 * slots); k > 0; --k) {
                const Index a = random.below(slots), b = random.below(slots);
                if (a == b || links.count({a, b})) continue;
                const Vec3f X = random.point(-1, 1);
                links[{a, b}] = X;
                links[{b, a}] = -X;
                pairs.push_back({a, b, X});
            }
            add(reference, pairs);
            check_same(reference, links);
            for (const Index s : every) {
                reference.weigh(
                    s,
                    [=](const ReferenceBlock& block) {
                        Lanes weight;
                        for (Index l = 0; l < lane_count; ++l)
                            weight[l] = static_cast<float>(std::min(s, block.neighbour[l]) + 1);
                        return weight;
                    },
                    [](const ReferenceBlock&) { return ~LaneMask{}; });
            }
            const Index victim = random.below(7) + 2;
            const auto goes = [=](Index a, Index b) { return (a * b + a + b) % victim == 0; };
            std::size_t gone = std::erase_if(
                links, [&](const auto& link) { return goes(link.first.first, link.first.second); });
            RC_ASSERT(reference.filter({1}, [&](Index s, const ReferenceLink& link) {
                return !goes(s, link.neighbour);
            }) == gone);
            check_same(reference, links);

            const std::vector<Index> leaving{random.below(slots), random.below(slots)};
            reference.detach({2}, leaving, reference.with_neighbours({2}, leaving));
            std::erase_if(links, [&](const auto& link) {
                const auto [a, b] = link.first;
                const auto leaves = [&](Index s) { return s == leaving[0] || s == leaving[1]; };
                return leaves(a) || leaves(b);
            });
            check_same(reference, links);
        }
        // What a checkpoint saves makes the same again.
        ReferenceNeighbourhoods again;
        again.assign(reference.counts(), reference.links());
        check_same(again, links);
    }));
}

TEST_CASE("filtering keeps the weights with their links") {
    ReferenceNeighbourhoods reference;
    reference.assign(std::vector<Index>(20, 0), {});
    std::vector<Pair> pairs;
    for (Index k = 1; k < 20; ++k) pairs.push_back({0, k, {float(k), 0, 0}});
    add(reference, pairs);
    reference.weigh(
        0, [](const ReferenceBlock& block) { return load(block.x); },
        [](const ReferenceBlock&) { return LaneMask{}; });
    reference.filter({1}, [](Index s, const ReferenceLink& link) { return (s + link.neighbour) % 3 != 0; });
    float sum = 0;
    reference.view().for_each_block(0, [&](const ReferenceBlock& block) {
        for (Index l = 0; l < lane_count; ++l) {
            CHECK(block.weight[l] == block.x[l]);
            sum += block.weight[l];
        }
    });
    CHECK(sum == 190 - (3 + 6 + 9 + 12 + 15 + 18));
}

TEST_CASE("indices that are added have no links, and can get some") {
    ReferenceNeighbourhoods reference;
    reference.assign({1, 1}, std::vector<ReferenceLink>{{1, {1, 0, 0}}, {0, {-1, 0, 0}}});
    reference.add_indices(2);
    CHECK(reference.size() == 4);
    CHECK(reference.view().count(3) == 0);
    add(reference, {{3, 0, {0, 1, 0}}});
    CHECK(reference.view().linked(0, 3));
    CHECK(reference.view().linked(3, 0));
    CHECK(reference.view().share_neighbour(1, 3));
    CHECK(!reference.view().share_neighbour(0, 1));
    CHECK(reference.view().link(0, 1) == ReferenceLink{3, {0, -1, 0}});
}

TEST_CASE("memory does not grow without end while links come and go") {
    ReferenceNeighbourhoods reference;
    reference.assign(std::vector<Index>(64, 0), {});
    std::size_t most = 0;
    for (Index round = 0; round < 200; ++round) {
        std::vector<Pair> pairs;
        for (Index k = 0; k < 64; ++k) {
            for (Index l = k + 1; l < 64; ++l) {
                if ((k * 7 + l * 13 + round) % 3 == 0) pairs.push_back({k, l, {1, 0, 0}});
            }
        }
        add(reference, pairs);
        if (round == 10) most = reference.bytes();
        if (round > 10) CHECK(reference.bytes() <= 2 * most);
        reference.filter({1}, [](Index, const ReferenceLink&) { return false; });
    }
}
