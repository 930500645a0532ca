#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace thixo {

/// `thixo plot RUN…`: curves of what a run's tables say, as SVG and PNG.
struct PlotOptions {
    std::vector<std::filesystem::path> runs;  ///< folders of runs, or tables with a column `time`
    std::vector<std::string> panels;          ///< names; none: all that have something to tell
    std::vector<std::string> columns;         ///< a panel for each of these columns instead
    std::filesystem::path out;                ///< without its ending; empty: `plot` in the first run's folder
    std::string title;
    std::string command;  ///< as it was typed
    bool quiet = false;
};

CLI::App* add_plot_command(CLI::App& app, PlotOptions& options);

/// The exit code; throws InputError for what cannot be read and RunError for what cannot be written.
int plot_command(const PlotOptions& options);

}  // namespace thixo
