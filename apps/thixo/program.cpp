#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <string>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "commands.h"
#include "completion.h"
#include "core/error.h"
#include "core/wait_policy.h"
#include "export_command.h"
#include "foam_command.h"
#include "help_formatter.h"
#include "new_command.h"
#include "plot_command.h"
#include "preview_command.h"
#include "program.h"
#include "provenance.h"
#include "render_command.h"
#include "scene/load.h"
#include "surface_command.h"
#include "view_command.h"

namespace {

constexpr int done = 0, run_failed = 1, bad_input = 2;

void add_scene_options(CLI::App& command, std::filesystem::path& scene, std::vector<std::string>& overrides,
                       int& threads) {
    command.add_option("scene", scene, "scene file (JSON, comments allowed)")->required()->type_name("SCENE");
    command.add_option("--set", overrides, "change a key of the scene: --set particles.spacing=0.02")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
    command.add_option("--threads", threads, "number of threads; default: all cores")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
}

int run_command_line(int argc, char** argv) {
    CLI::App app(
        "Thixo simulates matter that changes state: one scene file goes in; particles, pictures and numbers "
        "come out.");
    app.name("thixo");
    app.formatter(std::make_shared<thixo::HelpFormatter>());  // before the subcommands, which take it over
    app.set_version_flag("--version", thixo::version_line());
    app.require_subcommand(1);
    app.failure_message([argc](const CLI::App*, const CLI::Error& error) {
        if (argc < 2)
            return std::string(
                "error: which command? `thixo new melt` writes a scene to begin with, "
                "`thixo --help` lists all commands\n");
        return fmt::format("error: {}; `thixo --help` and `thixo COMMAND --help` list all options\n",
                           error.what());
    });

    std::string template_name;
    std::filesystem::path new_file;
    CLI::App* new_app = app.add_subcommand("new", "write a small scene to begin with");
    new_app->add_option("template", template_name, "which one; without it they are listed")
        ->type_name("TEMPLATE");
    new_app->add_option("file", new_file, "scene file to write; default: TEMPLATE.json")->type_name("FILE");

    thixo::CheckOptions check;
    CLI::App* check_app =
        app.add_subcommand("check", "validate a scene and estimate memory, run time and disk space");
    add_scene_options(*check_app, check.scene, check.overrides, check.threads);

    thixo::PreviewOptions preview;
    preview.command = thixo::command_line(argc, argv);
    CLI::App* preview_app = app.add_subcommand("preview", "draw the start of a scene, without simulating it");
    add_scene_options(*preview_app, preview.scene, preview.overrides, preview.threads);
    preview_app->add_option("--out", preview.out, "picture to write; default: NAME_preview.png")
        ->type_name("FILE");
    preview_app->add_option("--colour-by,--color-by", preview.colour_by, "attribute; default: object")
        ->type_name("NAME");
    preview_app->add_option("--eye", preview.eye, "camera position: x y z in m")->expected(3);
    preview_app->add_option("--target", preview.target, "point that the camera looks at: x y z in m")
        ->expected(3);
    preview_app->add_option("--width", preview.width, "pixels")->check(CLI::Range(16, 16384))->type_name("N");
    preview_app->add_option("--height", preview.height, "pixels")
        ->check(CLI::Range(16, 16384))
        ->type_name("N");

    thixo::RunOptions run;
    run.command = preview.command;
    CLI::App* run_app = app.add_subcommand("run", "simulate a scene");
    add_scene_options(*run_app, run.scene, run.overrides, run.threads);
    run_app->add_option("--out", run.out, "output folder; default: out/NAME with the name of the scene")
        ->type_name("DIR");
    CLI::Option* frames =
        run_app->add_option("--frames", run.frames, "stop after this frame")->type_name("N");
    run_app->add_option("--until", run.until, "stop at the frame nearest to this time (s)")
        ->type_name("S")
        ->excludes(frames);
    run_app
        ->add_option("--events", run.events, "replay what was done in the viewer: the events.jsonl it wrote")
        ->type_name("FILE");
    CLI::Option* resume =
        run_app->add_flag("--resume", run.resume, "continue from the newest checkpoint in the folder");
    run_app->add_flag("--force", run.force, "replace an earlier run in the folder")->excludes(resume);
    run_app->add_flag("--quiet", run.quiet, "print errors only");

    std::filesystem::path subject;
    CLI::App* info_app = app.add_subcommand("info", "print the contents of a file or of the folder of a run");
    info_app->add_option("path", subject, "particle file, mesh, checkpoint, stats.csv, scene or folder")
        ->required()
        ->type_name("FILE|DIR");

    thixo::RenderOptions render;
    render.command = run.command;
    CLI::App* render_app = thixo::add_render_command(app, render);

    thixo::SurfaceOptions surface;
    CLI::App* surface_app = thixo::add_surface_command(app, surface);

    thixo::FoamOptions foam;
    foam.command = run.command;
    CLI::App* foam_app = thixo::add_foam_command(app, foam);
    thixo::ExportOptions exported;
    CLI::App* export_app = thixo::add_export_command(app, exported);

    thixo::PlotOptions plot;
    plot.command = run.command;
    CLI::App* plot_app = thixo::add_plot_command(app, plot);
    thixo::ViewOptions view;
    CLI::App* view_app = thixo::add_view_command(app, view);

    CLI::App* schema_app = app.add_subcommand("schema", "print the JSON Schema of scene files");
    CLI::App* reference_app =
        app.add_subcommand("reference", "print the reference of scene files (Markdown)");

    std::string shell;
    CLI::App* completion_app =
        app.add_subcommand("completion", "print what completes commands and options in a shell");
    completion_app->add_option("shell", shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->type_name("SHELL");
    CLI::App* man_app = app.add_subcommand("man", "print the man page: thixo man | man -l -");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (const std::string message = thixo::misspelt(app, argc, argv);
            error.get_exit_code() != 0 && !message.empty())
            throw thixo::InputError(message);
        return app.exit(error) == 0 ? done : bad_input;
    }

    if (new_app->parsed() && template_name.empty())
        fmt::print("thixo new TEMPLATE [FILE]\n\n{}", thixo::template_list());
    else if (new_app->parsed())
        return thixo::new_command(template_name, new_file);
    if (completion_app->parsed()) fmt::print("{}", thixo::completion_script(app, shell));
    if (man_app->parsed()) fmt::print("{}", thixo::man_page(app, thixo::version_line()));
    if (check_app->parsed()) return thixo::check_command(check);
    if (preview_app->parsed()) return thixo::preview_command(preview);
    if (run_app->parsed()) return thixo::run_command(run);
    if (info_app->parsed()) return thixo::info_command(subject);
    if (render_app->parsed()) return thixo::render_command(render);
    if (surface_app->parsed()) return thixo::surface_command(surface);
    if (foam_app->parsed()) return thixo::foam_command(foam);
    if (export_app->parsed()) return thixo::export_command(exported);
    if (plot_app->parsed()) return thixo::plot_command(plot);
    if (view_app->parsed()) return thixo::view_command(view);
    if (schema_app->parsed()) fmt::print("{}", thixo::json_schema());
    if (reference_app->parsed()) fmt::print("{}", thixo::scene_reference_markdown());
    return done;
}

/// Never throws: where the message cannot be written either, the exit code is all that is left to say.
int complain(const std::string& message, int code) {
    std::fputs(("error: " + message + "\n").c_str(), stderr);
    return code;
}

}  // namespace

int thixo::run_program(int argc, char** argv) {
    thixo::limit_spinning(argv);
    // Without this the signal of a file-size limit ends the program; ignored, the write itself fails.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        const int code = run_command_line(argc, argv);
        if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && code == done) {
            throw thixo::RunError(fmt::format("cannot write to the output: {}", std::strerror(errno)));
        }
        return code;
    } catch (const thixo::InputError& error) {
        return complain(error.what(), bad_input);
    } catch (const thixo::RunError& error) {
        return complain(error.what(), run_failed);
    } catch (const std::bad_alloc&) {
        return complain("not enough memory; a larger particles.spacing makes fewer particles", run_failed);
    } catch (const std::filesystem::filesystem_error& error) {
        return complain(error.path1().string() + ": " + error.code().message(), run_failed);
    } catch (const std::exception& error) {
        return complain(error.what(), run_failed);
    }
}
