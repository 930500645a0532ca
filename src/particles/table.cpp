#include "particles/table.h"

#include <cstring>

#include "core/hash.h"
#include "core/permute.h"

namespace thixo {

void ParticleTable::resize(Index count) {
#define THIXO_FIELD(type, name, unit, initial, meaning) name.resize(count, type(initial));
#include "particles/fields.h"
#undef THIXO_FIELD
}

void ParticleTable::permute(const Device& device, View<const Index> order) {
    RowPermutation permutation(device, order, size());
    for_each_field([&](auto& column, std::string_view, std::string_view) { permutation.add(column); });
    permutation.run();
    if (order.size() < size())
        for_each_field(
            [&](auto& column, std::string_view, std::string_view) { column.resize(order.size()); });
}

std::size_t ParticleTable::bytes() const {
    std::size_t bytes = 0;
    for_each_field(
        [&](const auto& column, std::string_view, std::string_view) { bytes += bytes_of(column); });
    return bytes;
}

std::size_t bytes_per_particle() {
    std::size_t bytes = 0;
    ParticleTable().for_each_field(
        [&](const auto& column, std::string_view, std::string_view) { bytes += sizeof(column[0]); });
    return bytes;
}

std::uint64_t state_hash(const Device& device, const ParticleTable& particles) {
    // Rows are hashed on their own and added up: addition forgets the order of the rows.
    return reduce(
        device, particles.size(), std::uint64_t{0},
        [&](Index i) {
            std::uint64_t hash = 0;
            particles.for_each_field([&](const auto& column, std::string_view, std::string_view) {
                hash = hash_bytes(&column[i], sizeof(column[i]), hash);
            });
            return hash;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

}  // namespace thixo
