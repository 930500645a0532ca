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
#include "core/error.h"
#include "core/wait_policy.h"
#include "program.h"
#include "provenance.h"
#include "render_command.h"
#include "scene/load.h"
#include "surface_command.h"

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
    app.set_version_flag("--version", thixo::version_line());
    app.require_subcommand(1);
    app.failure_message([](const CLI::App*, const CLI::Error& error) {
        return fmt::format("error: {}; `thixo --help` and `thixo COMMAND --help` list all options\n",
                           error.what());
    });

    thixo::CheckOptions check;
    CLI::App* check_app =
        app.add_subcommand("check", "validate a scene and estimate memory, run time and disk space");
    add_scene_options(*check_app, check.scene, check.overrides, check.threads);

    thixo::RunOptions run;
    run.command = thixo::command_line(argc, argv);
    CLI::App* run_app = app.add_subcommand("run", "simulate a scene");
    add_scene_options(*run_app, run.scene, run.overrides, run.threads);
    run_app->add_option("--out", run.out, "output folder; default: out/NAME with the name of the scene")
        ->type_name("DIR");
    CLI::Option* frames =
        run_app->add_option("--frames", run.frames, "stop after this frame")->type_name("N");
    run_app->add_option("--until", run.until, "stop at the frame nearest to this time (s)")
        ->type_name("S")
        ->excludes(frames);
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
    CLI::App* render_app = thixo::add_render_command(app, render);

    thixo::SurfaceOptions surface;
    CLI::App* surface_app = thixo::add_surface_command(app, surface);

    CLI::App* schema_app = app.add_subcommand("schema", "print the JSON Schema of scene files");
    CLI::App* reference_app =
        app.add_subcommand("reference", "print the reference of scene files (Markdown)");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? done : bad_input;
    }

    if (check_app->parsed()) return thixo::check_command(check);
    if (run_app->parsed()) return thixo::run_command(run);
    if (info_app->parsed()) return thixo::info_command(subject);
    if (render_app->parsed()) return thixo::render_command(render);
    if (surface_app->parsed()) return thixo::surface_command(surface);
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
