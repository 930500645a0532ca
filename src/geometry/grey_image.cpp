#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>

#include "core/byte_order.h"
#include "core/error.h"
#include "core/input_file.h"
#include "geometry/height_surface.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb/stb_image.h>

namespace thixo {

namespace {

constexpr int most_pixels_across = 16384;

void check_size(int width, int height) {
    if (width < 1 || height < 1 || width > most_pixels_across || height > most_pixels_across)
        throw InputError(
            fmt::format("has {} × {} pixels; allowed: 1 to {} each way", width, height, most_pixels_across));
}

GreyImage parse_png(const std::string& bytes) {
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(bytes.size());
    int width = 0, height = 0, channels = 0;
    if (!stbi_info_from_memory(data, size, &width, &height, &channels))
        throw InputError(fmt::format("is neither PNG nor PGM: {}", stbi_failure_reason()));
    check_size(width, height);
    const std::unique_ptr<stbi_us, void (*)(void*)> pixels(
        stbi_load_16_from_memory(data, size, &width, &height, &channels, 1), &stbi_image_free);
    if (!pixels) throw InputError(fmt::format("is damaged: {}", stbi_failure_reason()));
    GreyImage image{width, height, {}};
    const std::size_t count = static_cast<std::size_t>(width) * height;
    image.pixels.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        image.pixels.push_back(static_cast<float>(pixels.get()[i]) / 65535);
    return image;
}

/// `P5 WIDTH HEIGHT WHITE`, one character of white space, then rows of one or two bytes a pixel, the higher
/// one first. (stb_image takes the bytes in the wrong order, and files that are cut short.)
GreyImage parse_pgm(const std::string& bytes) {
    std::size_t at = 2;
    const auto next = [&](std::string_view what, int most) {
        for (; at < bytes.size(); ++at) {
            if (bytes[at] == '#') at = std::min(bytes.find('\n', at), bytes.size() - 1);
            if (std::string_view(" \t\r\n").find(bytes[at]) == std::string_view::npos) break;
        }
        int value = 0;
        const auto [stop, error] = std::from_chars(bytes.data() + at, bytes.data() + bytes.size(), value);
        if (error != std::errc{} || value < 1 || value > most)
            throw InputError(fmt::format("byte {}: expected the {}, 1 to {}", at, what, most));
        at = static_cast<std::size_t>(stop - bytes.data());
        return value;
    };
    const int width = next("width", most_pixels_across), height = next("height", most_pixels_across);
    const int white = next("brightness of white", 65535);
    const std::size_t size = white > 255 ? 2 : 1, count = static_cast<std::size_t>(width) * height;
    ++at;
    if (at > bytes.size() || (bytes.size() - at) / size < count)
        throw InputError(fmt::format("is cut short: {} × {} pixels take {} bytes, the file has {}", width,
                                     height, at + count * size, bytes.size()));
    GreyImage image{width, height, {}};
    image.pixels.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const char* pixel = bytes.data() + at + i * size;
        const int value =
            size == 2 ? int{load<std::uint16_t>(pixel, true)} : int{load<std::uint8_t>(pixel, false)};
        if (value > white)
            throw InputError(fmt::format("byte {}: a pixel is brighter than white", at + i * size));
        image.pixels.push_back(static_cast<float>(value) / static_cast<float>(white));
    }
    return image;
}

}  // namespace

GreyImage load_grey_image(const std::filesystem::path& file) {
    try {
        const std::string bytes = read_whole(file);
        if (bytes.empty()) throw InputError("is empty");
        if (bytes.size() > 1u << 30) throw InputError("is larger than 1 GiB");
        return bytes.starts_with("P5") ? parse_pgm(bytes) : parse_png(bytes);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
}

}  // namespace thixo
