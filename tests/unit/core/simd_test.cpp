#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/eight.h"
#include "core/simd.h"
#include "unit/core/generators.h"

using namespace thixo;

namespace {

Lanes any_lanes(double low, double high) {
    Lanes a;
    for (Index l = 0; l < lane_count; ++l) a[l] = static_cast<float>(any_real(low, high));
    return a;
}

}  // namespace

TEST_CASE("lane functions agree with the scalar ones") {
    CHECK(rc::check([] {
        const Lanes a = any_lanes(-3, 3), b = any_lanes(-3, 3);
        const Lanes root = square_root(a * a);
        const Lanes high = larger(a, b), low = smaller(a, b), same = spread<Lanes>(a[3]);
        for (Index l = 0; l < lane_count; ++l) {
            RC_ASSERT(root[l] == std::abs(a[l]));
            RC_ASSERT(high[l] == std::max(a[l], b[l]));
            RC_ASSERT(low[l] == std::min(a[l], b[l]));
            RC_ASSERT(same[l] == a[3]);
            RC_ASSERT(square_root(std::abs(a[l])) == std::sqrt(std::abs(a[l])));
            RC_ASSERT(larger(a[l], b[l]) == high[l]);
            RC_ASSERT(smaller(a[l], b[l]) == low[l]);
        }
    }));
    CHECK(square_root(2.0) == std::sqrt(2.0));
    CHECK(spread<double>(0.25f) == 0.25);
}

TEST_CASE("sines and cosines of lanes are as precise as floats are, where they are small too") {
    CHECK(rc::check([] {
        const Lanes a = any_lanes(-1.5707963, 1.5707963), s = sine(a), c = cosine(a);
        for (Index l = 0; l < lane_count; ++l) {
            const double sine = std::sin(double{a[l]}), cosine = std::cos(double{a[l]});
            RC_ASSERT(std::abs(double{s[l]} - sine) <= 3e-7 * std::abs(sine));
            RC_ASSERT(std::abs(double{c[l]} - cosine) <= 3e-7 * std::abs(cosine));
        }
    }));
}

TEST_CASE("square roots of lanes are rounded like scalar ones") {
    CHECK(rc::check([] {
        const Lanes a = any_lanes(0, 1e6), root = square_root(a);
        for (Index l = 0; l < lane_count; ++l) RC_ASSERT(root[l] == std::sqrt(a[l]));
    }));
}

TEST_CASE("the sum of the lanes counts every lane once") {
    // Powers of two add up exactly in any order.
    Lanes powers;
    for (Index l = 0; l < lane_count; ++l) powers[l] = static_cast<float>(1u << l);
    CHECK(sum(powers) == 255);
    const Vec3<Lanes> v{powers, powers * 2.f, powers * 4.f};
    CHECK(sum(v) == Vec3f{255, 510, 1020});
    CHECK(rc::check([] {
        const Lanes a = any_lanes(-1, 1);
        double exact = 0;
        for (Index l = 0; l < lane_count; ++l) exact += a[l];
        RC_ASSERT(std::abs(sum(a) - exact) < 7 * 6e-8 * 8);
    }));
}

TEST_CASE("gather brings each component of each row to its lane") {
    CHECK(rc::check([] {
        std::vector<Packed4> records(100);
        std::vector<float> values(100);
        for (Index i = 0; i < 100; ++i) {
            const auto f = static_cast<float>(i);
            records[i] = {f, f + 1000, f + 2000, f + 3000};
            values[i] = -f;
        }
        Index rows[lane_count];
        for (Index& row : rows) row = *rc::gen::inRange<Index>(0, 100);
        const PackedLanes out = gather(records.data(), rows);
        const Lanes single = gather(values.data(), rows);
        for (Index l = 0; l < lane_count; ++l) {
            const Packed4& r = records[rows[l]];
            RC_ASSERT(out.xyz.x[l] == r.x);
            RC_ASSERT(out.xyz.y[l] == r.y);
            RC_ASSERT(out.xyz.z[l] == r.z);
            RC_ASSERT(out.w[l] == r.w);
            RC_ASSERT(single[l] == -r.x);
        }
    }));
}

TEST_CASE("load takes eight values from any address") {
    float values[11];
    for (int i = 0; i < 11; ++i) values[i] = static_cast<float>(i);
    for (int first = 0; first < 3; ++first) {
        const Lanes a = load(values + first);
        for (int l = 0; l < 8; ++l) CHECK(a[l] == static_cast<float>(first + l));
    }
}

TEST_CASE("append_rows keeps the set lanes in order") {
    for (unsigned bits = 0; bits < 256; ++bits) {
        LaneMask mask;
        std::vector<Index> expected;
        for (Index l = 0; l < lane_count; ++l) {
            mask[l] = bits >> l & 1 ? -1 : 0;
            if (mask[l]) expected.push_back(1000 + l);
        }
        Index out[lane_count];
        const unsigned count = append_rows(out, mask, 1000);
        CHECK(std::vector<Index>(out, out + count) == expected);
    }
}

TEST_CASE("bits, whole numbers and chosen rows of lanes") {
    CHECK(rc::check([] {
        const Lanes a = any_lanes(-9, 9);
        const LaneMask mask = a > 0, rows{3, 1, 4, 1, 5, 9, 2, 6};
        const Lanes whole = nearest_whole(a);
        Index chosen[2 * lane_count];
        const unsigned count = append_rows(chosen, mask, rows);
        unsigned next = 0;
        for (Index l = 0; l < lane_count; ++l) {
            RC_ASSERT((bits(mask) >> l & 1) == (a[l] > 0));
            RC_ASSERT(whole[l] == std::nearbyint(a[l]));
            if (a[l] > 0) RC_ASSERT(chosen[next++] == static_cast<Index>(rows[l]));
        }
        RC_ASSERT(next == count);
    }));
}

TEST_CASE("sums of eight have each its lane") {
    EightSums<Vec3<Lanes>> sums;
    for (Index l = 0; l < 5; ++l) {
        Vec3<Lanes> a{};
        for (Index k = 0; k < lane_count; ++k) a.x[k] = a.z[k] = static_cast<float>(l * k);
        sums.set(l, a);
    }
    const Vec3<Lanes> total = sums.sums();
    for (Index l = 0; l < lane_count; ++l) {
        CHECK(total.x[l] == (l < 5 ? 28.f * static_cast<float>(l) : 0));
        CHECK(total.y[l] == 0);
        CHECK(total.z[l] == total.x[l]);
    }
}
