#include "render_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>
#include <system_error>

#include "core/error.h"
#include "core/evenly_chosen.h"
#include "io/mesh_files.h"
#include "io/particle_formats.h"
#include "scene/wording.h"

namespace thixo {
namespace {

constexpr std::uintmax_t survey_bytes = 1'000'000'000;

bool parse_number(std::string_view text, int& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0;
}

/// "first:last:step" as three numbers.
struct FrameRange {
    int first = 0, last = 0, step = 1;
};

FrameRange parse_range(const std::string& part, const std::string& whole) {
    FrameRange range;
    int* const numbers[] = {&range.first, &range.last, &range.step};
    std::size_t count = 0;
    std::istringstream pieces(part);
    bool good = !part.empty() && part.back() != ':';
    for (std::string piece; std::getline(pieces, piece, ':'); ++count) {
        good = good && count < 3 && parse_number(piece, *numbers[count]);
    }
    if (!good || range.step < 1) {
        throw InputError(fmt::format(
            "--frames {}: expected \"all\", a number, first:last or first:last:step, or several with commas",
            thixo::quoted(whole)));
    }
    if (count == 1) range.last = range.first;
    if (range.last < range.first)
        throw InputError(fmt::format("--frames {}: {} ends before it begins; write first:last, such as {}:{}",
                                     thixo::quoted(whole), part, range.last, range.first));
    return range;
}

std::vector<FrameFile> files_of_type(const std::filesystem::path& folder, const std::string& extension) {
    std::vector<FrameFile> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        int number = 0;
        if (entry.path().extension() != extension || !parse_number(entry.path().stem().string(), number))
            continue;
        files.push_back({number, entry.path()});
    }
    std::sort(files.begin(), files.end(),
              [](const FrameFile& a, const FrameFile& b) { return a.number < b.number; });
    return files;
}

bool has_velocity(const ParticleFrame& frame) {
    return frame.attributes.contains("vx") && frame.attributes.contains("vy") &&
           frame.attributes.contains("vz");
}

}  // namespace

std::vector<FrameFile> particle_files(const std::filesystem::path& folder) {
    std::error_code error;
    const auto status = std::filesystem::status(folder, error);
    if (error && status.type() != std::filesystem::file_type::not_found)
        throw InputError(fmt::format("{}: {}", folder.string(), error.message()));
    if (!std::filesystem::is_directory(status)) {
        throw InputError(fmt::format("{}: no such folder; give the output folder of a run", folder.string()));
    }
    const std::filesystem::path particles = folder / "particles";
    if (std::filesystem::is_directory(particles)) {
        for (const ParticleFormatInfo& format : particle_formats) {
            std::vector<FrameFile> files = files_of_type(particles, fmt::format(".{}", format.name));
            if (!files.empty()) return files;
        }
    }
    throw InputError(fmt::format(
        "{}: no particle files (particles/0000.ply, …); is it the output folder of a run?", folder.string()));
}

std::vector<FrameFile> selected(const std::vector<FrameFile>& files, const std::string& frames) {
    if (frames == "all") return files;
    std::set<int> numbers;
    std::istringstream parts(frames);
    for (std::string part; std::getline(parts, part, ',');) {
        const FrameRange range = parse_range(part, frames);
        const int last = std::min(range.last, files.back().number);
        for (std::int64_t n = range.first; n <= last; n += range.step) numbers.insert(static_cast<int>(n));
    }
    std::vector<FrameFile> chosen;
    for (const FrameFile& file : files) {
        if (numbers.contains(file.number)) chosen.push_back(file);
    }
    if (chosen.empty()) {
        throw InputError(fmt::format("--frames {}: the run has no such frame; it has {} to {}",
                                     thixo::quoted(frames), files.front().number, files.back().number));
    }
    return chosen;
}

std::vector<FrameFile> surveyed(const std::vector<FrameFile>& files) {
    std::error_code error;
    const std::uintmax_t largest =
        std::max<std::uintmax_t>(1, std::filesystem::file_size(files.back().path, error));
    const std::uintmax_t affordable =
        error ? files.size() : std::max<std::uintmax_t>(8, survey_bytes / largest);
    std::vector<FrameFile> chosen;
    for (const std::size_t i : evenly_chosen(files.size(), affordable)) chosen.push_back(files[i]);
    return chosen;
}

std::vector<std::string> attribute_names(const ParticleFrame& frame) {
    std::vector<std::string> names;
    if (has_velocity(frame)) names.emplace_back("speed");
    for (const auto& [name, values] : frame.attributes) names.push_back(name);
    return names;
}

std::vector<float> attribute(const ParticleFrame& frame, const std::string& name) {
    if (const auto found = frame.attributes.find(name); found != frame.attributes.end()) return found->second;
    if (name == "speed" && has_velocity(frame)) {
        const auto& vx = frame.attributes.at("vx");
        const auto& vy = frame.attributes.at("vy");
        const auto& vz = frame.attributes.at("vz");
        std::vector<float> speed(vx.size());
        for (std::size_t i = 0; i < speed.size(); ++i) speed[i] = norm(Vec3f{vx[i], vy[i], vz[i]});
        return speed;
    }
    const std::vector<std::string> names = attribute_names(frame);
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw InputError(
        fmt::format("the particles have no attribute {}{}", thixo::quoted(name), suggestion(name, known)));
}

std::vector<std::filesystem::path> surface_files(const std::filesystem::path& folder, int number) {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_directory(folder / "surface"))
        for (const auto& entry : std::filesystem::directory_iterator(folder / "surface")) {
            const std::filesystem::path file = entry.path() / fmt::format("{:04}.ply", number);
            if (std::filesystem::exists(file)) files.push_back(file);
        }
    std::sort(files.begin(), files.end());
    return files;
}

SurfaceMesh surfaces_of_frame(const std::filesystem::path& folder, int number) {
    const std::vector<std::filesystem::path> files = surface_files(folder, number);
    if (files.empty())
        throw InputError(
            fmt::format("{}: no surface of frame {} (surface/NAME/{:04}.ply); `thixo surface` makes it",
                        folder.string(), number, number));
    SurfaceMesh all;
    for (const auto& file : files) append(all, read_mesh(file));
    return all;
}

OutlineBeads beads_along(const SurfaceMesh& outline, const std::vector<float>& values, float radius) {
    OutlineBeads beads;
    for (const SurfaceMesh::Ends& edge : outline.edges) {
        const Vec3f a = outline.vertices[edge[0]], b = outline.vertices[edge[1]];
        const int count = std::max(1, static_cast<int>(std::ceil(2 * norm(b - a) / radius)));
        for (int k = 0; k < count; ++k) {
            const float t = static_cast<float>(k) / static_cast<float>(count);
            beads.position.push_back(a + t * (b - a));
            beads.radius.push_back(radius);
            beads.values.push_back((1 - t) * values[edge[0]] + t * values[edge[1]]);
        }
    }
    return beads;
}

std::vector<float> attribute(const SurfaceMesh& mesh, const std::string& name) {
    const auto column = [&](const std::string& column_name) -> const std::vector<float>* {
        for (const SurfaceMesh::Attribute& a : mesh.attributes)
            if (a.name == column_name) return &a.values;
        return nullptr;
    };
    if (const std::vector<float>* values = column(name)) return *values;
    std::vector<float> values;
    const auto *vx = column("vx"), *vy = column("vy"), *vz = column("vz");
    if (name == "speed" && vx && vy && vz) {
        for (std::size_t v = 0; v < vx->size(); ++v)
            values.push_back(norm(Vec3f{(*vx)[v], (*vy)[v], (*vz)[v]}));
        return values;
    }
    for (const Vec3f& x : mesh.vertices) values.push_back(name == "x" ? x.x : name == "y" ? x.y : x.z);
    if (name == "x" || name == "y" || name == "z") return values;
    std::vector<std::string_view> known{"speed", "x", "y", "z"};
    for (const SurfaceMesh::Attribute& a : mesh.attributes) known.push_back(a.name);
    throw InputError(
        fmt::format("the surfaces have no attribute {}{}", thixo::quoted(name), suggestion(name, known)));
}

}  // namespace thixo
