#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "particles/table.h"
#include "unit/core/generators.h"

using namespace thixo;

namespace {

/// Different bytes in every field of every row.
ParticleTable any_table(Index count, std::uint64_t seed) {
    ParticleTable particles;
    particles.resize(count);
    Stream random(seed);
    particles.for_each_field([&](auto& column, std::string_view, std::string_view) {
        for (auto& value : column) {
            unsigned char bytes[sizeof value];
            for (auto& byte : bytes) byte = static_cast<unsigned char>(random.below(256));
            std::memcpy(&value, bytes, sizeof value);
        }
    });
    for (Index i = 0; i < count; ++i) particles.id[i] = i;
    return particles;
}

std::vector<Index> any_order(Index count, std::uint64_t seed) {
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), 0u);
    Stream random(seed);
    for (Index k = count; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
    return order;
}

}  // namespace

TEST_CASE("new rows hold the fields' initial values, old ones keep theirs") {
    ParticleTable particles;
    CHECK(particles.size() == 0);
    particles.resize(2);
    CHECK(particles.temperature[1] == 20);
    CHECK(particles.phase[1] == Phase::liquid);
    CHECK(particles.position[1] == Vec3f{});
    particles.mass[1] = 7;
    particles.resize(5);
    CHECK(particles.size() == 5);
    CHECK(particles.mass[1] == 7);
    CHECK(particles.mass[4] == 0);
    particles.for_each_field(
        [](const auto& column, std::string_view, std::string_view) { CHECK(column.size() == 5); });
    particles.resize(1);
    CHECK(particles.mass.size() == 1);
}

TEST_CASE("fields are visited by name, in the order they are declared") {
    std::string names;
    std::size_t bytes = 0;
    std::as_const(*std::make_unique<ParticleTable>())
        .for_each_field([&](const auto& column, std::string_view name, std::string_view) {
            names += std::string(name) + ' ';
            bytes += sizeof(column[0]);
        });
    CHECK(names.starts_with(
        "id position position_low velocity mass radius density pressure temperature phase "));
    CHECK(bytes_per_particle() == bytes);
}

TEST_CASE("permuting brings every field of a row along, for any number of threads") {
    CHECK(rc::check([] {
        const auto count = *rc::gen::inRange<Index>(0, 1200);
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const ParticleTable before = any_table(count, seed);
        const std::vector<Index> order = any_order(count, seed + 1);
        ParticleTable after = before;
        after.permute(Device{*rc::gen::element(1, 2, 3, 8)}, order);
        RC_ASSERT(after.id == order);  // ids were row numbers
        for (Index i = 0; i < count; ++i) {
            const auto same = [&](const auto& a, const auto& b) {
                RC_ASSERT(std::memcmp(&a[i], &b[order[i]], sizeof(a[i])) == 0);
            };
            same(after.position, before.position);
            same(after.velocity, before.velocity);
            same(after.mass, before.mass);
            same(after.radius, before.radius);
            same(after.density, before.density);
            same(after.pressure, before.pressure);
            same(after.temperature, before.temperature);
            same(after.phase, before.phase);
            same(after.material, before.material);
            same(after.object, before.object);
            same(after.body, before.body);
        }
    }));
}

TEST_CASE("the state hash does not see the order of rows or the number of threads") {
    CHECK(rc::check([] {
        const auto count = *rc::gen::inRange<Index>(0, 1200);
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        ParticleTable particles = any_table(count, seed);
        const std::uint64_t hash = state_hash(Device{1}, particles);
        RC_ASSERT(state_hash(Device{*rc::gen::element(2, 3, 8)}, particles) == hash);
        particles.permute(Device{1}, any_order(count, seed + 1));
        RC_ASSERT(state_hash(Device{1}, particles) == hash);
    }));
}

TEST_CASE("the state hash sees every bit of every field") {
    ParticleTable particles = any_table(40, 5);
    const std::uint64_t hash = state_hash(Device{1}, particles);
    particles.for_each_field([&](auto& column, std::string_view name, std::string_view) {
        for (const Index row : {0u, 17u, 39u}) {
            for (std::size_t bit = 0; bit < 8 * sizeof(column[0]); ++bit) {
                auto* bytes = reinterpret_cast<unsigned char*>(&column[row]);
                bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ (1 << bit % 8));
                CHECK_MESSAGE(state_hash(Device{1}, particles) != hash, name);
                bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ (1 << bit % 8));
            }
        }
    });
    // Values that change places between rows are another state.
    std::swap(particles.velocity[3], particles.velocity[4]);
    CHECK(state_hash(Device{1}, particles) != hash);
}
