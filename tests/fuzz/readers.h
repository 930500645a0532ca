#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.h"

namespace thixo {

/// Values at which readers go wrong.
inline std::uint32_t awkward_count(FuzzedDataProvider& draw) {
    constexpr std::uint32_t counts[] = {0,     1,       2,           3,           7,           100,
                                        65535, 1 << 20, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0x55555556u};
    return draw.ConsumeBool() ? draw.ConsumeIntegralInRange<std::uint32_t>(0, 9)
                              : draw.PickValueInArray(counts);
}

inline std::string awkward_number(FuzzedDataProvider& draw) {
    constexpr const char* numbers[] = {"0", "1",   "-1",  "0.5",  "2",    "1e20",  "-1e38", "1e400",
                                       "",  "nan", "inf", "-inf", "0x10", "1e-40", "3",     "4294967296"};
    return draw.PickValueInArray(numbers);
}

inline float awkward_float(FuzzedDataProvider& draw) {
    constexpr float numbers[] = {0, 1, -1, 0.5f, 2, 1e20f, -3e38f, 1e-40f, 3};
    if (draw.ConsumeBool()) return draw.PickValueInArray(numbers);
    return std::bit_cast<float>(draw.ConsumeIntegral<std::uint32_t>());
}

/// Runs `read`. Whatever the input, it is understood or refused with an InputError in one printable line; any
/// other exception, and what the sanitizers see, ends the fuzzing.
template <class Read>
void expect_read_or_refused(const Read& read) {
    try {
        read();
    } catch (const InputError& error) {
        const std::string_view message = error.what();
        if (message.empty() || message.size() > 2000) std::abort();
        for (const char c : message)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) std::abort();
    }
}

/// A PLY file of elements and properties drawn at random.
inline std::string drawn_ply(FuzzedDataProvider& draw) {
    constexpr const char* formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    constexpr const char* elements[] = {"vertex", "face", "\x1b[2J"};
    constexpr const char* types[] = {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"};
    constexpr const char* names[] = {"x",  "y",  "z",  "radius",         "vx",           "vy",
                                     "vz", "id", "nx", "vertex_indices", "vertex_index", "\x1b[2J"};
    const std::size_t format = draw.ConsumeIntegralInRange<std::size_t>(0, 2);
    std::string text = std::string("ply\nformat ") + formats[format] + " 1.0\n";
    if (draw.ConsumeBool()) text += "comment time " + awkward_number(draw) + "\n";
    for (int left = draw.ConsumeIntegralInRange(0, 3); left > 0; --left) {
        text += std::string("element ") + draw.PickValueInArray(elements) + " " +
                std::to_string(awkward_count(draw)) + "\n";
        if (draw.ConsumeBool()) text += "property float x\nproperty float y\nproperty float z\n";
        for (int more = draw.ConsumeIntegralInRange(0, 4); more > 0; --more) {
            text += "property ";
            if (draw.ConsumeBool()) text += std::string("list ") + draw.PickValueInArray(types) + " ";
            text += std::string(draw.PickValueInArray(types)) + " " + draw.PickValueInArray(names) + "\n";
        }
    }
    text += "end_header\n";
    if (format > 0) return text + draw.ConsumeRemainingBytesAsString();
    while (draw.remaining_bytes() > 0) text += awkward_number(draw) + (draw.ConsumeBool() ? " " : "\n");
    return text;
}

}  // namespace thixo
