#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/block_time_steps.h"
#include "unit/core/near.h"

using namespace thixo;

namespace {

/// Rows in a line, each of which sees the next one on both sides.
struct Line {
    explicit Line(Index count) : position(count), support(count, 1.f) {
        for (Index i = 0; i < count; ++i) position[i] = {0.7f * static_cast<float>(i), 0, 0};
        search.set_skin(0);
        const std::vector<Index> order = search.sort(device, position, support);
        REQUIRE(std::is_sorted(order.begin(), order.end()));
        search.build(device, position, support);
    }

    Device device{1};
    std::vector<Vec3f> position;
    std::vector<float> support;
    NeighbourSearch search;
};

std::vector<Index> rows(View<const Index> list) { return {list.begin(), list.end()}; }

}  // namespace

TEST_CASE("steps are the longest powers of two that are no longer than the stable ones") {
    const Line line(3);
    BlockTimeSteps steps;
    steps.begin(3, {0, 0, 0});
    CHECK(rows(steps.active()) == std::vector<Index>{0, 1, 2});
    steps.choose(line.device, std::vector<float>{1.5f, 0.5f, 0.26f}, line.search.view());
    CHECK(steps.length(0) == 1);
    CHECK(steps.length(1) == 0.5);
    CHECK(steps.length(2) == 0.25);
    CHECK(steps.shortest() == 0.25);
    CHECK(steps.longest() == 1);

    const std::vector<float> stable{1, 0.5f, 0.26f};
    std::vector<std::vector<Index>> active;
    double time = 0;
    while (!steps.complete()) {
        time += steps.advance();
        CHECK(steps.elapsed() == time);
        active.push_back(rows(steps.active()));
        if (!steps.complete()) steps.choose(line.device, stable, line.search.view());
    }
    CHECK(active == std::vector<std::vector<Index>>{{2}, {1, 2}, {2}, {0, 1, 2}});
    CHECK(time == 1);
}

TEST_CASE("a step becomes longer only at times that are multiples of its length") {
    const Line line(2);
    BlockTimeSteps steps;
    steps.begin(2, {0, 0});
    steps.choose(line.device, std::vector<float>{1, 0.25f}, line.search.view());
    steps.advance();
    steps.choose(line.device, std::vector<float>{1, 0.5f}, line.search.view());
    CHECK(steps.length(1) == 0.25);  // at 1/4
    steps.advance();
    steps.choose(line.device, std::vector<float>{1, 0.5f}, line.search.view());
    CHECK(steps.length(1) == 0.5);  // at 1/2
}

TEST_CASE("neighbours take steps within a factor of four") {
    const Line line(5);
    BlockTimeSteps steps;
    steps.begin(5, std::vector<std::uint8_t>(5));
    steps.choose(line.device, std::vector<float>{1, 1, 1, 1, 1.f / 256}, line.search.view());
    CHECK(steps.length(4) == 1. / 256);
    CHECK(steps.length(3) == 1. / 64);
    CHECK(steps.length(2) == 1. / 16);
    CHECK(steps.length(1) == 1. / 4);
    CHECK(steps.length(0) == 1);
}

TEST_CASE("rows are activated when something fast arrives: their step ends at the next time that allows it") {
    const Line line(2);
    BlockTimeSteps steps;
    steps.begin(2, {0, 0});
    steps.choose(line.device, std::vector<float>{1, 0.25f}, line.search.view());
    steps.advance();
    CHECK(rows(steps.active()) == std::vector<Index>{1});
    steps.choose(line.device, std::vector<float>{1, 1.f / 32}, line.search.view());
    while (steps.active()[0] == 1) {
        steps.advance();
        if (steps.active()[0] == 1)
            steps.choose(line.device, std::vector<float>{1, 1.f / 32}, line.search.view());
    }
    CHECK(rows(steps.active()) == std::vector<Index>{0, 1});
    CHECK(steps.elapsed() == 0.25 + 0.125);
    CHECK(steps.elapsed(0) == 0.25 + 0.125);
    CHECK(steps.elapsed(1) == 1. / 32);
}

TEST_CASE("synchronised rows take the same steps, and are activated together") {
    const Line line(4);
    BlockTimeSteps steps;
    steps.begin(4, {1, 0, 0, 1});
    CHECK(steps.synchronised_are_active());
    steps.choose(line.device, std::vector<float>{1, 1, 1, 0.5f}, line.search.view());
    CHECK(steps.length(0) == 0.5);
    CHECK(steps.synchronised_length() == 0.5);
    // Row 2 is the neighbour of row 3 alone.
    steps.begin(4, {1, 0, 0, 1});
    steps.choose(line.device, std::vector<float>{1, 1, 0.125f, 1}, line.search.view());
    CHECK(steps.length(3) == 0.5);
    CHECK(steps.length(0) == 0.5);
    steps.advance();
    CHECK_FALSE(steps.synchronised_are_active());
}

TEST_CASE("rows that change places keep their steps") {
    const Line line(3);
    BlockTimeSteps steps;
    steps.begin(3, {0, 0, 1});
    steps.choose(line.device, std::vector<float>{1, 0.5f, 0.25f}, line.search.view());
    steps.advance();
    steps.permute(line.device, std::vector<Index>{2, 0, 1});
    CHECK(rows(steps.active()) == std::vector<Index>{0});
    CHECK(steps.length(0) == 0.25);
    CHECK(steps.length(1) == 1);
    CHECK(steps.length(2) == 0.5);
    CHECK(steps.synchronised()[0] == 1);
    steps.choose(line.device, std::vector<float>{0.25f, 1, 1}, line.search.view());
    steps.advance();
    CHECK(rows(steps.active()) == std::vector<Index>{0, 2});
}

TEST_CASE("blocks are as long as the longest step, or such that the many do not fall short of half of it") {
    const Device device{1};
    std::vector<float> stable(1000, 1.f);
    const std::vector<std::uint8_t> free(1000);
    CHECK(best_block(device, stable, free) == near(1, 1e-6));
    // One who might take longer steps is not worth shorter ones for all others.
    stable[7] = 1.8f;
    CHECK(best_block(device, stable, free) <= 1);
    CHECK(best_block(device, stable, free) > 0.9);
    // Where most take steps a third shorter, all better do.
    for (Index i = 0; i < 900; ++i) stable[i] = 0.67f;
    CHECK(std::fmod(0.67, best_block(device, stable, free) / 2) < 0.06);
}
