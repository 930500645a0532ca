#include "surface_folder.h"

#include <charconv>
#include <fstream>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/input_file.h"
#include "io/mesh_files.h"
#include "provenance.h"
#include "scene/describe_choices.h"
#include "table_notes.h"
#include "vdb_available.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

constexpr const char* table_header =
    "frame,time,name,particles,vertices,triangles,components,genus,volume,matter,area,manifold,seconds,"
    "parent\n";

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
        "\"specks\": {}, \"slivers\": {}, \"rest\": {}, \"skins\": {}, "
        "\"formats\": [{}] }}\n",
        name_of(s.method), s.resolution, s.smooth, name_of(output.by), s.match_volume, s.specks, s.slivers,
        output.rest, output.skins, formats);
}

std::string read_text(const fs::path& file) {
    std::ifstream in = open_input(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The rows of a table by frame. A row that was cut short ends it.
std::map<int, std::string> read_rows(const fs::path& table, long last_frame) {
    std::map<int, std::string> rows;
    std::ifstream in = open_input(table);
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

SurfaceFolder::SurfaceFolder(fs::path run, const SurfaceOutput& output, long last_frame)
    : run_(std::move(run)), output_(output), states_(run_ / "surface") {
    const std::string settings = settings_text(output);
    if (read_text(settings_file(run_)) == settings) {
        rows_ = read_rows(table_file(run_), last_frame);
        return;
    }
    clear(run_);
    create_folder(run_ / "surface");
    write_whole(settings_file(run_), settings);
    write_table_notes(table_file(run_), table_header, "");
}

void SurfaceFolder::write_states(int frame, int last, const std::vector<NamedSurface>& surfaces) const {
    bool any = false;
    for (const NamedSurface& named : surfaces) {
        if (!named.surface.active) continue;
        states_.write(named.name, frame, *named.surface.active);
        any = true;
    }
    if (any) states_.forget_before(last);
}

void SurfaceFolder::write(int frame, int last, double time, const std::vector<NamedSurface>& surfaces) {
    std::string rows;
    for (const NamedSurface& named : surfaces) {
        const fs::path folder = run_ / "surface" / named.name;
        create_folder(folder);
        for (const MeshFormat format : output_.formats) {
            const fs::path file = folder / fmt::format("{:04}.{}", frame, file_ending(format));
            if (format == MeshFormat::vdb)
                write_field(file, named.surface, named.cell, time);
            else
                write_mesh(file, named.surface.mesh, format,
                           {.frame = frame, .time = time, .program = program_name()});
        }
        const MeshReport& r = named.surface.report;
        rows += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.4f},{}\n", frame, time, named.name,
                            named.particles, r.vertices, r.triangles, r.components, r.genus, r.volume,
                            named.surface.volume, r.area, r.manifold() ? 1 : 0, named.seconds,
                            named.parent ? fmt::format("{}", *named.parent) : std::string{});
    }
    write_states(frame, last, surfaces);
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
    std::vector<fs::path> files{table_file(run), table_notes(table_file(run)), settings_file(run)};
    if (fs::is_directory(run / "surface"))
        for (const auto& entry : fs::recursive_directory_iterator(run / "surface")) {
            fs::path name = entry.path().filename();
            if (name.extension() == ".part") name = name.stem();
            const fs::path kind = name.extension();
            if (entry.is_regular_file() && is_number(name.stem().string()) &&
                (kind == ".ply" || kind == ".obj" || kind == ".vtp" || kind == ".vdb" ||
                 kind == ActiveStates::ending))
                files.push_back(entry.path());
        }
    for (const fs::path& file : files) fs::remove(file, ignored);
}

}  // namespace thixo
