#include "render/image.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/atomic_file.h"
#include "core/error.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace thixo {
namespace {

std::uint8_t to_byte(float encoded) {
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(encoded, 0.0f, 1.0f)));
}

const std::array<float, 256>& decode_table() {
    static const auto table = [] {
        std::array<float, 256> values{};
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = srgb_decode(static_cast<float>(i) / 255);
        return values;
    }();
    return table;
}

/// Overlap of the pixel [i, i+1) with the interval [from, to).
double overlap(int i, double from, double to) { return std::min(i + 1.0, to) - std::max<double>(i, from); }

void append_big(std::string& bytes, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
}

/// length | kind | data | CRC of kind and data  [ISO/IEC 15948, 5.3]
std::string png_chunk(const std::string& kind, const std::string& data) {
    std::string bytes;
    append_big(bytes, static_cast<std::uint32_t>(data.size()));
    std::string checked = kind + data;
    bytes += checked;
    append_big(bytes, stbiw__crc32(reinterpret_cast<unsigned char*>(checked.data()),
                                   static_cast<int>(checked.size())));
    return bytes;
}

std::string note_chunk(const ImageNote& note) {
    const bool ascii =
        std::all_of(note.text.begin(), note.text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (ascii) return png_chunk("tEXt", note.keyword + '\0' + note.text);
    // keyword, not compressed, no language, no translated keyword
    return png_chunk("iTXt", note.keyword + std::string(5, '\0') + note.text);
}

}  // namespace

float srgb_encode(float linear) {
    if (linear <= 0.0031308f) return 12.92f * std::max(linear, 0.0f);
    return 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

float srgb_decode(float encoded) {
    return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

Rgb rgb_from_hex(std::uint32_t srgb) {
    const auto& decode = decode_table();
    return {decode[srgb >> 16 & 255], decode[srgb >> 8 & 255], decode[srgb & 255]};
}

void Image::fill(const Rgb& colour) {
    const std::uint8_t bytes[3] = {to_byte(srgb_encode(colour.x)), to_byte(srgb_encode(colour.y)),
                                   to_byte(srgb_encode(colour.z))};
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = bytes[i % 3];
}

void Image::cover(int x, int y, const Rgb& colour, float alpha) {
    if (x < 0 || y < 0 || x >= width || y >= height || alpha <= 0) return;
    // Blended as encoded: text keeps the stroke weight it was designed with.
    const float over[3] = {srgb_encode(colour.x), srgb_encode(colour.y), srgb_encode(colour.z)};
    std::uint8_t* pixel = at(x, y);
    for (int c = 0; c < 3; ++c) {
        const float under = static_cast<float>(pixel[c]) / 255;
        pixel[c] = to_byte(under + (over[c] - under) * std::min(alpha, 1.0f));
    }
}

void Image::paste(const Image& other, int x0, int y0) {
    const int left = std::max(0, -x0), right = std::min(other.width, width - x0);
    for (int y = std::max(0, -y0); y < std::min(other.height, height - y0) && left < right; ++y) {
        std::copy(other.at(left, y), other.at(left, y) + 3 * (right - left), at(x0 + left, y0 + y));
    }
}

Image resized(const Image& image, int width, int height) {
    const auto& decode = decode_table();
    const double sx = static_cast<double>(image.width) / width;
    const double sy = static_cast<double>(image.height) / height;
    Image result(width, height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            Rgb sum{};
            for (int v = static_cast<int>(y * sy); v < std::min<double>((y + 1) * sy, image.height); ++v) {
                for (int u = static_cast<int>(x * sx); u < std::min<double>((x + 1) * sx, image.width); ++u) {
                    const auto weight = static_cast<float>(overlap(u, x * sx, (x + 1) * sx) *
                                                           overlap(v, y * sy, (y + 1) * sy) / (sx * sy));
                    const std::uint8_t* p = image.at(u, v);
                    sum += weight * Rgb{decode[p[0]], decode[p[1]], decode[p[2]]};
                }
            }
            std::uint8_t* out = result.at(x, y);
            out[0] = to_byte(srgb_encode(sum.x));
            out[1] = to_byte(srgb_encode(sum.y));
            out[2] = to_byte(srgb_encode(sum.z));
        }
    }
    return result;
}

std::vector<std::uint8_t> encode_png(const Image& image, const ImageNotes& notes) {
    std::vector<std::uint8_t> bytes;
    const auto append = [](void* context, void* data, int size) {
        auto& out = *static_cast<std::vector<std::uint8_t>*>(context);
        const auto* begin = static_cast<const std::uint8_t*>(data);
        out.insert(out.end(), begin, begin + size);
    };
    if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.pixels.data(),
                                3 * image.width)) {
        throw RunError("out of memory while compressing a picture");
    }
    std::string chunks;
    for (const ImageNote& note : notes) chunks += note_chunk(note);
    constexpr std::size_t signature_and_header = 8 + 12 + 13;
    std::vector<std::uint8_t> whole(bytes.size() + chunks.size());
    const auto behind = std::copy_n(bytes.begin(), signature_and_header, whole.begin());
    std::copy(bytes.begin() + signature_and_header, bytes.end(),
              std::transform(chunks.begin(), chunks.end(), behind,
                             [](char c) { return static_cast<std::uint8_t>(c); }));
    return whole;
}

void write_png(const std::filesystem::path& destination, const Image& image, const ImageNotes& notes) {
    const std::vector<std::uint8_t> bytes = encode_png(image, notes);
    AtomicFile file(destination);
    file.write(bytes.data(), bytes.size());
    file.commit();
}

}  // namespace thixo
