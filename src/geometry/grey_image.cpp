#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <string>

#include "core/byte_order.h"
#include "core/error.h"
#include "core/input_file.h"
#include "geometry/colour_image.h"
#include "geometry/height_surface.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb/stb_image.h>

namespace thixo {

namespace {

constexpr std::int64_t most_pixels_across = 16384, most_pixels = 100'000'000;

/// 100 million pixels are decoded into 0.8 GB at most, and into less than stb_image can count.
void check_size(std::int64_t width, std::int64_t height) {
    if (width < 1 || height < 1 || width > most_pixels_across || height > most_pixels_across ||
        width * height > most_pixels)
        throw InputError(
            fmt::format("has {} × {} pixels; allowed: 1 to {} each way, {} million in all; make it smaller",
                        width, height, most_pixels_across, most_pixels / 1'000'000));
}

/// The size that the header of a PNG file claims: stb_image has no words for one that is too large.
void check_png_header(const std::string& bytes) {
    constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
    constexpr std::size_t size_begin = 16;  // behind the signature, and length and name of the first chunk
    if (!bytes.starts_with(signature) || bytes.size() < size_begin + 8) return;
    check_size(load<std::uint32_t>(bytes.data() + size_begin, true),
               load<std::uint32_t>(bytes.data() + size_begin + 4, true));
}

GreyImage parse_png(const std::string& bytes) {
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(bytes.size());
    int width = 0, height = 0, channels = 0;
    check_png_header(bytes);
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
    const auto next = [&](std::string_view what, std::int64_t most, std::int64_t readable) {
        for (; at < bytes.size(); ++at) {
            if (bytes[at] == '#') at = std::min(bytes.find('\n', at), bytes.size() - 1);
            if (std::string_view(" \t\r\n").find(bytes[at]) == std::string_view::npos) break;
        }
        std::int64_t value = 0;
        const auto [stop, error] = std::from_chars(bytes.data() + at, bytes.data() + bytes.size(), value);
        if (error != std::errc{} || value < 1 || value > readable)
            throw InputError(fmt::format("byte {}: expected the {}, 1 to {}", at, what, most));
        at = static_cast<std::size_t>(stop - bytes.data());
        return value;
    };
    // What is too large, but a number, is refused with both numbers.
    constexpr std::int64_t any = std::numeric_limits<int>::max();
    const std::int64_t columns = next("width", most_pixels_across, any),
                       rows = next("height", most_pixels_across, any);
    check_size(columns, rows);
    const int width = static_cast<int>(columns), height = static_cast<int>(rows);
    const int white = static_cast<int>(next("brightness of white", 65535, 65535));
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

GreyImage parse_grey_image(const std::string& bytes) {
    if (bytes.empty()) throw InputError("is empty");
    if (bytes.size() > 1u << 30) throw InputError("is larger than 1 GiB");
    return bytes.starts_with("P5") ? parse_pgm(bytes) : parse_png(bytes);
}

GreyImage load_grey_image(const std::filesystem::path& file) {
    try {
        return parse_grey_image(read_whole(file));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
}

ColourImage parse_colour_image(const std::string& bytes) {
    if (bytes.size() > 1u << 30) throw InputError("is larger than 1 GiB");
    if (!bytes.starts_with("\x89PNG")) throw InputError("is not a PNG file");
    check_png_header(bytes);
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                              &width, &height, &channels, 3),
        &stbi_image_free);
    if (!pixels) throw InputError(fmt::format("is damaged: {}", stbi_failure_reason()));
    const std::size_t count =
        std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    return {width, height, {pixels.get(), pixels.get() + count}};
}

ColourImage load_colour_image(const std::filesystem::path& file) {
    try {
        return parse_colour_image(read_whole(file));
    } catch (const InputError& error) {
        throw InputError(file.string() + ": " + error.what());
    }
}

}  // namespace thixo
