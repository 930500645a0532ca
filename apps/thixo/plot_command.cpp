#include "plot_command.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/input_file.h"
#include "number_table.h"
#include "picture_notes.h"
#include "plot/figure.h"
#include "scene/wording.h"
#include "text.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

/// One quantity of a panel: a column, or what is made of several.
struct Quantity {
    const char* name;
    std::vector<double> (*values)(const NumberTable& table);
};

struct PanelKind {
    const char *name, *title;
    std::vector<Quantity> quantities;
    bool from_zero = false, log = false;
};

template <std::size_t n>
struct Name {
    char text[n];
    constexpr Name(const char (&t)[n]) { std::copy_n(t, n, text); }
};
template <Name column>
std::vector<double> column_of(const NumberTable& table) {
    return table.columns.at(column.text);
}

/// The potential energy has no natural zero: it is shown above its lowest value.
std::vector<double> potential(const NumberTable& table) {
    std::vector<double> values = table.columns.at("potential");
    double lowest = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
        lowest = k == 0 || values[k] < lowest ? values[k] : lowest;
    for (double& v : values) v -= lowest;
    return values;
}

std::vector<double> total_energy(const NumberTable& table) {
    std::vector<double> sum = potential(table);
    for (const char* name : {"kinetic", "elastic_energy"})
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += table.columns.at(name)[k];
    return sum;
}

/// A column of what steps are like; the frame at the start has none.
template <Name column>
std::vector<double> of_steps(const NumberTable& table) {
    std::vector<double> values = table.columns.at(column.text);
    for (std::size_t k = 0; k < values.size(); ++k)
        if (!(table.columns.at("steps")[k] > 0)) values[k] = std::numeric_limits<double>::quiet_NaN();
    return values;
}

const std::vector<PanelKind>& panel_kinds() {
    static const std::vector<PanelKind> kinds{
        {"energy",
         "Energy, J (potential above its lowest)",
         {{"kinetic", column_of<"kinetic">},
          {"potential", potential},
          {"elastic", column_of<"elastic_energy">},
          {"sum", total_energy}},
         true},
        {"momentum",
         "Momentum, kg m/s",
         {{"x", column_of<"px">}, {"y", column_of<"py">}, {"z", column_of<"pz">}},
         true},
        {"phases",
         "Particles by phase",
         {{"liquid", column_of<"liquid">}, {"elastic", column_of<"elastic">}, {"rigid", column_of<"rigid">}},
         true},
        {"bodies",
         "Bodies, and what happened to them so far",
         {{"bodies", column_of<"bodies">},
          {"came off", column_of<"came off">},
          {"merged", column_of<"merged">},
          {"froze", column_of<"froze">},
          {"melted", column_of<"melted">}},
         true},
        {"temperature",
         "Temperature, °C",
         {{"lowest", column_of<"t_min">}, {"mean", column_of<"t_mean">}, {"highest", column_of<"t_max">}}},
        {"density",
         "Density error of liquids (mean of what exceeds 1)",
         {{"", column_of<"density_error">}},
         true},
        {"step",
         "Time step, s",
         {{"shortest", of_steps<"dt_min">}, {"longest", of_steps<"dt_max">}},
         true,
         true},
        {"seconds", "Seconds a frame took", {{"", of_steps<"wall_seconds">}}, true}};
    return kinds;
}

struct RunTable {
    std::string name;
    NumberTable table;
};

/// Adds, for each kind of event in `bodies.csv`, a column of how many there were up to each frame.
void add_events(const fs::path& bodies, NumberTable& table) {
    std::ifstream in = open_input(bodies);
    if (!in || !table.has("frame")) return;
    const std::vector<double>& frame = table.columns.at("frame");
    for (const char* event : {"came off", "merged", "froze", "melted"})
        table.columns[event].assign(table.rows, 0);
    std::string line;
    for (std::getline(in, line); std::getline(in, line);) {
        const std::vector<std::string> fields = fields_of(line);
        if (fields.size() < 4 || !table.has(fields[3])) continue;
        const double at = std::strtod(fields[0].c_str(), nullptr);
        std::vector<double>& count = table.columns.at(fields[3]);
        for (std::size_t k = 0; k < count.size(); ++k) count[k] += frame[k] >= at ? 1 : 0;
    }
}

RunTable read_run(const fs::path& run) {
    std::error_code error;
    if (!fs::exists(run, error)) throw InputError(fmt::format("{}: does not exist", run.string()));
    const bool folder = fs::is_directory(run, error);
    if (folder && !fs::exists(run / "stats.csv", error))
        throw InputError(fmt::format(
            "{}: has no stats.csv; `thixo plot` takes output folders of runs, or tables", run.string()));
    const fs::path named = fs::absolute(run).lexically_normal();
    RunTable out{(named.has_filename() ? named.filename() : named.parent_path().filename()).string(),
                 read_number_table(folder ? run / "stats.csv" : run)};
    if (!out.table.has("time"))
        throw InputError(fmt::format("{}: has no column `time`, or no rows", run.string()));
    if (folder) add_events(run / "bodies.csv", out.table);
    return out;
}

/// Runs of the same name are labelled by their folders.
std::vector<RunTable> read_runs(const std::vector<fs::path>& paths) {
    std::vector<RunTable> runs;
    for (const fs::path& path : paths) runs.push_back(read_run(path));
    for (std::size_t a = 0; a < runs.size(); ++a)
        for (std::size_t b = a + 1; b < runs.size(); ++b)
            if (runs[a].name == runs[b].name) {
                runs[a].name = paths[a].string();
                runs[b].name = paths[b].string();
            }
    return runs;
}

bool varies(const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [&](double v) { return v != values.front(); });
}

/// Whether all columns that the quantity is made of are there.
bool computable(const Quantity& quantity, const NumberTable& table) {
    try {
        quantity.values(table);
        return true;
    } catch (const std::out_of_range&) {
        return false;
    }
}

/// Quantities that are 0 in all runs are left away, and panels in which nothing ever changes.
Panel panel_of(const PanelKind& kind, const std::vector<RunTable>& runs, bool& interesting) {
    Panel panel{kind.title, {}, kind.from_zero, kind.log};
    interesting = false;
    std::size_t shown = 0;
    for (const Quantity& quantity : kind.quantities) {
        std::vector<PlotCurve> curves;
        bool nonzero = false;
        for (std::size_t r = 0; r < runs.size(); ++r) {
            if (!computable(quantity, runs[r].table)) continue;
            PlotCurve curve{quantity.name, runs[r].table.columns.at("time"), quantity.values(runs[r].table),
                            r, shown};
            nonzero = nonzero || std::any_of(curve.y.begin(), curve.y.end(), [](double v) { return v != 0; });
            interesting = interesting || varies(curve.y);
            curves.push_back(std::move(curve));
        }
        if (!nonzero) continue;
        ++shown;
        for (PlotCurve& curve : curves) panel.curves.push_back(std::move(curve));
    }
    return panel;
}

/// `a+b`: several columns in one panel.
Panel panel_of_columns(const std::string& columns, const std::vector<RunTable>& runs) {
    Panel panel{columns, {}, false, false};
    std::istringstream names(columns);
    std::size_t kind = 0;
    for (std::string name; std::getline(names, name, '+'); ++kind)
        for (std::size_t r = 0; r < runs.size(); ++r) {
            const NumberTable& table = runs[r].table;
            if (!table.has(name))
                throw InputError(fmt::format(
                    "--columns: {} has no column {}{}", runs[r].name, thixo::quoted(name),
                    suggestion(name, std::vector<std::string_view>(table.names.begin(), table.names.end()))));
            panel.curves.push_back(
                {columns == name ? "" : name, table.columns.at("time"), table.columns.at(name), r, kind});
        }
    return panel;
}

std::vector<Panel> chosen_panels(const PlotOptions& options, const std::vector<RunTable>& runs) {
    std::vector<Panel> panels;
    for (const std::string& columns : options.columns) panels.push_back(panel_of_columns(columns, runs));
    if (!panels.empty()) return panels;

    std::vector<std::string_view> known;
    for (const PanelKind& kind : panel_kinds()) known.emplace_back(kind.name);
    for (const std::string& panel : options.panels)
        if (std::find(known.begin(), known.end(), panel) == known.end())
            throw InputError(
                fmt::format("--what: {} is unknown{}", thixo::quoted(panel), suggestion(panel, known)));
    for (const PanelKind& kind : panel_kinds()) {
        const bool requested =
            std::find(options.panels.begin(), options.panels.end(), kind.name) != options.panels.end();
        if (!options.panels.empty() && !requested) continue;
        bool interesting = false;
        Panel panel = panel_of(kind, runs, interesting);
        if (requested || (interesting && !panel.curves.empty())) panels.push_back(std::move(panel));
    }
    if (panels.empty()) throw InputError("there is nothing to plot: no column changes over time");
    return panels;
}

}  // namespace

int plot_command(const PlotOptions& options) {
    const std::vector<RunTable> runs = read_runs(options.runs);
    Figure figure;
    for (const RunTable& run : runs) figure.runs.push_back(run.name);
    figure.title = !options.title.empty() ? options.title : runs.size() == 1 ? runs[0].name : "";
    figure.panels = chosen_panels(options, runs);
    const Drawing drawing = drawn(figure);

    fs::path base = options.out;
    if (base.empty())
        base = (fs::is_directory(options.runs[0]) ? options.runs[0] : options.runs[0].parent_path()) / "plot";
    if (base.extension() == ".svg" || base.extension() == ".png") base.replace_extension();
    write_whole(base.string() + ".svg", to_svg(drawing));
    write_png(base.string() + ".png", to_image(drawing, 2), picture_notes(figure.title, options.command));
    if (!options.quiet) fmt::print("{0}.svg\n{0}.png\n", base.string());
    return 0;
}

CLI::App* add_plot_command(CLI::App& app, PlotOptions& options) {
    CLI::App* command =
        app.add_subcommand("plot", "draw curves over time of one or several runs, as SVG and PNG");
    command->add_option("runs", options.runs, "output folders of runs, or tables with a column `time`")
        ->required()
        ->type_name("DIR|CSV");
    command
        ->add_option("--what", options.panels,
                     "energy, momentum, phases, bodies, temperature, density, step, seconds; several with "
                     "commas. All that change, by default")
        ->delimiter(',');
    command
        ->add_option("--columns", options.columns,
                     "these columns of the tables instead, a panel for each; a+b: in one")
        ->type_name("NAME,…")
        ->delimiter(',');
    command->add_option("--title", options.title, "words above the panels");
    command->add_option("--out", options.out, "file to write, without its ending (default: DIR/plot)")
        ->type_name("FILE");
    command->add_flag("--quiet", options.quiet, "print nothing");
    return command;
}

}  // namespace thixo
