#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>

#include <fmt/core.h>

#include "commands.h"
#include "core/error.h"
#include "core/input_file.h"
#include "io/describe.h"
#include "io/mesh_files.h"
#include "run_folder.h"
#include "scene/load.h"
#include "sim/checkpoint.h"
#include "surface/mesh_report.h"
#include "surface/outline.h"
#include "text.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

/// A number of a table with its significant digits: 0.811069 for 0.8110691127949394. Whole numbers,
/// hashes and words stay as they are.
std::string readable(const std::string& field) {
    if (field.find_first_not_of("0123456789.eE+-") != std::string::npos ||
        field.find('.') == std::string::npos)
        return field;
    double value = 0;
    const char* end = field.data() + field.size();
    const auto [stop, error] = std::from_chars(field.data(), end, value);
    return error == std::errc{} && stop == end ? fmt::format("{:.6g}", value) : field;
}

/// First and last row of a ledger, side by side.
void describe_statistics(const fs::path& file) {
    std::ifstream in = open_input(file);
    std::string header, first, last;
    std::getline(in, header);
    std::size_t rows = 0;
    for (std::string line; std::getline(in, line); ++rows) (rows == 0 ? first : last) = line;
    if (rows < 2) last = first;
    fmt::print("{}: {} frames\n", file.string(), rows);
    const auto names = fields_of(header), start = fields_of(first), end = fields_of(last);
    if (rows == 0 || start.size() != names.size() || end.size() != names.size()) return;
    fmt::print("  {:<20} {:>16} {:>16}\n", "", "first", "last");
    for (std::size_t k = 0; k < names.size(); ++k)
        fmt::print("  {:<20} {:>16} {:>16}\n", names[k], readable(start[k]), readable(end[k]));
}

void describe_outline(const fs::path& file, const SurfaceMesh& outline) {
    const MeshReport report = examine_outline(outline);
    fmt::print(
        "{}\nvertices    {}\noutlines    {}\narea        {:.6g} m²\nlength      {:.6g} m\nclosed      {}\n",
        file.string(), with_commas(report.vertices), with_commas(report.components), report.volume,
        report.area, report.manifold() ? "yes" : "no");
}

void describe_mesh(const fs::path& file) {
    const SurfaceMesh mesh = read_mesh(file);
    if (!mesh.edges.empty()) return describe_outline(file, mesh);
    const MeshReport report = examine({}, mesh);
    fmt::print("{}\nvertices    {}\ntriangles   {}\ncomponents  {}\n", file.string(),
               with_commas(report.vertices), with_commas(report.triangles), with_commas(report.components));
    if (report.manifold()) {
        fmt::print("genus       {}\nvolume      {:.6g} m³\n", report.genus, report.volume);
    }
    fmt::print("area        {:.6g} m²\n", report.area);
    if (report.manifold())
        fmt::print("closed      yes: oriented, manifold, every triangle has an area\n");
    else
        fmt::print(
            "closed      no: {} vertices whose triangles do not close to a ring, {} triangles without area\n",
            with_commas(report.open), with_commas(report.degenerate));
    std::string names;
    for (const SurfaceMesh::Attribute& attribute : mesh.attributes) names += " " + attribute.name;
    if (!names.empty()) fmt::print("attributes {}\n", names);
}

/// Number of bodies at the start, and the events since then.
void describe_lineage(const fs::path& file) {
    std::ifstream in = open_input(file);
    std::size_t first = 0;
    std::string line, history;
    for (std::getline(in, line); std::getline(in, line);) {
        const auto fields = fields_of(line);
        if (fields.size() < 6) continue;
        const std::string &time = fields[1], &body = fields[2], &event = fields[3], &parents = fields[4],
                          &particles = fields[5];
        if (event == "started") {
            ++first;
            continue;
        }
        history += fmt::format("  t = {} s: ", time);
        if (event == "merged")
            history += fmt::format("bodies {} merged into body {}, {} particles\n", parents, body, particles);
        else if (event == "came off")
            history += fmt::format("body {} came off body {} with {} particles\n", body, parents, particles);
        else
            history += fmt::format("body {} {}, {} particles\n", body, event, particles);
    }
    fmt::print("{}: {} at the start\n{}", file.string(),
               first == 1 ? "1 body" : fmt::format("{} bodies", first), history);
}

void describe_checkpoint(const fs::path& file) {
    const SavedParticles saved(load_checkpoint(file).snapshot);
    const Clock& clock = saved.clock;
    fmt::print("{}: frame {}, t = {:.6g} s, step {}, {} particles, {} bodies\n", file.string(), clock.frame,
               clock.time, clock.step, with_commas(saved.particles.size()), count_bodies(saved.particles));
}

void describe_scene(const fs::path& file) {
    const Scene scene = load_scene(file);
    fmt::print("{}: `{}`, {}D, {}, {}, {}, {:g} s at {:g} frames a second, spacing {:g} m\n", file.string(),
               scene.name, scene.model.dimensions, counted(scene.model.objects.size(), "object"),
               counted(scene.model.obstacles.size(), "obstacle"),
               counted(scene.model.materials.size(), "material"), scene.duration, scene.frame_rate,
               scene.model.particles.spacing);
}

void describe_folder(const fs::path& path) {
    const RunFolder folder(path);
    if (!folder.holds_a_run()) {
        throw InputError(fmt::format("{} is not the folder of a run: it has no scene.json", path.string()));
    }
    if (fs::exists(folder.scene_file())) describe_scene(folder.scene_file());
    struct Kind {
        std::size_t files = 0;
        double bytes = 0;
    };
    std::map<std::string, Kind> kinds;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        // A run that goes on renames its files when they are complete: what was listed may be gone.
        std::error_code gone;
        if (!entry.is_regular_file(gone)) continue;
        const auto bytes = entry.file_size(gone);
        if (gone) continue;
        const fs::path relative = fs::relative(entry.path(), path);
        Kind& kind = kinds[relative.has_parent_path()
                               ? (relative.parent_path() / "*").string() + relative.extension().string()
                               : relative.string()];
        ++kind.files;
        kind.bytes += static_cast<double>(bytes);
    }
    for (const auto& [name, kind] : kinds) {
        fmt::print("  {:<24} {:>6} file{} {:>10}\n", name, kind.files, kind.files == 1 ? " " : "s",
                   human_bytes(kind.bytes));
    }
    if (fs::exists(folder.checkpoint())) describe_checkpoint(folder.checkpoint());
    if (fs::exists(folder.bodies_file())) describe_lineage(folder.bodies_file());
    if (fs::exists(folder.statistics_file())) describe_statistics(folder.statistics_file());
}

}  // namespace

int info_command(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        throw InputError(fmt::format("{} does not exist", path.string()));
    if (error) throw InputError(fmt::format("{}: {}", path.string(), error.message()));
    if (!fs::is_directory(status) && !fs::is_regular_file(status))
        throw InputError(fmt::format("{} is a pipe or a device, not a file", path.string()));
    const std::string extension = path.extension().string();
    if (fs::is_directory(path)) {
        describe_folder(path);
    } else if (extension == ".json") {
        describe_scene(path);
    } else if (path.filename() == "bodies.csv") {
        describe_lineage(path);
    } else if (extension == ".csv") {
        describe_statistics(path);
    } else if (path.filename().string().starts_with("checkpoint")) {
        describe_checkpoint(path);
    } else if (extension == ".vdb") {
        throw InputError(
            fmt::format("{}: is a field for OpenVDB: vdb_print describes it; `thixo info` reads PLY, "
                        "OBJ and VTP meshes",
                        path.string()));
    } else if (holds_mesh(path)) {
        describe_mesh(path);
    } else {
        fmt::print("{}", describe_file(path));
    }
    return 0;
}

}  // namespace thixo
