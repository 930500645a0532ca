// Stands in for the command `export` where Embree, and so the code for looks and cameras, was not found.
#include <CLI/CLI.hpp>

#include "core/error.h"
#include "export_command.h"

namespace thixo {

CLI::App* add_export_command(CLI::App& app, ExportOptions&) {
    CLI::App* command = app.add_subcommand("export", "not available: this program was built without Embree");
    command->allow_extras();
    return command;
}

int export_command(const ExportOptions&) {
    throw InputError(
        "this program was built without Embree and has no looks and cameras to export; install libembree-dev "
        "and "
        "build it again");
}

}  // namespace thixo
