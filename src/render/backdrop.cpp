#include "render/backdrop.h"

#include <algorithm>
#include <cmath>

#include "render/film.h"
#include "render/light.h"

namespace thixo {

Rgb backdrop(float x, float y, int width, int height) {
    static const Rgb paper = rgb_from_hex(0xd8dfe6), edge = rgb_from_hex(0x8fa0b0);
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    const float u = (x - 0.5f * w) / w, v = (y - 0.55f * h) / h;
    const float t = std::min(1.0f, 1.35f * (u * u + 1.1f * v * v));
    return blend(paper, edge, t * t * (3 - 2 * t));
}

namespace {

/// Half a step of noise in an ordered pattern: gradients do not show bands in eight bits.
float dither(int x, int y) {
    const auto a = static_cast<unsigned>(x), b = static_cast<unsigned>(y);
    const unsigned m = ((a ^ b) & 1) * 32 + (b & 1) * 16 + (((a ^ b) >> 1) & 1) * 8 + ((b >> 1) & 1) * 4 +
                       (((a ^ b) >> 2) & 1) * 2 + ((b >> 2) & 1);
    return (static_cast<float>(m) + 0.5f) / 64;
}

/// Eight bits of linear light. Not a number becomes black, the one value no lit surface has.
std::uint8_t dithered_byte(float linear, float noise) {
    const float value = 255 * srgb_encode(linear) + noise;
    return static_cast<std::uint8_t>(value > 0 ? std::min(value, 255.0f) : 0.0f);
}

}  // namespace

void set_pixel(Image& image, int x, int y, const Rgb& light) {
    const float noise = dither(x, y);
    std::uint8_t* out = image.at(x, y);
    out[0] = dithered_byte(light.x, noise);
    out[1] = dithered_byte(light.y, noise);
    out[2] = dithered_byte(light.z, noise);
}

Image develop(const Film& film) {
    Image image(film.width, film.height);
    for (int y = 0; y < film.height; ++y)
        for (int x = 0; x < film.width; ++x) set_pixel(image, x, y, tone_mapped(film.light[film.at(x, y)]));
    return image;
}

}  // namespace thixo
