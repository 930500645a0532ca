#include "io/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/words.h"
#include "io/export_columns.h"
#include "io/particle_file.h"

namespace thixo {
namespace {

struct Summary {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();
    double mean = 0;
    std::size_t not_finite = 0;
    bool empty() const { return smallest > largest; }
};

Summary summarise(const StoredColumn& column, std::size_t count) {
    Summary summary;
    double sum = 0;
    column.for_each(count, [&](auto stored) {
        const auto value = static_cast<double>(stored);
        if (!std::isfinite(value)) {
            ++summary.not_finite;
            return;
        }
        sum += value;
        summary.smallest = std::min(summary.smallest, value);
        summary.largest = std::max(summary.largest, value);
    });
    if (!summary.empty()) summary.mean = sum / static_cast<double>(count - summary.not_finite);
    return summary;
}

std::string_view unit_of(std::string_view name) {
    for (const ExportColumn& column : export_columns(ParticleTable{}))
        for (std::size_t c = 0; c < column.components; ++c)
            if (column.scalar_name(c) == name) return column.unit;
    return name == "pscale" ? unit_of("radius") : "";
}

std::string_view type_name(ScalarType type) {
    const ScalarTypeInfo& type_info = info(type);
    return type_info.ply.empty() ? type_info.vtk : type_info.ply;
}

/// Whole numbers (ids, counts) as they are, others to six digits.
std::string number_text(double value) {
    if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
    return fmt::format("{:.6g}", value);
}

std::string bounding_box(const ParticleFile& file) {
    std::string low, high;
    for (const std::string_view name : {"x", "y", "z"}) {
        const StoredColumn* column = file.find(name);
        if (!column) return {};
        const Summary summary = summarise(*column, file.count);
        if (summary.empty()) return {};
        low += (low.empty() ? "" : ", ") + number_text(summary.smallest);
        high += (high.empty() ? "" : ", ") + number_text(summary.largest);
    }
    return fmt::format("box        [{}] to [{}] m\n", low, high);
}

}  // namespace

std::string describe_file(const std::filesystem::path& path) {
    const ParticleFile file = read_particle_file(path);
    std::string text =
        fmt::format("{}\nformat     {}\nparticles  {}\n", path.string(), file.format, file.count);
    text += fmt::format("time       {} s{}\n", number_text(file.time),
                        file.frame ? fmt::format(", frame {}", *file.frame) : "");
    text += bounding_box(file);

    text += fmt::format("\n{:<14}{:<9}{:<7}{:>14}{:>14}{:>14}\n", "attribute", "type", "unit", "min", "mean",
                        "max");
    for (const StoredColumn& column : file.columns) {
        const Summary summary = summarise(column, file.count);
        text +=
            fmt::format("{:<14}{:<9}{:<7}", shown(column.name), type_name(column.type), unit_of(column.name));
        if (summary.empty())
            text += fmt::format("{:>14}{:>14}{:>14}", "-", "-", "-");
        else
            text += fmt::format("{:>14}{:>14}{:>14}", number_text(summary.smallest),
                                number_text(summary.mean), number_text(summary.largest));
        if (summary.not_finite > 0) text += fmt::format("  {} not finite", summary.not_finite);
        text += '\n';
    }
    return text;
}

}  // namespace thixo
