#include <doctest/doctest.h>

#include <cmath>

#include "unit/sph/clouds.h"

using namespace thixo;

namespace {

/// One kind of cloud after the other, each with few and with many neighbours.
Cloud any_cloud() {
    const auto n = *rc::gen::inRange<Index>(0, 400);
    Stream random(*rc::gen::arbitrary<std::uint64_t>());
    const int kind = *rc::gen::inRange(0, 8);
    const float h = static_cast<float>(any_real(0.05, 0.5));
    const Vec3f at = to_float(any_point(-20, 20));
    Cloud cloud;
    for (Index i = 0; i < n; ++i) {
        const Vec3f spread_out = random.point(-1, 1);
        switch (kind) {
            case 0:  // everywhere, negative coordinates too
                cloud.add(spread_out, h);
                break;
            case 1:  // in clusters
                cloud.add(at * static_cast<float>(i % 3) + 0.2f * spread_out, h);
                break;
            case 2:  // all in one cell
                cloud.add(at + 0.4f * h * spread_out, h);
                break;
            case 3:  // on a line, in any direction
                cloud.add(at * (0.1f * random.real(-1, 1)), h);
                break;
            case 4:  // in the plane z = 0
                cloud.add({spread_out.x, spread_out.y, 0}, h);
                break;
            case 5:  // on the corners of a grid as wide as the support
                cloud.add({h * static_cast<float>(random.below(5)), h * static_cast<float>(random.below(5)),
                           h * static_cast<float>(random.below(5))},
                          h);
                break;
            case 6:  // sizes over a factor of 8
                cloud.add(spread_out, 0.05f * std::exp2(random.real(0, 3)));
                break;
            default:  // sizes over a factor of 64, powers of two among them
                cloud.add(spread_out, 0.01f * std::exp2(static_cast<float>(random.below(7))));
        }
    }
    return cloud;
}

}  // namespace

TEST_CASE("lists hold every pair within reach, nothing beyond the skin, no row twice") {
    CHECK(rc::check([] {
        Cloud cloud = any_cloud();
        NeighbourSearch search;
        build_lists(search, cloud);
        RC_ASSERT(search.size() == cloud.size());
        RC_ASSERT(fault_in_lists(search, cloud) == "");
    }));
}

TEST_CASE("without a skin, lists are exact and for one moment") {
    CHECK(rc::check([] {
        Cloud cloud = any_cloud();
        NeighbourSearch search;
        search.set_skin(0);
        build_lists(search, cloud);
        RC_ASSERT(fault_in_lists(search, cloud, 0) == "");
        RC_ASSERT(!search.is_current({1}, cloud.position, cloud.support));
        search.set_skin(usual_skin);
        build_lists(search, cloud);
        RC_ASSERT(fault_in_lists(search, cloud) == "");
        RC_ASSERT(search.is_current({1}, cloud.position, cloud.support));
    }));
}

TEST_CASE("a search that is used again forgets the former cloud") {
    NeighbourSearch search;
    CHECK(rc::check([&] {
        Cloud cloud = any_cloud();
        build_lists(search, cloud, Device{*rc::gen::element(1, 2)});
        RC_ASSERT(fault_in_lists(search, cloud) == "");
    }));
}

TEST_CASE("nothing, one particle, and many at the same place") {
    for (const Index n : {0u, 1u, 2u, 9u, 600u}) {
        Cloud cloud;
        for (Index i = 0; i < n; ++i) cloud.add({0.3f, -7, 2}, 0.1f);
        NeighbourSearch search;
        build_lists(search, cloud);
        CHECK(fault_in_lists(search, cloud) == "");
        for (Index i = 0; i < n; ++i) CHECK(search.view().count(i) == n - 1);
        CHECK(search.is_current({1}, cloud.position, cloud.support));
    }
}

TEST_CASE("particles that flew far away neither break the grid nor lose neighbours") {
    for (const float far : {1e3f, 1e6f, -1e6f}) {
        Cloud cloud;
        Stream random(3);
        for (int i = 0; i < 500; ++i) cloud.add(random.point(-0.05f, 0.05f), 0.02f);
        cloud.add({far, 0, 0}, 0.02f);
        cloud.add({far, far, far}, 0.02f);
        cloud.add({far, far, far}, 0.001f);
        NeighbourSearch search;
        build_lists(search, cloud);
        CHECK(fault_in_lists(search, cloud) == "");
    }
}

TEST_CASE("points on the borders of cells") {
    // Cells are the grown reach plus a margin of 10⁻⁵ wide, counted from the lowest point.
    const float h = 0.1f, reach = h * 1.1f;
    for (const double width : {double{reach}, reach * (1 + 1e-5), reach * (1 - 1e-7)}) {
        Cloud cloud;
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j)
                for (int k = 0; k < 4; ++k)
                    cloud.add(to_float(Vec3d{i * width - 3, j * width, k * width + 1}), h);
        NeighbourSearch search;
        build_lists(search, cloud);
        CHECK(fault_in_lists(search, cloud) == "");
    }
}

TEST_CASE("lists stay complete until a particle has moved by half the skin") {
    CHECK(rc::check([] {
        Cloud cloud = any_cloud();
        NeighbourSearch search;
        build_lists(search, cloud);
        RC_ASSERT(search.is_current({2}, cloud.position, cloud.support));
        Stream random(*rc::gen::arbitrary<std::uint64_t>());
        const Cloud before = cloud;
        for (Index i = 0; i < cloud.size(); ++i) {
            const Vec3f way = random.point(-1, 1);
            if (norm(way) > 0) cloud.position[i] += way * (0.0489f * cloud.support[i] / norm(way));
        }
        if (search.is_current({1}, cloud.position, cloud.support)) {
            RC_ASSERT(fault_in_lists(search, cloud, 0.2) == "");
        } else {
            // Only coordinates so large that rounding moves a particle by more than that.
            float largest = 0;
            for (const Vec3f& x : before.position) largest = std::max(largest, norm(x));
            RC_ASSERT(largest > 10);
        }
        if (cloud.size() == 0) return;
        cloud = before;
        const Index mover = random.below(cloud.size());
        cloud.position[mover].y += 0.0511f * cloud.support[mover];
        RC_ASSERT(!search.is_current({2}, cloud.position, cloud.support));
    }));
    // Another number of particles is another cloud.
    NeighbourSearch search;
    Cloud cloud;
    cloud.add({0, 0, 0}, 1);
    CHECK_FALSE(search.is_current({1}, cloud.position, cloud.support));
}

TEST_CASE("approaching pairs at the edge of the skin are not lost") {
    // The worst case: two particles of different size just outside the grown reach, moving towards each
    // other.
    for (const float small : {1.f, 0.5f, 0.02f}) {
        Cloud cloud;
        cloud.add({0, 0, 0}, 1);
        cloud.add({1.1001f, 0, 0}, small);
        NeighbourSearch search;
        build_lists(search, cloud);
        for (Index i = 0; i < 2; ++i) {
            CHECK(search.view().count(i) == 0);
            const bool left = cloud.support[i] == 1 && cloud.position[i].x == 0;
            cloud.position[i].x += (left ? 1.f : -1.f) * 0.0488f * cloud.support[i];
        }
        CHECK(search.is_current({1}, cloud.position, cloud.support));
        CHECK(fault_in_lists(search, cloud, 0.2) == "");
    }
}

TEST_CASE("whole lists outlast a filter where they are requested") {
    CHECK(rc::check([] {
        Cloud cloud = any_cloud();
        NeighbourSearch search;
        search.keep_whole(true);
        for (int k = 0; k < 2; ++k) {
            build_lists(search, cloud);
            auto before = all_lists(search);
            search.filter({2}, [](Index i, Index j) { return (i + j) % 3 == 0; });
            search.filter({2}, [](Index i, Index j) { return (i + j) % 2 == 0; });
            for (Index i = 0; i < search.size(); ++i) {
                const View<const Index> whole = search.whole().of(i);
                RC_ASSERT(std::vector<Index>(whole.begin(), whole.end()) == before[i]);
                // The last filter counts alone.
                std::erase_if(before[i], [i](Index j) { return (i + j) % 2 != 0; });
                const View<const Index> kept = search.view().of(i);
                RC_ASSERT(std::vector<Index>(kept.begin(), kept.end()) == before[i]);
            }
        }
    }));
}

TEST_CASE("a filter that is applied again decides only on unsure pairs") {
    CHECK(rc::check([] {
        Cloud cloud = any_cloud();
        NeighbourSearch search;
        search.keep_whole(true);
        build_lists(search, cloud);
        const auto all = all_lists(search);
        const auto first = [](Index i, Index j) { return (i + j) % 3 == 0; };
        const auto then = [](Index i, Index j) { return (i + j) % 2 == 0; };
        const auto unsure = [](Index, Index j, bool was) { return was ? j % 5 == 0 : j % 7 == 0; };
        search.filter({2}, first);
        std::vector<Index> even;
        for (Index i = 0; i < search.size(); i += 2) even.push_back(i);
        search.filter_again({2}, even, then, unsure);
        for (Index i = 0; i < search.size(); ++i) {
            auto expected = all[i];
            std::erase_if(expected, [&](Index j) {
                const bool was = first(i, j);
                return !(i % 2 == 0 && unsure(i, j, was) ? then(i, j) : was);
            });
            const View<const Index> kept = search.view().of(i);
            RC_ASSERT(std::vector<Index>(kept.begin(), kept.end()) == expected);
        }
    }));
}
