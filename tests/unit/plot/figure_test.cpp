#include "plot/figure.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace thixo;

namespace {

Figure line_figure(std::vector<double> y) {
    PlotCurve curve{"height", {}, std::move(y), 0, 0};
    for (std::size_t k = 0; k < curve.y.size(); ++k) curve.x.push_back(static_cast<double>(k));
    return {"a title & <more>", {"run"}, {{"Height, m", {curve}, true, true}}};
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

/// The longest line of a colour.
const PageLine* longest(const Drawing& drawing) {
    const PageLine* best = nullptr;
    for (const auto& part : drawing.parts)
        if (const auto* line = std::get_if<PageLine>(&part);
            line && (!best || line->points.size() > best->points.size()))
            best = line;
    return best;
}

}  // namespace

TEST_CASE("a curve is drawn to scale within its panel") {
    const Drawing drawing = drawn(line_figure({0, 1, 2, 1, 0}));
    const PageLine* curve = longest(drawing);
    REQUIRE(curve);
    REQUIRE(curve->points.size() == 5);
    const double step = curve->points[1].x - curve->points[0].x;
    CHECK(curve->points[4].x - curve->points[3].x == doctest::Approx(step));
    CHECK(curve->points[0].y == doctest::Approx(curve->points[4].y));
    CHECK(curve->points[0].y - curve->points[2].y ==
          doctest::Approx(2 * (curve->points[0].y - curve->points[1].y)));
    for (const PagePoint& p : curve->points) {
        CHECK(p.x > 0);
        CHECK(p.x < drawing.width);
        CHECK(p.y > 0);
        CHECK(p.y < drawing.height);
    }
}

TEST_CASE("values that are missing leave a gap; values over decades get a logarithmic axis") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::string svg = to_svg(drawn(line_figure({1, 2, nan, 3, 4})));
    const std::string whole = to_svg(drawn(line_figure({1, 2, 2, 3, 4})));
    CHECK(count(svg, "<polyline") == count(whole, "<polyline") + 1);
    CHECK(count(svg, "nan") == 0);
    CHECK(svg.find("a title &amp; &lt;more>") != std::string::npos);

    const Drawing decades = drawn(line_figure({1e-6, 1e-5, 1e-4, 1e-3, 1e-2}));
    const PageLine* curve = longest(decades);
    REQUIRE(curve->points.size() == 5);
    for (int k = 1; k < 4; ++k)
        CHECK(curve->points[k].y - curve->points[k + 1].y ==
              doctest::Approx(curve->points[0].y - curve->points[1].y));
}

TEST_CASE("a figure without values, with one value, and with the same value everywhere") {
    for (const auto& y : {std::vector<double>{}, {3.0}, {2.0, 2.0, 2.0}, {0.0, 0.0}}) {
        const Drawing drawing = drawn(line_figure(y));
        CHECK(count(to_svg(drawing), "nan") == 0);
        CHECK(to_image(drawing, 1).width == static_cast<int>(std::lround(drawing.width)));
    }
}

TEST_CASE("pictures show lines and dashes where the page has them") {
    const Drawing page{20, 10, {PageLine{{{2, 5}, {18, 5}}, 0xff0000, 2}}};
    const Image image = to_image(page, 1);
    CHECK(image.at(10, 4)[0] == 255);
    CHECK(image.at(10, 4)[1] == 0);
    CHECK(image.at(10, 8)[1] == 255);
    const Image dashed = to_image({20, 10, {PageLine{{{2, 5}, {18, 5}}, 0xff0000, 2, {4, 4}}}}, 1);
    CHECK(dashed.at(4, 4)[1] == 0);
    CHECK(dashed.at(8, 4)[1] == 255);
}

TEST_CASE("dashes end where rounding leaves a trace of one") {
    // Lengths whose sums come within rounding of 6 + 3, over and over.
    PageLine line{{{0, 50}}, 0, 1, {6, 3}};
    for (int k = 1; k < 400; ++k)
        line.points.push_back({line.points.back().x + (k % 3 ? 0.1 : 0.7), 50 + 1e-9 * k});
    Drawing drawing{200, 100, {line}};
    const Image image = to_image(drawing, 2);
    CHECK(image.width == 400);
}
