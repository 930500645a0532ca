#include "io/particle_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/error.h"
#include "core/input_file.h"
#include "io/export_columns.h"
#include "io/particle_formats.h"
#include "io/particle_frame.h"

namespace thixo {
namespace {

/// "PLY, VTU nor BGEO"
std::string format_names() {
    std::string names;
    for (std::size_t k = 0; k < particle_formats.size(); ++k) {
        if (k > 0) names += k + 1 < particle_formats.size() ? ", " : " nor ";
        for (const char c : particle_formats[k].name)
            names += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return names;
}

ParticleFile parse(std::string bytes) {
    if (bytes.empty()) throw InputError("is empty");
    for (const ParticleFormatInfo& format : particle_formats)
        if (format.matches(bytes)) return format.parse(std::move(bytes));
    if (bytes.starts_with("\x7fNSJ"))
        throw InputError(
            "is a .bgeo of Houdini 12 or later; only the classic format is read (save as .bhclassic)");
    if (bytes.starts_with("\x1f\x8b")) throw InputError("is compressed; unpack it first (gunzip)");
    throw InputError(fmt::format("is not a particle file: neither {}", format_names()));
}

std::vector<float> to_floats(const StoredColumn& column, std::size_t count) {
    std::vector<float> values;
    values.reserve(count);
    column.for_each(count, [&](auto value) { values.push_back(static_cast<float>(value)); });
    return values;
}

void check_usable(const ParticleFrame& frame) {
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
        if (!is_finite(frame.position[i]))
            throw InputError(fmt::format("particle {} has no finite position", i));
        if (!(frame.radius[i] >= 0) || !std::isfinite(frame.radius[i]))
            throw InputError(fmt::format("particle {} has the radius {}", i, frame.radius[i]));
    }
}

ParticleFrame to_frame(const ParticleFile& file, std::optional<float> default_radius) {
    for (const std::string_view name : {"x", "y", "z"})
        if (!file.find(name)) throw InputError(fmt::format("has no property {}", name));
    ParticleFrame frame;
    frame.time = file.time;
    for (const StoredColumn& column : file.columns)
        frame.attributes[column.name] = to_floats(column, file.count);

    const auto &x = frame.attributes["x"], &y = frame.attributes["y"], &z = frame.attributes["z"];
    frame.position.reserve(file.count);
    for (std::size_t i = 0; i < file.count; ++i) frame.position.push_back({x[i], y[i], z[i]});

    if (const auto radius = frame.attributes.find("radius"); radius != frame.attributes.end())
        frame.radius = radius->second;
    else if (default_radius)
        frame.radius.assign(file.count, *default_radius);
    else
        throw InputError("has no property radius");
    check_usable(frame);
    return frame;
}

/// Runs `read` and puts the file's name in front of what it complains about.
template <class Read>
auto naming(const std::filesystem::path& path, const Read& read) {
    try {
        return read();
    } catch (const InputError& error) {
        throw InputError(path.string() + ": " + error.what());
    }
}

}  // namespace

const StoredColumn* ParticleFile::find(std::string_view name) const {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const StoredColumn& column) { return column.name == name; });
    return found == columns.end() ? nullptr : &*found;
}

void ParticleFile::add_attribute(std::string_view name, std::size_t components,
                                 const StoredColumn& first_component) {
    if (components > most_columns - std::min(columns.size(), most_columns))
        throw InputError(fmt::format("has more than {} columns", most_columns));
    const auto known = std::find_if(exported_attributes.begin(), exported_attributes.end(),
                                    [&](const ExportedAttribute& attribute) {
                                        return attribute.field == name || attribute.houdini == name;
                                    });
    for (std::size_t c = 0; c < components; ++c) {
        StoredColumn column = first_component;
        column.first += c * info(column.type).size;
        if (known != exported_attributes.end() && components == 3 && !known->scalars[c].empty())
            column.name = known->scalars[c];
        else
            column.name = components == 1 ? std::string(name) : fmt::format("{}.{}", name, c);
        columns.push_back(std::move(column));
    }
}

ParticleFile read_particle_file(const std::filesystem::path& path) {
    return naming(path, [&] { return parse(read_whole(path)); });
}

ParticleFrame read_particles(const std::filesystem::path& path, std::optional<float> default_radius) {
    return naming(path, [&] { return to_frame(parse(read_whole(path)), default_radius); });
}

}  // namespace thixo
