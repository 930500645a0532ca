#pragma once

#include <cstdint>

#include "render/sampling.h"

namespace thixo {

/// Random numbers of one path: Sobol points with nested uniform (Owen) scrambling, hashed after [Burley 2020,
/// "Practical hash-based Owen scrambling"]. Each pair of numbers is a (0,2)-sequence over the samples of a
/// pixel; pairs are shuffled against each other. They depend on pixel, sample and dimension alone, not on
/// threads.
class PathSampler {
public:
    PathSampler(int x, int y, int sample)
        : seed_(hashed(static_cast<std::uint32_t>(x) * 0x9e3779b9u ^ hashed(static_cast<std::uint32_t>(y)))),
          sample_(static_cast<std::uint32_t>(sample)) {}

    Unit2 next2() {
        const std::uint32_t seed = hashed(seed_ + 0x9e3779b9u * ++dimension_);
        const std::uint32_t index = scrambled(sample_, seed);
        return {to_unit(scrambled(reversed(index), hashed(seed ^ 0x51u))),
                to_unit(scrambled(second_sobol(index), hashed(seed ^ 0xa3u)))};
    }
    float next() { return next2().u; }

private:
    static constexpr std::uint32_t hashed(std::uint32_t x) {
        x ^= x >> 16, x *= 0x21f0aaadu, x ^= x >> 15, x *= 0xd35a2d97u;
        return x ^ (x >> 15);
    }
    static constexpr std::uint32_t reversed(std::uint32_t x) {
        x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
        x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
        x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
        return __builtin_bswap32(x);
    }
    /// Laine–Karras permutation in base 2, from the highest bit on.
    static constexpr std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
        x = reversed(x) + seed;
        x ^= x * 0x6c50b47cu, x ^= x * 0xb82f1e52u, x ^= x * 0xc7afe638u, x ^= x * 0x8d22f6e6u;
        return reversed(x);
    }
    /// The second dimension of Sobol's sequence: direction numbers v ⊕ v/2.
    static constexpr std::uint32_t second_sobol(std::uint32_t index) {
        std::uint32_t out = 0;
        for (std::uint32_t v = 1u << 31; index != 0; index >>= 1, v ^= v >> 1)
            if (index & 1) out ^= v;
        return out;
    }
    static constexpr float to_unit(std::uint32_t x) { return static_cast<float>(x >> 8) * 0x1p-24f; }

    std::uint32_t seed_, sample_, dimension_ = 0;
};

}  // namespace thixo
