#include "table_notes.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "provenance.h"
#include "scene/json_text.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

/// As docs/formats.md lists them; a test compares.
struct TableColumn {
    std::string_view name, unit, meaning;
};

constexpr TableColumn stats_columns[] = {
    {"frame", "", "number of the frame, from 0"},
    {"time", "s", "simulated time"},
    {"steps", "", "steps since the last frame"},
    {"particles", "", "number of particles"},
    {"liquid", "", "of them liquid"},
    {"elastic", "", "of them elastic"},
    {"rigid", "", "of them rigid"},
    {"bodies", "", "number of connected solids"},
    {"mass", "kg", "total mass; in 2D per metre of depth, as all that follows from it"},
    {"px", "kg m/s", "momentum, x"},
    {"py", "kg m/s", "momentum, y"},
    {"pz", "kg m/s", "momentum, z"},
    {"lx", "kg m²/s", "angular momentum about the origin, x"},
    {"ly", "kg m²/s", "the same, y"},
    {"lz", "kg m²/s", "the same, z"},
    {"kinetic", "J", "kinetic energy"},
    {"potential", "J", "energy in the field of gravity, 0 at the origin"},
    {"elastic_energy", "J", "energy of deformed solids"},
    {"heat", "J", "Σ m (c T + latent heat), from 0 °C"},
    {"t_min", "°C", "lowest temperature"},
    {"t_mean", "°C", "mean temperature of the particles"},
    {"t_max", "°C", "highest temperature"},
    {"density_error", "1", "mean of max(0, ρ/ρ₀ − 1) over liquid particles"},
    {"solid_density_error", "1",
     "the same over elastic particles, of each at most 4; of lattice solids against their undeformed "
     "lattice"},
    {"dt_min", "s", "shortest step since the last frame"},
    {"dt_max", "s", "longest step since the last frame"},
    {"neighbours", "", "mean number of neighbours"},
    {"wall_seconds", "s", "time that the frame took"},
    {"hash", "", "hash of the state: equal for equal bits"},
};

constexpr TableColumn bodies_columns[] = {
    {"frame", "", "first frame that shows the event"},
    {"time", "s", "time of the event"},
    {"body", "", "number of the body"},
    {"event", "", "`started`, `froze`, `came off`, `merged` or `melted`"},
    {"parents", "", "bodies it came from, separated by spaces"},
    {"particles", "", "of the body after the event"},
    {"mass", "kg", "of the body after the event; in 2D per metre of depth"},
    {"x", "m", "centre of mass, x"},
    {"y", "m", "centre of mass, y"},
    {"z", "m", "centre of mass, z"},
    {"vx", "m/s", "velocity of the centre, x"},
    {"vy", "m/s", "the same, y"},
    {"vz", "m/s", "the same, z"},
};

constexpr TableColumn surface_columns[] = {
    {"frame", "", "number of the frame, from 0"},
    {"time", "s", "simulated time"},
    {"name", "", "of the surface: `all`, a material, phase or object, or a body"},
    {"particles", "", "that it encloses"},
    {"vertices", "", "of the mesh"},
    {"triangles", "", "of the mesh; in 2D edges"},
    {"components", "", "connected parts; in 2D polylines"},
    {"genus", "", "handles"},
    {"volume", "m³", "of the mesh; in 2D its area, m²"},
    {"matter", "m³", "Σ m/ρ₀ of its particles; in 2D m²"},
    {"area", "m²", "of the mesh; in 2D its length, m"},
    {"manifold", "", "1: closed, oriented and manifold"},
    {"seconds", "s", "time that it took"},
    {"parent", "", "with `--by body`: the body that this one came off, or 0"},
};

constexpr TableColumn foam_columns[] = {
    {"frame", "", "number of the frame, from 0"}, {"time", "s", "simulated time"},
    {"spray", "", "particles: drops in the air"}, {"foam", "", "particles: at the surface of the liquid"},
    {"bubbles", "", "particles: in the liquid"},  {"made", "", "particles: made since the start"},
};

constexpr TableColumn probes_columns[] = {
    {"frame", "", "number of the frame, from 0"},
    {"time", "s", "simulated time"},
    {"level", "m", "`level`: height of the surface, against gravity from the origin"},
    {"front", "m", "`front`: farthest place of the liquid along the direction, from the origin"},
    {"pressure", "Pa", "`point`: pressure"},
    {"density", "kg/m³", "`point`: density"},
    {"temperature", "°C", "`point`: temperature"},
    {"vx", "m/s", "`point`: velocity, `body`: velocity of the centre, x"},
    {"vy", "m/s", "the same, y"},
    {"vz", "m/s", "the same, z"},
    {"volume", "m³/s", "`flow`: volume per second along the direction; in 2D m²/s"},
    {"mass", "kg/s, kg", "`flow`: mass per second; `body`: mass that is solid"},
    {"fx", "N", "`force`: mean force of the frame on the obstacle, or of what holds matter, x"},
    {"fy", "N", "the same, y"},
    {"fz", "N", "the same, z"},
    {"tx", "N m", "`force`: mean torque about `at`, x"},
    {"ty", "N m", "the same, y"},
    {"tz", "N m", "the same, z"},
    {"x", "m", "`body`: centre of mass, x"},
    {"y", "m", "the same, y"},
    {"z", "m", "the same, z"},
    {"rx", "degrees", "`body`: rotation vector of a rigid body since the start, x; `nan` if it is elastic"},
    {"ry", "degrees", "the same, y"},
    {"rz", "degrees", "the same, z"},
    {"px", "kg m/s", "`body`: momentum, x"},
    {"py", "kg m/s", "the same, y"},
    {"pz", "kg m/s", "the same, z"},
    {"lx", "kg m²/s", "`body`: angular momentum about its centre, x"},
    {"ly", "kg m²/s", "the same, y"},
    {"lz", "kg m²/s", "the same, z"},
    {"wx", "rad/s", "`body`: angular velocity, x"},
    {"wy", "rad/s", "the same, y"},
    {"wz", "rad/s", "the same, z"},
};

struct KnownTable {
    std::string_view file;
    std::span<const TableColumn> columns;
};

constexpr KnownTable known_tables[] = {{"stats.csv", stats_columns},
                                       {"bodies.csv", bodies_columns},
                                       {"surface.csv", surface_columns},
                                       {"foam.csv", foam_columns},
                                       {"probes.csv", probes_columns}};

/// The description of a column; columns of probes have the name of their probe and a dot in front.
std::string column_text(std::span<const TableColumn> columns, std::string_view title) {
    const std::string_view name = title.substr(title.rfind('.') + 1);
    const auto known =
        std::find_if(columns.begin(), columns.end(), [&](const TableColumn& c) { return c.name == name; });
    std::string text = "{\"titles\": " + json_text(std::string(title));
    if (known != columns.end() && !known->unit.empty())
        text += ", \"schema:unitText\": " + json_text(std::string(known->unit));
    if (known != columns.end()) text += ", \"dc:description\": " + json_text(std::string(known->meaning));
    return text + "}";
}

}  // namespace

fs::path table_notes(const fs::path& table) { return table.string() + "-metadata.json"; }

bool is_table_notes(const fs::path& name) {
    return std::any_of(std::begin(known_tables), std::end(known_tables),
                       [&](const KnownTable& known) { return name == table_notes(known.file); });
}

void write_table_notes(const fs::path& table, std::string_view header, const std::string& scene) {
    const auto known = std::find_if(std::begin(known_tables), std::end(known_tables),
                                    [&](const KnownTable& t) { return table.filename() == t.file; });
    if (known == std::end(known_tables)) return;
    std::string columns;
    header = header.substr(0, header.find('\n'));
    while (!header.empty()) {
        const std::size_t comma = std::min(header.find(','), header.size());
        columns += fmt::format("{}    {}", columns.empty() ? "" : ",\n",
                               column_text(known->columns, header.substr(0, comma)));
        header.remove_prefix(std::min(comma + 1, header.size()));
    }
    write_whole(
        table_notes(table),
        fmt::format(
            "{{\n  \"@context\": \"http://www.w3.org/ns/csvw\",\n  \"url\": {},\n  \"dc:creator\": {},\n{}"
            "  \"tableSchema\": {{ \"columns\": [\n{}\n  ] }}\n}}\n",
            json_text(std::string(known->file)), json_text(program_name()),
            scene.empty() ? "" : fmt::format("  \"dc:title\": {},\n", json_text(scene)), columns));
}

}  // namespace thixo
