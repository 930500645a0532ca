#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "core/launch.h"
#include "core/select.h"
#include "unit/core/generators.h"

using namespace thixo;

namespace {

constexpr int thread_counts[] = {1, 2, 3, 8};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

TEST_CASE("launch visits every index once, whatever the number of rows and threads") {
    for (const Index n : {0u, 1u, 511u, 512u, 513u, 1024u, 10000u}) {
        for (const int threads : thread_counts) {
            std::vector<int> visits(n + 1, 0);
            launch(Device{threads}, n, [out = View(visits)](Index i) { ++out[i]; });
            CHECK(visits.back() == 0);
            visits.pop_back();
            CHECK(visits == std::vector<int>(n, 1));
        }
    }
}

TEST_CASE("a sum of doubles of all magnitudes has the same bits for any number of threads") {
    CHECK(rc::check([] {
        const auto n = *rc::gen::inRange<Index>(0, 20000);
        Stream random(*rc::gen::arbitrary<std::uint64_t>());
        std::vector<double> values(n);
        for (double& v : values) v = std::ldexp(random.real(-1, 1), static_cast<int>(random.below(120)) - 60);
        const auto value = [&](Index i) { return values[i]; };
        const double one = reduce_sum(Device{1}, n, value);
        for (const int threads : thread_counts)
            RC_ASSERT(same_bits(reduce_sum(Device{threads}, n, value), one));

        // Rounding n additions errs by n·ε·Σ|v| at most.
        long double exact = 0, size = 0;
        for (const double v : values) exact += v, size += std::abs(v);
        RC_ASSERT(std::abs(one - static_cast<double>(exact)) <= 2.3e-16 * n * static_cast<double>(size));
    }));
}

TEST_CASE("reduce joins blocks in order") {
    // Joining texts is associative but not commutative: any wrong order shows.
    const auto letter = [](Index i) { return std::string(1, static_cast<char>('a' + i % 23)); };
    for (const Index n : {0u, 1u, 511u, 512u, 513u, 5000u}) {
        std::string expected = "";
        for (Index i = 0; i < n; ++i) expected += letter(i);
        for (const int threads : thread_counts) {
            CHECK(reduce(Device{threads}, n, std::string(), letter,
                         [](const std::string& a, const std::string& b) { return a + b; }) == expected);
        }
    }
}

TEST_CASE("the largest value is found wherever it is") {
    for (const Index n : {1u, 512u, 513u, 3000u}) {
        for (const Index at : {0u, n / 2, n - 1}) {
            CHECK(reduce_max(Device{3}, n, -5.f, [=](Index i) { return i == at ? 2.f : -1.f; }) == 2);
        }
        CHECK(reduce_max(Device{3}, n, -5.f, [](Index) { return -9.f; }) == -5);
    }
    CHECK(reduce_max(Device{3}, 0, -5.f, [](Index) { return 1.f; }) == -5);
}

TEST_CASE("select finds what is wanted, in order, whatever the number of rows and threads") {
    for (const Index n : {0u, 1u, 511u, 512u, 513u, 1024u, 10000u}) {
        for (const int threads : thread_counts) {
            for (const Index one_of : {1u, 3u, 700u, 20000u}) {
                std::vector<Index> expected;
                for (Index i = one_of - 1; i < n; i += one_of) expected.push_back(i);
                CHECK(select(Device{threads}, n, [=](Index i) { return i % one_of == one_of - 1; }) ==
                      expected);
            }
        }
    }
}
