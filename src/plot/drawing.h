#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "render/image.h"

namespace thixo {

/// Lines and words on a page, in points from its upper left corner, y downwards; colours are 0xRRGGBB.
struct PagePoint {
    double x = 0, y = 0;
};

struct PageLine {
    std::vector<PagePoint> points;
    std::uint32_t colour = 0;
    double width = 1;
    std::vector<double> dash = {};  ///< lengths of strokes and gaps in turn; empty: unbroken
};

enum class Anchor { left, middle, right };

struct PageText {
    PagePoint at;  ///< the anchor on the line that the letters stand on
    std::string text;
    double height = 8;  ///< of a capital
    std::uint32_t colour = 0;
    Anchor anchor = Anchor::left;
};

struct Drawing {
    double width = 0, height = 0;
    std::vector<std::variant<PageLine, PageText>> parts;  ///< later ones lie above earlier ones
};

/// A white page; letters are those of the reader's sans-serif font.
std::string to_svg(const Drawing& drawing);
/// The same as a picture with `scale` pixels to a point.
Image to_image(const Drawing& drawing, double scale);

}  // namespace thixo
