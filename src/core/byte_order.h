#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

namespace thixo {

// Numbers in memory go into little-endian files as they are.
static_assert(std::endian::native == std::endian::little,
              "readers and writers assume a little-endian machine");

/// A value from unaligned bytes, reversed first where the file's byte order is the other one.
template <class T>
T load(const char* bytes, bool reversed) {
    std::array<char, sizeof(T)> copy;
    std::memcpy(copy.data(), bytes, sizeof(T));
    if (reversed) std::reverse(copy.begin(), copy.end());
    return std::bit_cast<T>(copy);
}

template <class T>
void store_big_endian(char* bytes, T value) {
    auto copy = std::bit_cast<std::array<char, sizeof(T)>>(value);
    std::reverse_copy(copy.begin(), copy.end(), bytes);
}

template <class T>
void append_big_endian(std::string& bytes, T value) {
    bytes.resize(bytes.size() + sizeof(T));
    store_big_endian(bytes.data() + bytes.size() - sizeof(T), value);
}

}  // namespace thixo
