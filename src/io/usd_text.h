#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/atomic_file.h"
#include "geometry/bounds.h"
#include "geometry/pose.h"

namespace thixo {

template <class Vector>
std::string usd_vector(const Vector& x) {
    return fmt::format("({}, {}, {})", x.x, x.y, x.z);
}

/// The two corners of the box that holds the points, each with a ball of its radius about it; empty without
/// points.
template <class Points, class Radius>
std::vector<Vec3d> usd_extent(const Points& points, const Radius& radius) {
    Bounds box;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double r = radius(i);
        box.include(to_double(points[i]) - Vec3d{r, r, r});
        box.include(to_double(points[i]) + Vec3d{r, r, r});
    }
    if (box.empty()) return {};
    return {box.min, box.max};
}

inline std::string usd_number(float x) { return fmt::format("{}", x); }

/// In double quotes, with what would end them escaped.
inline std::string usd_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out + '"';
}

/// Lines of text USD, indented by the prims that are open.
class UsdText {
public:
    explicit UsdText(AtomicFile* file) : file_(file) {}

    void line(std::string_view text) {
        indent();
        for (const char c : text) {
            text_ += c;
            if (c == '\n') indent();
        }
        text_ += '\n';
        if (text_.size() > std::size_t{1} << 18) flush();
    }
    void open(std::string_view head) {
        line(head);
        line("{");
        ++depth_;
    }
    void close() {
        --depth_;
        line("}");
    }
    void flush() {
        file_->write(text_);
        text_.clear();
    }

    template <class Values, class Format>
    void array(std::string_view what, const Values& values, const Format& format) {
        indent();
        text_ += what;
        text_ += " = ";
        list(values, format);
        text_ += '\n';
    }

    /// The value of an attribute at one time code.
    template <class Values, class Format>
    void sample(std::string_view what, int frame, const Values& values, const Format& format) {
        indent();
        fmt::format_to(std::back_inserter(text_), "{}.timeSamples = {{ {}: ", what, frame);
        list(values, format);
        text_ += ", }\n";
    }

    /// A matrix in the convention of row vectors: the images of the axes, then the translation.
    void transform(const std::vector<int>& frames, const std::vector<Pose>& poses, bool moves) {
        const auto matrix = [](const Pose& p) {
            std::string rows = "( ";
            for (const Vec3d& a : p.axes) rows += fmt::format("({}, {}, {}, 0), ", a.x, a.y, a.z);
            const Vec3d& t = p.translation;
            return rows + fmt::format("({}, {}, {}, 1) )", t.x, t.y, t.z);
        };
        if (moves) {
            std::string samples = "matrix4d xformOp:transform.timeSamples = {\n";
            for (std::size_t k = 0; k < frames.size(); ++k)
                samples += fmt::format("    {}: {},\n", frames[k], matrix(poses[k]));
            line(samples + "}");
        } else {
            line("matrix4d xformOp:transform = " + matrix(poses.front()));
        }
        line("uniform token[] xformOpOrder = [\"xformOp:transform\"]");
    }

private:
    void indent() { text_.append(4 * static_cast<std::size_t>(depth_), ' '); }

    template <class Values, class Format>
    void list(const Values& values, const Format& format) {
        text_ += '[';
        bool first = true;
        for (const auto& value : values) {
            if (!first) text_ += ", ";
            first = false;
            text_ += format(value);
            if (text_.size() > std::size_t{1} << 18) flush();
        }
        text_ += ']';
    }

    AtomicFile* file_;
    std::string text_;
    int depth_ = 0;
};

}  // namespace thixo
