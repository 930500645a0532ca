#include "core/permute.h"

#include <doctest/doctest.h>

#include <array>

#include "core/rows_where.h"
#include "unit/core/generators.h"

using namespace thixo;

namespace {

/// Arrays of all kinds of entries, of sizes with a separate loop and without one.
struct Arrays {
    std::vector<std::uint8_t> bytes;
    std::vector<std::array<std::uint8_t, 3>> colours;
    std::vector<std::uint16_t> shorts;
    std::vector<Vec3d> points;
    std::vector<double> none;  // not in use

    explicit Arrays(View<const Index> value) {
        for (const Index v : value) {
            bytes.push_back(static_cast<std::uint8_t>(v));
            colours.push_back({static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v >> 8), 7});
            shorts.push_back(static_cast<std::uint16_t>(v));
            points.push_back({double(v), 0.5, -double(v)});
        }
    }
    template <class Visit>
    void visit_rows(const Visit& visit) {
        visit(bytes);
        visit(colours);
        visit(shorts);
        visit(points);
        visit(none);
    }
    bool operator==(const Arrays&) const = default;
};

}  // namespace

TEST_CASE("arrays of any entries come into an order together, and those that are not in use stay empty") {
    CHECK(rc::check([] {
        const auto n = *rc::gen::element<Index>(0, 1, 511, 512, 5000);
        Stream random(*rc::gen::arbitrary<std::uint64_t>());
        std::vector<Index> numbers(n), order;
        std::iota(numbers.begin(), numbers.end(), 0u);
        order = numbers;
        for (Index k = n; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
        Arrays arrays{View<const Index>(numbers)};
        permute_rows(Device{*rc::gen::element(1, 3)}, order, arrays);
        RC_ASSERT(arrays == Arrays{View<const Index>(order)});
    }));
}

TEST_CASE("entries that are not in the order vanish") {
    std::vector<int> values{5, 6, 7, 8};
    permute(Device{2}, std::vector<Index>{3, 1}, values);
    CHECK(values == std::vector<int>{8, 6});
}

TEST_CASE("rows for which something holds, in ascending order, for any number of threads") {
    CHECK(rc::check([] {
        const auto n = *rc::gen::element<Index>(0, 1, 8192, 8193, 40000);
        const auto begin = *rc::gen::element<Index>(0, 17);
        const auto every = *rc::gen::inRange<Index>(1, 30);
        const auto holds = [=](Index i) { return i * 2654435761u % every == 0; };
        std::vector<Index> expected;
        for (Index i = begin; i < begin + n; ++i)
            if (holds(i)) expected.push_back(i);
        RC_ASSERT(rows_where(Device{*rc::gen::element(1, 3)}, begin, begin + n, holds) == expected);
    }));
}
