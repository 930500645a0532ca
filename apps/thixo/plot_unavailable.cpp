// Stands in for the command `plot` where Embree, and so the code for pictures, was not found.
#include <CLI/CLI.hpp>

#include "core/error.h"
#include "plot_command.h"

namespace thixo {

CLI::App* add_plot_command(CLI::App& app, PlotOptions&) {
    CLI::App* command = app.add_subcommand("plot", "not available: this program was built without Embree");
    command->allow_extras();
    return command;
}

int plot_command(const PlotOptions&) {
    throw InputError(
        "this program was built without Embree and cannot make pictures; install libembree-dev and build it "
        "again");
}

}  // namespace thixo
