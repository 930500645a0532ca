#include <algorithm>
#include <cmath>

#include "plot/drawing.h"
#include "render/font.h"

namespace thixo {

namespace {

/// How much of each pixel a line covers, from the distance of its middle to the line. Joints are not covered
/// twice.
class Stroke {
public:
    Stroke(Image& image, double half_width) : image_(image), half_(half_width) {
        cover_.resize(std::size_t{1} * image.width * image.height);
    }

    void segment(const PagePoint& a, const PagePoint& b) {
        const double reach = half_ + 1;
        const int left = std::max(0, static_cast<int>(std::floor(std::min(a.x, b.x) - reach))),
                  right = std::min(image_.width - 1, static_cast<int>(std::ceil(std::max(a.x, b.x) + reach))),
                  top = std::max(0, static_cast<int>(std::floor(std::min(a.y, b.y) - reach))),
                  bottom =
                      std::min(image_.height - 1, static_cast<int>(std::ceil(std::max(a.y, b.y) + reach)));
        const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x) {
                const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
                const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
                const double away = std::hypot(px - t * dx, py - t * dy);
                float& cover = cover_[static_cast<std::size_t>(y) * image_.width + x];
                cover = std::max(cover, static_cast<float>(std::clamp(half_ + 0.5 - away, 0.0, 1.0)));
            }
    }

    void paint(const Rgb& colour) {
        for (int y = 0; y < image_.height; ++y)
            for (int x = 0; x < image_.width; ++x)
                if (const float c = cover_[static_cast<std::size_t>(y) * image_.width + x]; c > 0)
                    image_.cover(x, y, colour, c);
    }

private:
    Image& image_;
    double half_;
    std::vector<float> cover_;
};

/// Of a dash: what is left of it by rounding is no stroke, and too short to get anywhere.
constexpr double shortest = 1e-6;

/// Cuts a line into the strokes of its dashes.
template <class Visit>
void for_each_stroke(const PageLine& line, const Visit& visit) {
    std::size_t dash = 0;
    double left = line.dash.empty() ? 1e300 : line.dash[0];
    for (std::size_t k = 1; k < line.points.size(); ++k) {
        const PagePoint &a = line.points[k - 1], &b = line.points[k];
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const auto at = [&](double s) {
            const double t = length > 0 ? s / length : 0;
            return PagePoint{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        };
        for (double from = 0; from < length;) {
            const double to = std::min(length, from + left);
            if (dash % 2 == 0) visit(at(from), at(to));
            left -= to - from;
            from = to;
            if (left < shortest) left = line.dash[++dash % line.dash.size()];
        }
    }
}

struct Painter {
    Image* image;
    double scale;

    void operator()(const PageLine& line) const {
        Stroke stroke(*image, 0.5 * line.width * scale);
        for_each_stroke(line, [&](const PagePoint& a, const PagePoint& b) {
            stroke.segment({a.x * scale, a.y * scale}, {b.x * scale, b.y * scale});
        });
        stroke.paint(rgb_from_hex(line.colour));
    }

    void operator()(const PageText& text) const {
        const auto height = static_cast<float>(text.height * scale);
        const float width = text_width(text.text, height);
        const float before = text.anchor == Anchor::left     ? 0
                             : text.anchor == Anchor::middle ? width / 2
                                                             : width;
        draw_text(*image, static_cast<float>(text.at.x * scale) - before,
                  static_cast<float>(text.at.y * scale), text.text,
                  {.height = height, .colour = rgb_from_hex(text.colour)});
    }
};

}  // namespace

Image to_image(const Drawing& drawing, double scale) {
    Image image(static_cast<int>(std::lround(drawing.width * scale)),
                static_cast<int>(std::lround(drawing.height * scale)));
    image.fill({1, 1, 1});
    for (const auto& part : drawing.parts) std::visit(Painter{&image, scale}, part);
    return image;
}

}  // namespace thixo
