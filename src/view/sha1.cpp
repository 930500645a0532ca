#include "view/sha1.h"

#include <array>
#include <bit>
#include <cstdint>

namespace thixo {

std::string sha1(std::string_view bytes) {
    std::string text(bytes);
    text += '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int shift = 56; shift >= 0; shift -= 8)
        text += static_cast<char>(std::uint64_t{bytes.size()} * 8 >> shift & 0xff);

    std::array<std::uint32_t, 5> h{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (std::size_t block = 0; block < text.size(); block += 64) {
        std::array<std::uint32_t, 80> w{};
        for (std::size_t k = 0; k < 64; ++k)
            w[k / 4] = w[k / 4] << 8 | static_cast<unsigned char>(text[block + k]);
        for (std::size_t k = 16; k < 80; ++k)
            w[k] = std::rotl(w[k - 3] ^ w[k - 8] ^ w[k - 14] ^ w[k - 16], 1);
        auto [a, b, c, d, e] = h;
        for (std::size_t k = 0; k < 80; ++k) {
            const std::uint32_t f = k < 20   ? (b & c) | (~b & d)
                                    : k < 40 ? b ^ c ^ d
                                    : k < 60 ? (b & c) | (b & d) | (c & d)
                                             : b ^ c ^ d;
            constexpr std::uint32_t constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
            const std::uint32_t next = std::rotl(a, 5) + f + e + constants[k / 20] + w[k];
            e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
        }
        h = {h[0] + a, h[1] + b, h[2] + c, h[3] + d, h[4] + e};
    }
    std::string out;
    for (const std::uint32_t word : h)
        for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(word >> shift & 0xff);
    return out;
}

}  // namespace thixo
