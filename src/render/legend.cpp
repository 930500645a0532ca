#include "render/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/font.h"

namespace thixo {
namespace {

const Rgb ink = rgb_from_hex(0x26323f);

/// 1, 2 or 5 times a power of ten, the nearest above `least`.
double nice_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double digit : {1.0, 2.0, 5.0}) {
        if (digit * power >= least * (1 - 1e-9)) return digit * power;
    }
    return 10 * power;
}

double tick_step(double min, double max) { return nice_step((max - min) / 6); }

/// Sizes in pixels, all in proportion to the lettering.
struct Layout {
    float letter;  // height of a capital
    float pad;     // to the edge of the picture
    float bar_width, bar_top, bar_bottom;
    float left;   // of the bar or of the swatches
    float label;  // distance from the bar's left side to its labels
};

/// Of a category, in heights of a letter.
constexpr float row_height = 2.3f;

float widest(const std::vector<std::string>& labels, float letter) {
    float width = 0;
    for (const std::string& label : labels) width = std::max(width, text_width(label, letter));
    return width;
}

std::vector<std::string> labels_of(const Legend& legend, const ColourScale& colours) {
    if (colours.map.categorical()) return legend.names;
    return tick_labels(nice_ticks(colours.min, colours.max));
}

float content_width(const Legend& legend, const ColourScale& colours, float letter, float label) {
    const float head = std::max(text_width(legend.title, letter), text_width(legend.unit, letter));
    return std::max(head, label + widest(labels_of(legend, colours), letter));
}

Layout layout_for(const Legend& legend, const ColourScale& colours, float letter, int width, int height) {
    Layout l{};
    l.letter = letter;
    l.pad = 2 * letter;
    l.bar_width = 1.5f * letter;
    // In small pictures the title needs more than its proportional height.
    l.bar_top = std::max(0.24f * static_cast<float>(height), 5.2f * letter);
    // A long list begins right below its title.
    if (colours.map.categorical() &&
        l.bar_top + row_height * letter * static_cast<float>(legend.names.size()) >
            static_cast<float>(height))
        l.bar_top = 5.2f * letter;
    l.bar_bottom = 0.80f * static_cast<float>(height);
    l.label = l.bar_width + (colours.map.categorical() ? 0.8f : 1.2f) * letter;
    l.left = static_cast<float>(width) - l.pad - content_width(legend, colours, letter, l.label);
    return l;
}

/// A rectangle with round corners, painted by height.
template <class Paint>
void draw_plate(Image& image, float x0, float y0, float x1, float y1, float corner, const Paint& paint) {
    for (int y = static_cast<int>(y0) - 2; y <= static_cast<int>(y1) + 2; ++y) {
        for (int x = static_cast<int>(x0) - 2; x <= static_cast<int>(x1) + 2; ++x) {
            const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
            const float qx = std::abs(px - 0.5f * (x0 + x1)) - 0.5f * (x1 - x0) + corner;
            const float qy = std::abs(py - 0.5f * (y0 + y1)) - 0.5f * (y1 - y0) + corner;
            const float d = std::hypot(std::max(qx, 0.0f), std::max(qy, 0.0f)) +
                            std::min(std::max(qx, qy), 0.0f) - corner;
            image.cover(x, y, paint(py), std::clamp(0.5f - d, 0.0f, 1.0f));
            image.cover(x, y, ink, 0.45f * std::clamp(1 - std::abs(d), 0.0f, 1.0f));
        }
    }
}

void draw_bar(Image& image, const Layout& l, const ColourScale& colours) {
    const float length = l.bar_bottom - l.bar_top;
    draw_plate(image, l.left, l.bar_top, l.left + l.bar_width, l.bar_bottom, 0.3f * l.letter,
               [&](float y) { return colours.map((l.bar_bottom - y) / length); });
    const std::vector<double> ticks = nice_ticks(colours.min, colours.max);
    const std::vector<std::string> labels = tick_labels(ticks);
    const TextStyle style{.height = l.letter, .colour = ink, .halo = 0.3f};
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const auto fraction = static_cast<float>((ticks[i] - colours.min) / (colours.max - colours.min));
        const float y = l.bar_bottom - fraction * length;
        const auto row = static_cast<int>(std::lround(y - 0.5f));
        for (int x = 0; x < static_cast<int>(0.5f * l.letter); ++x) {
            image.cover(static_cast<int>(l.left + l.bar_width) + 2 + x, row, ink, 0.7f);
        }
        draw_text(image, l.left + l.label, y + 0.5f * l.letter, labels[i], style);
    }
}

void draw_categories(Image& image, const Layout& l, const Legend& legend, const ColourScale& colours) {
    const TextStyle style{.height = l.letter, .colour = ink, .halo = 0.3f};
    const float step = row_height * l.letter;
    const auto rows = static_cast<std::size_t>(
        std::max(1.0f, std::floor((static_cast<float>(image.height) - l.bar_top) / step)));
    const bool all = legend.names.size() <= rows;
    const std::size_t shown = all ? legend.names.size() : rows - 1;
    const auto row = [&](std::size_t i) { return l.bar_top + step * static_cast<float>(i); };
    const auto write = [&](std::size_t i, const std::string& name) {
        draw_text(image, l.left + l.label, row(i) + 0.5f * (l.bar_width + l.letter), name, style);
    };
    for (std::size_t i = 0; i < shown; ++i) {
        const Rgb colour = colours.map.category(legend.numbers[i]);
        draw_plate(image, l.left, row(i), l.left + l.bar_width, row(i) + l.bar_width, 0.5f * l.bar_width,
                   [&](float) { return colour; });
        write(i, legend.names[i]);
    }
    if (!all) write(shown, fmt::format("and {} more", legend.names.size() - shown));
}

}  // namespace

float lettering_height(int picture_height) {
    return std::max(8.5f, 0.0205f * static_cast<float>(picture_height));
}

std::vector<double> nice_ticks(double min, double max) {
    if (!(max > min)) return {min};
    const double step = tick_step(min, max);
    std::vector<double> ticks;
    const double first = std::ceil(min / step - 1e-6), last = std::floor(max / step + 1e-6);
    for (double i = first; i <= last; ++i) ticks.push_back(i * step + 0.0);
    return ticks;
}

Range nice_range(double min, double max) {
    if (!(max > min)) {
        const double room = min == 0 ? 1 : 0.1 * std::abs(min);
        min -= room, max += room;
    }
    const double step = tick_step(min, max) / 2;
    return {step * std::floor(min / step + 1e-6), step * std::ceil(max / step - 1e-6)};
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks) {
    double largest = 0, step = 0;
    for (const double tick : ticks) largest = std::max(largest, std::abs(tick));
    if (ticks.size() > 1) step = ticks[1] - ticks[0];
    std::vector<std::string> labels;
    const bool plain = step > 0 && largest < 1e6 && step >= 0.9e-4;
    const int decimals = plain ? std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-6))) : 0;
    for (const double tick : ticks) {
        labels.push_back(plain ? fmt::format("{:.{}f}", tick, decimals) : fmt::format("{:.4g}", tick));
    }
    return labels;
}

float legend_width(const Legend& legend, const ColourScale& colours, float letter) {
    if (legend.title.empty()) return 0;
    const Layout l = layout_for(legend, colours, letter, 0, 0);
    return l.pad - l.left;
}

void draw_legend(Image& image, const Legend& legend, const ColourScale& colours, float letter) {
    if (legend.title.empty()) return;
    const Layout l = layout_for(legend, colours, letter, image.width, image.height);
    const TextStyle title{.height = l.letter, .colour = ink, .halo = 0.3f};
    TextStyle unit = title;
    unit.alpha = 0.72f;
    const float base = l.bar_top - 1.8f * l.letter;
    draw_text(image, l.left, legend.unit.empty() ? base : base - 1.8f * l.letter, legend.title, title);
    draw_text(image, l.left, base, legend.unit, unit);
    if (colours.map.categorical()) {
        draw_categories(image, l, legend, colours);
    } else {
        draw_bar(image, l, colours);
    }
}

}  // namespace thixo
