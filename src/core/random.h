#pragma once

#include <array>
#include <cstdint>

namespace thixo {

/// Purpose of a random number: draws for different purposes use different streams.
enum class Purpose : std::uint32_t {
    sampling = 1,
    test = 2,
    docking = 3,
    phase_change = 4,
    splitting = 5,
    jitter = 6
};

/// Philox 4x32-10 (Salmon et al. 2011): four random words from a counter and a key, without any state.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                              std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return counter;
}

/// Random words keyed by (seed, particle id, step, purpose): independent of thread and order. For
/// more than four words use further quartets, up to 65,536 of them.
constexpr std::array<std::uint32_t, 4> random_words(std::uint64_t seed, std::uint32_t id, std::uint64_t step,
                                                    Purpose purpose, std::uint32_t quartet = 0) {
    return philox({id, static_cast<std::uint32_t>(purpose) | quartet << 16, static_cast<std::uint32_t>(step),
                   static_cast<std::uint32_t>(step >> 32)},
                  {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

/// Uniform in [0, 1), 24 bits.
constexpr float to_unit(std::uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

}  // namespace thixo
