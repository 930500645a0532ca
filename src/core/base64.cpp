#include "core/base64.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace thixo {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

using Pair = std::array<char, 2>;

/// Twelve bits at a time: two characters per look-up.
const std::array<Pair, 4096>& pairs() {
    static const std::array<Pair, 4096> table = [] {
        std::array<Pair, 4096> built{};
        for (std::size_t i = 0; i < built.size(); ++i) built[i] = {alphabet[i >> 6], alphabet[i & 63]};
        return built;
    }();
    return table;
}

constexpr std::array<std::int8_t, 256> decoded = [] {
    std::array<std::int8_t, 256> built{};
    built.fill(-1);
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        built[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
    return built;
}();

std::uint32_t byte_at(std::string_view bytes, std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
    const auto& table = pairs();
    std::string text((bytes.size() + 2) / 3 * 4, '=');
    char* out = text.data();
    for (std::size_t i = 0; i < bytes.size(); i += 3, out += 4) {
        const std::uint32_t word =
            byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
        std::memcpy(out, table[word >> 12].data(), 2);
        std::memcpy(out + 2, table[word & 0xfff].data(), 2);
    }
    const std::size_t missing = (3 - bytes.size() % 3) % 3;
    for (std::size_t i = 0; i < missing; ++i) text[text.size() - 1 - i] = '=';
    return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
    text = trimmed(text);
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && !text.empty() && text.back() == '=') {
        text.remove_suffix(1);
        ++padding;
    }
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t word = 0;
    std::size_t characters = 0;
    for (const char c : text) {
        const std::int8_t value = decoded[static_cast<unsigned char>(c)];
        if (value < 0) return std::nullopt;
        word = word << 6 | static_cast<std::uint32_t>(value);
        if (++characters % 4 != 0) continue;
        bytes += {static_cast<char>(word >> 16), static_cast<char>(word >> 8), static_cast<char>(word)};
    }
    if (padding == 1) bytes += {static_cast<char>(word >> 10), static_cast<char>(word >> 2)};
    if (padding == 2) bytes += static_cast<char>(word >> 4);
    return bytes;
}

}  // namespace thixo
