#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/raw_array.h"
#include "sph/cell_grid.h"

namespace thixo {

namespace {

constexpr unsigned digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

/// Keys that a thread takes at a time: the order does not depend on it, for the sort is stable. Enough blocks
/// for all threads, but each with more keys than its counts have digits.
std::size_t block_size_for(std::size_t keys, int threads) {
    constexpr std::size_t least = 2 * digits, most = std::size_t{1} << 16;
    return std::clamp(keys / (2 * static_cast<std::size_t>(threads)), least, most);
}

using Histogram = std::array<Index, digits>;

/// From how many keys of each digit each block holds to where each block's first key of that digit goes.
void counts_to_places(std::vector<Histogram>& blocks) {
    Histogram place{};
    for (const Histogram& block : blocks)
        for (std::size_t digit = 0; digit < digits; ++digit) place[digit] += block[digit];
    Index before = 0;
    for (Index& first : place) before += std::exchange(first, before);
    for (Histogram& block : blocks)
        for (std::size_t digit = 0; digit < digits; ++digit)
            place[digit] += std::exchange(block[digit], place[digit]);
}

}  // namespace

void radix_sort(const Device& device, View<std::uint64_t> keys, View<Index> values, unsigned bits) {
    const std::size_t n = keys.size(), block_size = block_size_for(n, device.threads);
    const auto block_count = static_cast<std::int64_t>((n + block_size - 1) / block_size);
    RawArray<std::uint64_t> other_keys(n);
    RawArray<Index> other_values(n);
    std::vector<Histogram> places(static_cast<std::size_t>(block_count));
    View<std::uint64_t> from_keys = keys, to_keys = other_keys;
    View<Index> from_values = values, to_values = other_values;

    const auto for_each_key_block = [&](const auto& visit) {
#pragma omp parallel for schedule(static) num_threads(device.threads) if (block_count > 1)
        for (std::int64_t b = 0; b < block_count; ++b) {
            const std::size_t begin = static_cast<std::size_t>(b) * block_size;
            visit(places[static_cast<std::size_t>(b)], begin, std::min(n, begin + block_size));
        }
    };
    for (unsigned shift = 0; shift < bits; shift += digit_bits) {
        const auto digit = [shift](std::uint64_t key) { return (key >> shift) & (digits - 1); };
        for_each_key_block([&](Histogram& block, std::size_t begin, std::size_t end) {
            block.fill(0);
            for (std::size_t i = begin; i < end; ++i) ++block[digit(from_keys[i])];
        });
        counts_to_places(places);
        for_each_key_block([&](Histogram& block, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Index place = block[digit(from_keys[i])]++;
                to_keys[place] = from_keys[i];
                to_values[place] = from_values[i];
            }
        });
        std::swap(from_keys, to_keys);
        std::swap(from_values, to_values);
    }
    if (from_keys.data() == keys.data()) return;
    for_each_key_block([&](Histogram&, std::size_t begin, std::size_t end) {
        std::copy(&from_keys[begin], from_keys.data() + end, &keys[begin]);
        std::copy(&from_values[begin], from_values.data() + end, &values[begin]);
    });
}

}  // namespace thixo
