#include "render/font.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "render/glyphs.h"

namespace thixo {
namespace {

constexpr float capital = 14;    // height of a capital on the glyphs' grid
constexpr float letter_gap = 4;  // letter spacing on the same grid
constexpr int curve_steps = 6;

struct Point {
    float x, y;
};
struct Stroke {
    Point from, to;
};

char32_t next_letter(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const unsigned lead = byte(at);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t letter = lead < 0x80 ? lead : lead & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) letter = letter << 6 | (byte(at + i) & 0x3f);
    at += length;
    return letter == U'\u2212' ? U'-' : letter;
}

/// Turns a glyph's path into straight strokes.
class Pen {
public:
    explicit Pen(std::vector<Stroke>& strokes) : strokes_(strokes) {}

    void follow(const char* path) {
        char* rest = nullptr;
        const auto number = [&] {
            const float value = std::strtof(path, &rest);
            path = rest;
            return value;
        };
        const auto point = [&] {
            const float x = number();
            return Point{x, number()};
        };
        while (*path != '\0') {
            const char command = *path++;
            if (command == 'M') at_ = point();
            if (command == 'L') line(point());
            if (command == 'Q') {
                const Point control = point();
                curve(control, point());
            }
            if (command == 'O') {
                const Point low = point();
                oval(low, point());
            }
        }
    }

private:
    void line(Point to) {
        strokes_.push_back({at_, to});
        at_ = to;
    }
    void curve(Point control, Point to) {
        const Point from = at_;
        for (int i = 1; i <= curve_steps; ++i) {
            const float t = static_cast<float>(i) / curve_steps, a = (1 - t) * (1 - t), b = 2 * t * (1 - t);
            line({a * from.x + b * control.x + t * t * to.x, a * from.y + b * control.y + t * t * to.y});
        }
    }
    void oval(Point low, Point high) {
        const float cx = 0.5f * (low.x + high.x), cy = 0.5f * (low.y + high.y);
        at_ = {cx, high.y};
        curve({low.x, high.y}, {low.x, cy});
        curve({low.x, low.y}, {cx, low.y});
        curve({high.x, low.y}, {high.x, cy});
        curve({high.x, high.y}, {cx, high.y});
    }

    std::vector<Stroke>& strokes_;
    Point at_{};
};

float distance(const Stroke& s, float x, float y) {
    const float ex = s.to.x - s.from.x, ey = s.to.y - s.from.y, wx = x - s.from.x, wy = y - s.from.y;
    const float length2 = ex * ex + ey * ey;
    const float t = length2 > 0 ? std::clamp((wx * ex + wy * ey) / length2, 0.0f, 1.0f) : 0;
    return std::hypot(wx - t * ex, wy - t * ey);
}

/// One letter whose strokes are already in pixels.
void draw_strokes(Image& image, const std::vector<Stroke>& strokes, float half, const Rgb& colour,
                  float alpha) {
    float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;
    for (const Stroke& s : strokes) {
        x0 = std::min({x0, s.from.x, s.to.x}), x1 = std::max({x1, s.from.x, s.to.x});
        y0 = std::min({y0, s.from.y, s.to.y}), y1 = std::max({y1, s.from.y, s.to.y});
    }
    const float rim = half + 1;
    for (int y = static_cast<int>(std::floor(y0 - rim)); y <= static_cast<int>(y1 + rim); ++y) {
        for (int x = static_cast<int>(std::floor(x0 - rim)); x <= static_cast<int>(x1 + rim); ++x) {
            float nearest = 1e9f;
            for (const Stroke& s : strokes) {
                nearest = std::min(nearest,
                                   distance(s, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f));
            }
            image.cover(x, y, colour, alpha * std::clamp(0.5f + half - nearest, 0.0f, 1.0f));
        }
    }
}

}  // namespace

float text_width(std::string_view text, float height) {
    float width = 0;
    for (std::size_t at = 0; at < text.size();) width += glyph(next_letter(text, at)).width + letter_gap;
    return text.empty() ? 0 : (width - letter_gap) * height / capital;
}

void draw_text(Image& image, float x, float baseline, std::string_view text, const TextStyle& style) {
    const float scale = style.height / capital;
    const float half = std::max(0.55f, 0.065f * style.height);
    const auto pass = [&](float width, const Rgb& colour, float alpha) {
        std::vector<Stroke> strokes;
        float left = x;
        for (std::size_t at = 0; at < text.size();) {
            const Glyph& letter = glyph(next_letter(text, at));
            strokes.clear();
            Pen(strokes).follow(letter.path);
            for (Stroke& s : strokes) {
                s = {{left + scale * s.from.x, baseline - scale * s.from.y},
                     {left + scale * s.to.x, baseline - scale * s.to.y}};
            }
            if (!strokes.empty()) draw_strokes(image, strokes, width, colour, alpha);
            left += scale * (letter.width + letter_gap);
        }
    };
    if (style.halo > 0) pass(half + 0.12f * style.height, rgb_from_hex(0xe8edf1), style.halo);
    pass(half, style.colour, style.alpha);
}

}  // namespace thixo
