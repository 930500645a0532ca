#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <set>
#include <string>

#include "core/hash.h"
#include "core/time_step.h"
#include "unit/core/generators.h"

using namespace thixo;

TEST_CASE("mix is the first output of splitmix64") {
    CHECK(mix(0) == 0xe220a8397b1dcdafu);
    CHECK(mix(1234567) == 6457827717110365317u);
}

TEST_CASE("every flipped bit of the data changes about half of the hash") {
    double flipped = 0;
    int draws = 0;
    for (std::size_t size : {1u, 4u, 7u, 8u, 9u, 16u, 61u}) {
        std::string data(size, 'x');
        const std::uint64_t hash = hash_bytes(data.data(), size);
        for (std::size_t bit = 0; bit < 8 * size; ++bit, ++draws) {
            data[bit / 8] = static_cast<char>(data[bit / 8] ^ (1 << bit % 8));
            const std::uint64_t other = hash_bytes(data.data(), size);
            CHECK(other != hash);
            flipped += std::popcount(hash ^ other);
            data[bit / 8] = static_cast<char>(data[bit / 8] ^ (1 << bit % 8));
        }
    }
    CHECK(std::abs(flipped / draws - 32) < 5 * std::sqrt(16.0 / draws));
}

TEST_CASE("length, order and seed matter") {
    const std::string zeros(100, '\0');
    std::set<std::uint64_t> lengths, seeds;
    for (std::size_t size = 0; size <= 100; ++size) lengths.insert(hash_bytes(zeros.data(), size));
    for (std::uint64_t seed = 0; seed <= 100; ++seed) seeds.insert(hash_bytes(zeros.data(), 8, seed));
    CHECK(lengths.size() == 101);
    CHECK(seeds.size() == 101);
    CHECK(hash_bytes("abcdefgh12345678", 16) != hash_bytes("12345678abcdefgh", 16));
}

TEST_CASE("equal bytes have equal hashes at any address") {
    CHECK(rc::check([](const std::string& text, std::uint64_t seed) {
        const std::string shifted = "xyz" + text;
        RC_ASSERT(hash_bytes(text.data(), text.size(), seed) ==
                  hash_bytes(shifted.data() + 3, text.size(), seed));
    }));
}

TEST_CASE("the stricter time step limit wins and keeps its name") {
    TimeStepLimit limit;
    CHECK(std::isinf(limit.seconds));
    limit.tighten(2, [] { return std::string("two"); });
    limit.tighten(3, [] { return std::string("three"); });
    CHECK(limit.name == "two");
    limit.tighten(1, [] { return std::string("one"); });
    CHECK(limit.seconds == 1);
    CHECK(limit.name == "one");
    // What has no limit (infinite or undefined) never wins.
    limit.tighten(std::nan(""), [] { return std::string("nothing"); });
    CHECK(limit.name == "one");
}
