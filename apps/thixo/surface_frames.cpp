#include "surface_frames.h"

#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "io/mesh_files.h"
#include "scene/describe_choices.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

constexpr const char* table_header =
    "frame,time,name,particles,vertices,triangles,components,genus,volume,matter,area,manifold,seconds\n";

/// Some particles of a frame, with the columns that surfaces carry on.
struct Group {
    std::string name;
    std::vector<Index> rows;
};

const std::vector<float>* column(const ParticleFrame& frame, const std::string& name) {
    const auto found = frame.attributes.find(name);
    return found == frame.attributes.end() ? nullptr : &found->second;
}

/// A name that is a folder everywhere.
std::string folder_name(std::string name) {
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
    return name.starts_with('.') ? "_" + name : name;
}

std::string group_name(SurfaceGrouping by, int key, const SurfaceContext& context) {
    const auto k = static_cast<std::size_t>(key);
    switch (by) {
        case SurfaceGrouping::all:
            break;
        case SurfaceGrouping::material:
            return k < context.materials.size() ? folder_name(context.materials[k])
                                                : fmt::format("material_{}", key);
        case SurfaceGrouping::phase:
            return k < phase_names.size() ? std::string(phase_names[k]) : fmt::format("phase_{}", key);
        case SurfaceGrouping::body:
            return key == 0 ? "liquid" : fmt::format("body_{}", key);
    }
    return "all";
}

std::vector<Group> groups_of(const ParticleFrame& frame, SurfaceGrouping by, const SurfaceContext& context) {
    const char* name = by == SurfaceGrouping::material ? "material"
                       : by == SurfaceGrouping::phase  ? "phase"
                                                       : "body";
    const std::vector<float>* keys = by == SurfaceGrouping::all ? nullptr : column(frame, name);
    if (by != SurfaceGrouping::all && !keys)
        throw InputError(
            fmt::format("the particles have no attribute \"{}\" to group their surfaces by", name));
    std::map<int, Group> groups;
    // A frame without particles has a surface too: an empty one.
    if (by == SurfaceGrouping::all) groups[0].name = "all";
    for (Index i = 0; i < frame.position.size(); ++i) {
        const int key = keys ? static_cast<int>((*keys)[i]) : 0;
        Group& group = groups[key];
        if (group.name.empty()) group.name = group_name(by, key, context);
        group.rows.push_back(i);
    }
    std::vector<Group> out;
    for (auto& [key, group] : groups) out.push_back(std::move(group));
    return out;
}

std::vector<float> picked(const std::vector<float>& values, const std::vector<Index>& rows) {
    std::vector<float> out;
    out.reserve(rows.size());
    for (const Index row : rows) out.push_back(values[row]);
    return out;
}

/// m/ρ₀ of each particle, m³; empty where the files or the scene do not say.
std::vector<float> volumes(const ParticleFrame& frame, const SurfaceContext& context) {
    const std::vector<float>*mass = column(frame, "mass"), *material = column(frame, "material");
    if (!mass || !material || context.densities.empty()) return {};
    std::vector<float> out(mass->size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto m = static_cast<std::size_t>((*material)[i]);
        if (m >= context.densities.size()) return {};
        out[i] = static_cast<float>((*mass)[i] / context.densities[m]);
        if (!(out[i] > 0) || !std::isfinite(out[i])) return {};
    }
    return out;
}

struct CarriedColumn {
    const char *name, *unit;
    bool blend;
};
constexpr CarriedColumn carried[] = {
    {"vx", "m/s", true},  {"vy", "m/s", true},     {"vz", "m/s", true},   {"temperature", "degC", true},
    {"phase", "", false}, {"material", "", false}, {"object", "", false}, {"body", "", false}};

Surface surface_of(const Device& device, const ParticleFrame& frame, const std::vector<float>& volume,
                   const std::vector<Index>& rows, const SurfaceOutput& output, const SurfaceContext& context,
                   const std::vector<SurfaceObstacle>& obstacles) {
    std::vector<Vec3f> position;
    position.reserve(rows.size());
    for (const Index row : rows) position.push_back(frame.position[row]);
    const std::vector<float> radius = picked(frame.radius, rows);
    const std::vector<float> own_volume = volume.empty() ? std::vector<float>{} : picked(volume, rows);
    std::vector<std::vector<float>> values;
    std::vector<ParticleAttribute> attributes;
    values.reserve(std::size(carried));
    for (const CarriedColumn& c : carried) {
        const std::vector<float>* source = column(frame, c.name);
        if (!source) continue;
        values.push_back(picked(*source, rows));
        attributes.push_back({c.name, c.unit, values.back(), c.blend});
    }
    return reconstruct(device, {position, radius, own_volume}, attributes, output.settings, context.radius,
                       free_memory(), obstacles);
}

template <class Enumeration>
std::string name_of(Enumeration value) {
    for (const auto& choice : choices(Tag<Enumeration>{}))
        if (choice.value == value) return std::string(choice.name);
    return {};
}

std::string settings_text(const SurfaceOutput& output) {
    const SurfaceSettings& s = output.settings;
    std::string formats;
    for (const MeshFormat format : output.formats)
        formats += fmt::format("{}\"{}\"", formats.empty() ? "" : ", ", name_of(format));
    return fmt::format(
        "{{ \"method\": \"{}\", \"resolution\": {}, \"smooth\": {}, \"by\": \"{}\", \"match_volume\": {}, "
        "\"specks\": {}, "
        "\"formats\": [{}] }}\n",
        name_of(s.method), s.resolution, s.smooth, name_of(output.by), s.match_volume, s.specks, formats);
}

std::string read_text(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The rows of a table by frame. A row that was cut short ends it.
std::map<int, std::string> read_rows(const fs::path& table, long last_frame) {
    std::map<int, std::string> rows;
    std::ifstream in(table, std::ios::binary);
    std::string line;
    if (!std::getline(in, line) || line + "\n" != table_header) return rows;
    while (std::getline(in, line) && !in.eof()) {
        int frame = -1;
        std::from_chars(line.data(), line.data() + line.size(), frame);
        if (frame >= 0 && frame <= last_frame) rows[frame] += line + "\n";
    }
    return rows;
}

fs::path table_file(const fs::path& run) { return run / "surface.csv"; }
fs::path settings_file(const fs::path& run) { return run / "surface" / "settings.json"; }

}  // namespace

SurfaceContext surface_context(const Scene& scene) {
    SurfaceContext context{.radius = 0.5 * scene.model.particles.spacing};
    for (const Material& material : scene.model.materials) {
        context.materials.push_back(material.name);
        context.densities.push_back(material.density);
    }
    context.obstacles = scene.model.obstacles;
    return context;
}

std::vector<NamedSurface> surfaces_of(const Device& device, const ParticleFrame& frame,
                                      const SurfaceOutput& output, const SurfaceContext& context) {
    const std::vector<float> volume = volumes(frame, context);
    std::vector<SurfaceObstacle> obstacles;
    for (const Obstacle& o : context.obstacles)
        obstacles.push_back({o.shape, o.inside, o.motion.at(frame.time)});
    std::vector<NamedSurface> out;
    for (const Group& group : groups_of(frame, output.by, context)) {
        const auto start = std::chrono::steady_clock::now();
        Surface surface = surface_of(device, frame, volume, group.rows, output, context, obstacles);
        if (!surface.report.manifold())
            throw RunError(
                fmt::format("the surface of `{}` at t = {:g} s is not a closed manifold ({} open vertices, "
                            "{} triangles without area); it "
                            "was not written. Another resolution may help",
                            group.name, frame.time, surface.report.open, surface.report.degenerate));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        out.push_back({group.name, group.rows.size(), std::move(surface), seconds.count()});
    }
    return out;
}

SurfaceFolder::SurfaceFolder(fs::path run, const SurfaceOutput& output, long last_frame)
    : run_(std::move(run)), output_(output) {
    const std::string settings = settings_text(output);
    if (read_text(settings_file(run_)) == settings) {
        rows_ = read_rows(table_file(run_), last_frame);
        return;
    }
    clear(run_);
    std::error_code error;
    fs::create_directories(run_ / "surface", error);
    if (error)
        throw RunError(fmt::format("cannot create {}: {}", (run_ / "surface").string(), error.message()));
    write_whole(settings_file(run_), settings);
}

void SurfaceFolder::write(int frame, double time, const std::vector<NamedSurface>& surfaces) {
    std::string rows;
    for (const NamedSurface& named : surfaces) {
        const fs::path folder = run_ / "surface" / named.name;
        std::error_code error;
        fs::create_directories(folder, error);
        if (error) throw RunError(fmt::format("cannot create {}: {}", folder.string(), error.message()));
        for (const MeshFormat format : output_.formats)
            write_mesh(folder / fmt::format("{:04}.{}", frame, file_ending(format)), named.surface.mesh,
                       format, {.frame = frame, .time = time});
        const MeshReport& r = named.surface.report;
        rows += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.4f}\n", frame, time, named.name,
                            named.particles, r.vertices, r.triangles, r.components, r.genus, r.volume,
                            named.surface.volume, r.area, r.manifold() ? 1 : 0, named.seconds);
    }
    rows_[frame] = rows;
    std::string table = table_header;
    for (const auto& [number, text] : rows_) table += text;
    write_whole(table_file(run_), table);
}

void SurfaceFolder::clear(const fs::path& run) {
    std::error_code ignored;
    const auto is_number = [](const std::string& text) {
        return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    };
    std::vector<fs::path> files{table_file(run), settings_file(run)};
    if (fs::is_directory(run / "surface"))
        for (const auto& entry : fs::recursive_directory_iterator(run / "surface")) {
            fs::path name = entry.path().filename();
            if (name.extension() == ".part") name = name.stem();
            const fs::path kind = name.extension();
            if (entry.is_regular_file() && is_number(name.stem().string()) &&
                (kind == ".ply" || kind == ".obj" || kind == ".vtp"))
                files.push_back(entry.path());
        }
    for (const fs::path& file : files) fs::remove(file, ignored);
}

}  // namespace thixo
