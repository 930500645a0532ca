#pragma once

#include <string_view>

#include "render/image.h"

namespace thixo {

/// Lettering for pictures: a stroke font of our own, smooth at any size, no font file needed.
struct TextStyle {
    float height = 10;  ///< pixels, of a capital letter
    Rgb colour = rgb_from_hex(0x26323f);
    float alpha = 1;
    float halo = 0;  ///< opacity of a pale rim that keeps letters readable over a busy picture
};

/// UTF-8: ASCII and ° ² ³ × µ ·; anything else is drawn as an empty box.
float text_width(std::string_view text, float height);

/// `x` is the left end, `baseline` the line the letters stand on; both in pixels, y downwards.
void draw_text(Image& image, float x, float baseline, std::string_view text, const TextStyle& style);

}  // namespace thixo
