#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "unit/sph/clouds.h"

using namespace thixo;

namespace {

Cloud mixed_cloud(Index n, std::uint64_t seed, unsigned octaves) {
    Cloud cloud;
    Stream random(seed);
    for (Index i = 0; i < n; ++i)
        cloud.add(random.point(-1, 1), 0.2f * std::exp2(-static_cast<float>(random.below(octaves + 1))));
    return cloud;
}

}  // namespace

TEST_CASE("order of rows and lists are the same for any number of threads") {
    for (const unsigned octaves : {0u, 3u}) {
        const Cloud cloud = mixed_cloud(6000, 11 + octaves, octaves);
        Cloud first = cloud;
        NeighbourSearch reference;
        build_lists(reference, first, Device{1});
        const auto lists = all_lists(reference);
        for (const int threads : {2, 3, 8}) {
            Cloud other = cloud;
            NeighbourSearch search;
            build_lists(search, other, Device{threads});
            CHECK(other.position == first.position);
            CHECK(all_lists(search) == lists);
        }
    }
}

TEST_CASE("rows in order stay in order") {
    CHECK(rc::check([] {
        Cloud cloud = mixed_cloud(*rc::gen::inRange<Index>(0, 1500), *rc::gen::arbitrary<std::uint64_t>(),
                                  *rc::gen::inRange<unsigned>(0, 4));
        NeighbourSearch search;
        std::vector<Index> order = search.sort(Device{2}, cloud.position, cloud.support);
        cloud.permute(order);
        std::sort(order.begin(), order.end());
        std::vector<Index> identity(cloud.size());
        std::iota(identity.begin(), identity.end(), 0u);
        RC_ASSERT(order == identity);
        RC_ASSERT(search.sort(Device{2}, cloud.position, cloud.support) == identity);
    }));
}

TEST_CASE("radix sort is a stable sort") {
    CHECK(rc::check([] {
        // More than one block of 2^15 keys now and then; few bits make many equal keys.
        const auto n = *rc::gen::element<Index>(0, 1, 100, 5000, 70000);
        const auto bits = *rc::gen::inRange(1u, 64u);
        Stream random(*rc::gen::arbitrary<std::uint64_t>());
        std::vector<std::uint64_t> keys(n);
        for (std::uint64_t& key : keys) {
            key = (std::uint64_t{random.below(0x7fffffff)} << 33 ^ std::uint64_t{random.below(0x7fffffff)}
                                                                       << 7) >>
                  (64 - bits);
        }
        std::vector<Index> values(n), expected(n);
        std::iota(values.begin(), values.end(), 0u);
        expected = values;
        std::stable_sort(expected.begin(), expected.end(),
                         [&](Index a, Index b) { return keys[a] < keys[b]; });
        std::vector<std::uint64_t> sorted = keys;
        radix_sort(Device{*rc::gen::element(1, 2, 3)}, sorted, values, bits);
        RC_ASSERT(values == expected);
        RC_ASSERT(std::is_sorted(sorted.begin(), sorted.end()));
    }));
}

TEST_CASE("every particle lies in a cell of its size level") {
    Cloud cloud = mixed_cloud(3000, 5, 6);
    CellGrid grid;
    cloud.permute(grid.sort(Device{2}, cloud.position, cloud.support));
    CHECK(grid.levels().size() == 7);
    Index row = 0;
    for (const GridLevel& level : grid.levels()) {
        CHECK(level.begin == row);
        CHECK(level.cell_size >= level.reach);
        CHECK(level.cells.back().first == level.end);
        for (std::size_t c = 0; c + 1 < level.cells.size(); ++c) {
            CHECK(level.cells[c].key < level.cells[c + 1].key);
            CHECK(level.cells[c].first < level.cells[c + 1].first);
            for (; row < level.cells[c + 1].first; ++row) {
                CHECK(level.key(level.coordinates(cloud.position[row])) == level.cells[c].key);
                CHECK(cloud.support[row] <= level.reach * (1 + 1e-6));
                CHECK(cloud.support[row] > 0.5 * level.reach * (1 - 1e-6));
            }
        }
        CHECK(row == level.end);
    }
    CHECK(row == cloud.size());
}

TEST_CASE("cells keep inside their grid") {
    // A particle at the far side of the box must not wrap into the next row of cells.
    CHECK(rc::check([] {
        // An extent of a whole number of cells, to the last bit of a double.
        const float reach = static_cast<float>(any_real(0.01, 1));
        const double extent = *rc::gen::inRange(1, 1000) * (double{reach} * (1 + 1e-5));
        const auto far = static_cast<float>(extent);
        const auto near = static_cast<float>(far - extent);
        Cloud cloud;
        cloud.add({near, near, near}, reach);
        cloud.add({far, far, far}, reach);
        CellGrid grid;
        cloud.permute(grid.sort(Device{1}, cloud.position, cloud.support));
        const GridLevel& level = grid.levels().front();
        for (const Vec3f& x : cloud.position) {
            const GridLevel::Coordinates c = level.coordinates(x);
            RC_ASSERT(c.x >= 0);
            RC_ASSERT(static_cast<std::uint64_t>(c.x) < level.nx);
            RC_ASSERT(static_cast<std::uint64_t>(c.y) < level.ny);
            RC_ASSERT(static_cast<std::uint64_t>(c.z) < level.nz);
        }
    }));
    // One that went wrong: the multiple of the cell's size rounds up, the quotient down.
    Cloud cloud;
    const float reach = 0.36621803f;
    cloud.add({1.11261243e-05f, 0, 0}, reach);
    cloud.add({299.935577f, 0, 0}, reach);
    cloud.add({299.9f, 0, 0}, reach);
    cloud.add({299.935577f, 0.2f, 0}, reach);
    CellGrid grid;
    grid.sort(Device{1}, cloud.position, cloud.support);
    const GridLevel& level = grid.levels().front();
    CHECK(static_cast<std::uint64_t>(level.coordinates({299.935577f, 0, 0}).x) < level.nx);
}

TEST_CASE("mixed sizes cost as much as their neighbours") {
    // Fine particles packed at a third of their support, a few coarse ones among them: every cell of the grid
    // holds a bounded number of rows, however many particles there are, so candidates stay in proportion to
    // neighbours. (One grid of the coarsest size would hold 24³ fine particles in a cell.)
    for (const int n : {16, 24, 32}) {
        Cloud cloud;
        const float fine = 0.01f, spacing = fine / 3;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < n; ++k)
                    cloud.add(
                        spacing * Vec3f{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)},
                        fine);
        const float side = spacing * static_cast<float>(n);
        for (int i = 0; i < 8; ++i)
            cloud.add(side * Vec3f{static_cast<float>(i & 1), static_cast<float>(i >> 1 & 1),
                                   static_cast<float>(i >> 2)},
                      8 * fine);
        CellGrid grid;
        grid.sort(Device{2}, cloud.position, cloud.support);
        CHECK(grid.levels().size() == 4);
        Index fullest = 0;
        for (const GridLevel& level : grid.levels())
            for (std::size_t c = 0; c + 1 < level.cells.size(); ++c)
                fullest = std::max(fullest, level.cells[c + 1].first - level.cells[c].first);
        CHECK(fullest <= 4 * 4 * 4);
    }
}
