#include "plot/figure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "render/font.h"
#include "render/legend.h"

namespace thixo {

namespace {

constexpr double panel_width = 450, panel_height = 230, gap = 20, head = 44;
/// Room around the axes of a panel for words and numbers.
constexpr double room_left = 58, room_right = 10, room_top = 46, room_bottom = 30;
constexpr double letter = 7.5;
constexpr std::uint32_t ink = 0x26323f, faint = 0xd9dee4, grey = 0x7a8793;
/// Apart for people who see few colours, too (Okabe & Ito), without the yellow, which is too pale for a line
/// on white.
constexpr std::uint32_t palette[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xe69f00, 0x000000};
const std::vector<double> dashes[] = {{}, {6, 3}, {1.5, 2.5}, {8, 3, 1.5, 3}};

/// An axis: values to points of the page.
struct Axis {
    double low, high;  ///< values; logarithms where `log`
    double from, to;   ///< points
    bool log = false;

    double operator()(double value) const {
        const double v = log ? std::log10(value) : value;
        return from + (v - low) / (high - low) * (to - from);
    }
};

struct ValueRange {
    double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();

    void include(double v) {
        if (!std::isfinite(v)) return;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    bool empty() const { return low > high; }
};

class PanelDrawer {
public:
    PanelDrawer(const Figure& figure, const Panel& panel, double left, double top, Drawing& out)
        : figure_(figure), panel_(panel), left_(left), top_(top), out_(out) {}

    void draw() {
        text({left_, top_ + 12}, panel_.title, 1.15 * letter, ink);
        ValueRange x, y;
        for (const PlotCurve& curve : panel_.curves)
            for (std::size_t k = 0; k < curve.y.size(); ++k) {
                if (!std::isfinite(curve.y[k])) continue;
                x.include(curve.x[k]);
                y.include(curve.y[k]);
            }
        if (x.empty()) {
            text({left_ + panel_width / 2, top_ + panel_height / 2}, "no values", letter, grey,
                 Anchor::middle);
            return;
        }
        const Axis horizontal = horizontal_axis(x), vertical = vertical_axis(y);
        draw_grid(horizontal, vertical);
        draw_key();
        for (const PlotCurve& curve : panel_.curves) draw_curve(curve, horizontal, vertical);
    }

private:
    Axis horizontal_axis(const ValueRange& x) const {
        const bool point = !(x.high > x.low);
        return {point ? x.low - 0.5 : x.low, point ? x.high + 0.5 : x.high, left_ + room_left,
                left_ + panel_width - room_right};
    }
    Axis vertical_axis(ValueRange y) const {
        const double bottom = top_ + panel_height - room_bottom, top = top_ + room_top;
        if (panel_.log && y.low > 0 && y.high > 30 * y.low)
            return {std::floor(std::log10(y.low) + 1e-9), std::ceil(std::log10(y.high) - 1e-9), bottom, top,
                    true};
        if (panel_.from_zero) y.include(0);
        const Range range = nice_range(y.low, y.high);
        return {range.min, range.max, bottom, top};
    }

    static std::vector<double> ticks_of(const Axis& axis) {
        if (!axis.log) return nice_ticks(axis.low, axis.high);
        std::vector<double> ticks;
        for (double power = axis.low; power <= axis.high + 0.5; ++power) ticks.push_back(std::pow(10, power));
        return ticks;
    }

    void draw_grid(const Axis& horizontal, const Axis& vertical) {
        const std::vector<double> rows = ticks_of(vertical), columns = ticks_of(horizontal);
        std::vector<std::string> row_names = tick_labels(rows);
        if (vertical.log)
            for (std::size_t k = 0; k < rows.size(); ++k) row_names[k] = fmt::format("{:g}", rows[k]);
        const std::vector<std::string> column_names = tick_labels(columns);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const double y = vertical(rows[k]);
            line({{horizontal.from, y}, {horizontal.to, y}}, faint, 0.7);
            text({horizontal.from - 5, y + letter / 2}, row_names[k], letter, ink, Anchor::right);
        }
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const double x = horizontal(columns[k]);
            line({{x, vertical.from}, {x, vertical.from + 3}}, grey, 0.7);
            text({x, vertical.from + 5 + 1.4 * letter}, column_names[k], letter, ink, Anchor::middle);
        }
        line({{horizontal.from, vertical.from}, {horizontal.to, vertical.from}}, grey, 0.9);
    }

    bool one_run() const { return figure_.runs.size() < 2; }
    std::uint32_t colour_of(const PlotCurve& curve) const {
        return palette[(one_run() ? curve.kind : curve.run) % std::size(palette)];
    }
    const std::vector<double>& dash_of(const PlotCurve& curve) const {
        return dashes[one_run() ? 0 : curve.kind % std::size(dashes)];
    }

    /// A sample of each quantity's line with its name, once.
    void draw_key() {
        double x = left_ + room_left;
        std::size_t shown = 0;
        for (const PlotCurve& curve : panel_.curves) {
            if (curve.kind < shown || curve.name.empty()) continue;
            shown = curve.kind + 1;
            const double y = top_ + 29;
            line({{x, y}, {x + 18, y}}, one_run() ? colour_of(curve) : grey, 1.8, dash_of(curve));
            text({x + 23, y + letter / 2}, curve.name, letter, ink);
            x += 23 + text_width(curve.name, static_cast<float>(letter)) + 14;
        }
    }

    void draw_curve(const PlotCurve& curve, const Axis& horizontal, const Axis& vertical) {
        std::vector<PagePoint> points;
        const auto flush = [&] {
            if (points.size() == 1) points.push_back({points[0].x + 1, points[0].y});
            if (!points.empty()) line(std::move(points), colour_of(curve), 1.5, dash_of(curve));
            points.clear();
        };
        for (std::size_t k = 0; k < curve.y.size(); ++k)
            if (std::isfinite(curve.y[k]) && (!vertical.log || curve.y[k] > 0))
                points.push_back({horizontal(curve.x[k]), vertical(curve.y[k])});
            else
                flush();
        flush();
    }

    void line(std::vector<PagePoint> points, std::uint32_t colour, double width,
              const std::vector<double>& dash = {}) {
        out_.parts.emplace_back(PageLine{std::move(points), colour, width, dash});
    }
    void text(const PagePoint& at, const std::string& words, double height, std::uint32_t colour,
              Anchor anchor = Anchor::left) {
        out_.parts.emplace_back(PageText{at, words, height, colour, anchor});
    }

    const Figure& figure_;
    const Panel& panel_;
    double left_, top_;
    Drawing& out_;
};

}  // namespace

Drawing drawn(const Figure& figure) {
    const std::size_t columns = figure.panels.size() > 1 ? 2 : 1,
                      rows = (figure.panels.size() + columns - 1) / columns;
    Drawing out{gap + static_cast<double>(columns) * (panel_width + gap),
                head + static_cast<double>(rows) * (panel_height + gap),
                {}};
    out.parts.emplace_back(PageText{{gap, 28}, figure.title, 1.5 * letter, ink});
    double x = gap + text_width(figure.title, static_cast<float>(1.5 * letter)) + 30;
    for (std::size_t r = 0; r < figure.runs.size() && figure.runs.size() > 1; ++r) {
        const std::uint32_t colour = palette[r % std::size(palette)];
        out.parts.emplace_back(PageLine{{{x, 24}, {x + 18, 24}}, colour, 2.5});
        out.parts.emplace_back(PageText{{x + 23, 28}, figure.runs[r], letter, ink});
        x += 23 + text_width(figure.runs[r], static_cast<float>(letter)) + 16;
    }
    const std::string over = "over " + figure.x_title;
    out.width = std::max(out.width, x + text_width(over, static_cast<float>(letter)) + gap);
    out.parts.emplace_back(PageText{{out.width - gap, 28}, over, letter, grey, Anchor::right});
    for (std::size_t k = 0; k < figure.panels.size(); ++k)
        PanelDrawer(figure, figure.panels[k], gap + static_cast<double>(k % columns) * (panel_width + gap),
                    head + static_cast<double>(k / columns) * (panel_height + gap), out)
            .draw();
    return out;
}

}  // namespace thixo
