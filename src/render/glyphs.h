#pragma once

namespace thixo {

/// One letter on a grid where capitals are 14 high, small letters 10, and strokes go down to −4. The path
/// speaks in M (move), L (line), Q (quadratic curve) and O (oval in the rectangle x0 y0 x1 y1).
struct Glyph {
    char32_t letter;
    float width;
    const char* path;
};

/// The glyph of a letter, or that of an empty box.
const Glyph& glyph(char32_t letter);

}  // namespace thixo
