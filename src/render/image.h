#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/vec.h"

namespace thixo {

/// A colour in linear light. Pictures store its sRGB encoding.
using Rgb = Vec3f;

constexpr Rgb modulate(const Rgb& a, const Rgb& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
constexpr Rgb blend(const Rgb& a, const Rgb& b, float t) { return a * (1 - t) + b * t; }

float srgb_encode(float linear);
float srgb_decode(float encoded);

/// 0xRRGGBB as designers write it.
Rgb rgb_from_hex(std::uint32_t srgb);

/// Eight-bit sRGB, rows from the top.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;  ///< 3 · width · height

    Image() = default;
    Image(int w, int h) : width(w), height(h), pixels(std::size_t{3} * w * h) {}

    std::uint8_t* at(int x, int y) { return pixels.data() + 3 * (static_cast<std::size_t>(y) * width + x); }
    const std::uint8_t* at(int x, int y) const { return const_cast<Image*>(this)->at(x, y); }

    void fill(const Rgb& colour);
    /// Lays `colour` over a pixel; outside the picture nothing happens.
    void cover(int x, int y, const Rgb& colour, float alpha);
    void paste(const Image& other, int x0, int y0);
};

/// Shrinks by averaging in linear light, so that fine bright detail keeps its brightness.
Image resized(const Image& image, int width, int height);

/// What a picture file says about itself. Standard keywords of PNG: Title, Description, Software, Comment,
/// Creation Time.
struct ImageNote {
    std::string keyword, text;
};
using ImageNotes = std::vector<ImageNote>;

/// Notes are written as tEXt, or iTXt where they are not ASCII, in front of the pixels.
std::vector<std::uint8_t> encode_png(const Image& image, const ImageNotes& notes = {});
void write_png(const std::filesystem::path& destination, const Image& image, const ImageNotes& notes = {});

}  // namespace thixo
