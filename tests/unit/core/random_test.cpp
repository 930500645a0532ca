#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "core/random.h"

using namespace thixo;

namespace {

using Words = std::array<std::uint32_t, 4>;

/// Five standard deviations above the mean of a χ² distribution: all draws below are fixed, so this passes or
/// fails for good, and fails by chance for less than one generator in 10⁴.
double chi_square_bound(double degrees) { return degrees + 5 * std::sqrt(2 * degrees); }

double chi_square(const std::vector<int>& counts) {
    double total = 0, sum = 0;
    for (const int count : counts) total += count;
    const double expected = total / static_cast<double>(counts.size());
    for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
    return sum;
}

/// χ² of the pairs (a(k), b(k)), sixteen classes each way.
template <class A, class B>
double pair_chi_square(const A& a, const B& b) {
    std::vector<int> counts(256);
    for (std::uint32_t k = 0; k < 100000; ++k) ++counts[(a(k) >> 28) * 16 + (b(k) >> 28)];
    return chi_square(counts);
}

}  // namespace

TEST_CASE("Philox 4x32-10 gives the known answers of Random123") {
    CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    constexpr std::uint32_t ones = 0xffffffff;
    CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
          Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("every part of the key matters") {
    std::set<Words> seen;
    for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32}) {
        for (const std::uint32_t id : {0u, 1u, 0x80000000u}) {
            for (const std::uint64_t step : {0ull, 1ull, 1ull << 32}) {
                for (const Purpose purpose : {Purpose::sampling, Purpose::test})
                    seen.insert(random_words(seed, id, step, purpose));
            }
        }
    }
    CHECK(seen.size() == 3 * 3 * 3 * 2);
}

TEST_CASE("one flipped bit of the key flips half of the result") {
    double flipped = 0;
    int draws = 0;
    const auto distance = [](const Words& a, const Words& b) {
        int bits = 0;
        for (int w = 0; w < 4; ++w) bits += std::popcount(a[w] ^ b[w]);
        return bits;
    };
    for (std::uint32_t id = 0; id < 100; ++id) {
        const Words words = random_words(7, id, 3, Purpose::test);
        for (int bit = 0; bit < 32; ++bit, draws += 2) {
            flipped += distance(words, random_words(7, id ^ (1u << bit), 3, Purpose::test));
            flipped += distance(words, random_words(7, id, 3 ^ (1ull << bit), Purpose::test));
        }
    }
    // 128 fair bits a draw: mean 64, variance 32.
    CHECK(std::abs(flipped / draws - 64) < 5 * std::sqrt(32.0 / draws));
}

TEST_CASE("random numbers are uniform over ids, steps and seeds") {
    const auto uniform = [](const auto& draw) {
        for (int w = 0; w < 4; ++w) {
            std::vector<int> high(64), low(64);
            for (std::uint32_t k = 0; k < 64000; ++k) {
                const std::uint32_t word = draw(k)[w];
                ++high[word >> 26];
                ++low[(word >> 8) & 63];
            }
            CHECK(chi_square(high) < chi_square_bound(63));
            CHECK(chi_square(low) < chi_square_bound(63));
        }
    };
    uniform([](std::uint32_t k) { return random_words(1, k, 0, Purpose::sampling); });
    uniform([](std::uint32_t k) { return random_words(1, 5, k, Purpose::sampling); });
    uniform([](std::uint32_t k) { return random_words(k, 5, 9, Purpose::sampling); });
}

TEST_CASE("neighbouring ids, steps, purposes, seeds and words are independent") {
    const auto draw = [](std::uint64_t seed, std::uint32_t id, std::uint64_t step, Purpose purpose) {
        return random_words(seed, id, step, purpose);
    };
    const auto first = [&](std::uint32_t k) { return draw(1, k, 4, Purpose::test)[0]; };
    const double bound = chi_square_bound(255);
    CHECK(pair_chi_square(first, [&](auto k) { return draw(1, k + 1, 4, Purpose::test)[0]; }) < bound);
    CHECK(pair_chi_square(first, [&](auto k) { return draw(1, k, 5, Purpose::test)[0]; }) < bound);
    CHECK(pair_chi_square(first, [&](auto k) { return draw(1, k, 4, Purpose::sampling)[0]; }) < bound);
    CHECK(pair_chi_square(first, [&](auto k) { return draw(2, k, 4, Purpose::test)[0]; }) < bound);
    CHECK(pair_chi_square(first, [&](auto k) { return draw(1, k, 4, Purpose::test)[1]; }) < bound);
    // The measure itself sees dependence.
    CHECK(pair_chi_square(first, first) > bound);
}

TEST_CASE("unit numbers lie in [0, 1)") {
    CHECK(to_unit(0) == 0);
    CHECK(to_unit(0xffffffff) < 1);
    CHECK(to_unit(0xffffffff) == 1 - 0x1p-24f);
    CHECK(to_unit(0x80000000) == 0.5f);
}
