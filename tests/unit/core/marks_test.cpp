#include "core/marks.h"

#include <doctest/doctest.h>

#include "core/highest.h"
#include "core/launch.h"

using namespace thixo;

TEST_CASE("marked rows come in ascending order, each once, for any marking thread") {
    const Index n = 1003;
    const Marks marks(n);
    CHECK(marks.rows().empty());
    launch<8>({2}, n, [&marks](Index i) {
        if (i % 7 == 0) marks.set(i);
        marks.set(n - 1);  // by all threads
    });
    std::vector<Index> expected;
    for (Index i = 0; i < n; ++i) {
        if (i % 7 == 0 || i == n - 1) expected.push_back(i);
        CHECK(marks[i] == (i % 7 == 0 || i == n - 1));
    }
    CHECK(marks.rows() == expected);
}

TEST_CASE("the highest number, and that of none") {
    CHECK(highest({}) == 0);
    CHECK(highest(std::vector<std::uint32_t>{3, 0xffffffff, 7}) == 0xffffffff);
}
