#include <fmt/format.h>

#include "plot/drawing.h"

namespace thixo {

namespace {

/// Capitals of common sans-serif fonts are 0.72 of the size high.
constexpr double capital_height = 0.72;

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text)
        if (c == '<')
            out += "&lt;";
        else if (c == '&')
            out += "&amp;";
        else
            out += c;
    return out;
}

struct Writer {
    std::string* out;

    void operator()(const PageLine& line) const {
        *out += fmt::format(R"(<polyline fill="none" stroke="#{:06x}" stroke-width="{:g}")", line.colour,
                            line.width);
        if (!line.dash.empty()) {
            *out += " stroke-dasharray=\"";
            for (std::size_t k = 0; k < line.dash.size(); ++k)
                *out += fmt::format("{}{:g}", k ? "," : "", line.dash[k]);
            *out += '"';
        }
        *out += " stroke-linejoin=\"round\" points=\"";
        for (const PagePoint& p : line.points) *out += fmt::format("{:.2f},{:.2f} ", p.x, p.y);
        *out += "\"/>\n";
    }

    void operator()(const PageText& text) const {
        const char* anchor = text.anchor == Anchor::left     ? "start"
                             : text.anchor == Anchor::middle ? "middle"
                                                             : "end";
        *out += fmt::format(
            "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.2f}\" fill=\"#{:06x}\" "
            "text-anchor=\"{}\">{}</text>\n",
            text.at.x, text.at.y, text.height / capital_height, text.colour, anchor, escaped(text.text));
    }
};

}  // namespace

std::string to_svg(const Drawing& drawing) {
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
        "{1:g}\" "
        "font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#ffffff\"/>\n",
        drawing.width, drawing.height);
    for (const auto& part : drawing.parts) std::visit(Writer{&out}, part);
    return out + "</svg>\n";
}

}  // namespace thixo
