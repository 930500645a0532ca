// Stands in for the command `render` where Embree was not found.
#include <CLI/CLI.hpp>

#include "core/error.h"
#include "render_command.h"

namespace thixo {

CLI::App* add_render_command(CLI::App& app, RenderOptions&) {
    CLI::App* command = app.add_subcommand("render", "not available: this program was built without Embree");
    command->allow_extras();
    return command;
}

int render_command(const RenderOptions&) {
    throw InputError(
        "this program was built without Embree and cannot make pictures; install libembree-dev and build it "
        "again");
}

}  // namespace thixo
