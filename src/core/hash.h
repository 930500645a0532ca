#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thixo {

/// Finaliser of splitmix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Chainable hash of raw bytes, eight at a time.
inline std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 0) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::uint64_t hash = mix(seed ^ size);
    for (; size >= 8; bytes += 8, size -= 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes, 8);
        hash = mix(hash ^ word);
    }
    if (size > 0) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, size);
        hash = mix(hash ^ word);
    }
    return hash;
}

}  // namespace thixo
