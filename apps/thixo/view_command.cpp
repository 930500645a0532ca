#include "view_command.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "core/error.h"
#include "interrupt.h"
#include "option_limits.h"
#include "scene/fill.h"
#include "scene/load.h"
#include "text.h"
#include "threads.h"
#include "view/live.h"
#include "view/saved.h"
#include "view/viewer.h"

namespace thixo {

namespace fs = std::filesystem;

namespace {

/// Starts the desktop's browser, and does not wait for it. It is a grandchild of this process: init collects
/// it.
void open_browser(const std::string& address) {
    const pid_t child = ::fork();
    if (child < 0) return;
    if (child > 0) return void(::waitpid(child, nullptr, 0));
    if (::fork() == 0) ::execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    ::_exit(0);
}

void say(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

/// The log on stderr, from any thread. The thread that serves pages writes it and must not wait: lines that
/// stderr does not take at once, because no program reads the pipe, are left out and counted.
class Log {
public:
    void operator()(const std::string& line) {
        const std::lock_guard lock(mutex_);
        pollfd out{STDERR_FILENO, POLLOUT, 0};
        if (::poll(&out, 1, 0) < 1 || !(out.revents & POLLOUT)) return void(++left_out_);
        // A pipe that can be written to has room for 4096 bytes (PIPE_BUF).
        constexpr std::size_t longest = 4000;
        std::string text = line.substr(0, longest) + "\n";
        if (left_out_ > 0) text = fmt::format("{} lines are left out here\n", left_out_) + text;
        left_out_ = 0;
        std::fputs(text.c_str(), stderr);
    }

private:
    std::mutex mutex_;
    std::size_t left_out_ = 0;
};

void show(Subject& subject, const ViewOptions& options, const Device& device) {
    const ViewerSettings settings{.port = options.port,
                                  .playing = subject.live() && !options.paused,
                                  .speed = options.speed,
                                  .device = device};
    Log log;
    Viewer viewer(subject, settings, [&log](const std::string& line) { log(line); });
    say(fmt::format("showing `{}` at {}\nCtrl-C ends it", subject.scene().name, viewer.address()));
    if (options.open) open_browser(viewer.address());
    catch_interrupts();
    viewer.run([] { return interrupted_by() != 0; });
}

int show_scene(const ViewOptions& options) {
    const SceneWithSource source = load_scene_with_source(options.subject, options.overrides);
    const fs::path out = options.out.empty() ? fs::path("out") / (source.scene.name + "-view") : options.out;
    const Device device = started_device(options.threads);
    LiveSimulation live(source.scene, fill(source, device), device, out / "events.jsonl");
    show(live, options, device);
    if (live.events_file().empty()) return 0;
    std::string command = "thixo run " + shell_word(options.subject.string());
    for (const std::string& text : options.overrides) command += " --set " + shell_word(text);
    const std::uint64_t frames = live.simulation().clock().frame;
    say(fmt::format("what was done is in {}; it is replayed by\n  {} --events {} --frames {}",
                    live.events_file().string(), command, shell_word(live.events_file().string()), frames));
    return 0;
}

}  // namespace

CLI::App* add_view_command(CLI::App& app, ViewOptions& options) {
    CLI::App* command = app.add_subcommand(
        "view", "watch and touch a simulation in the browser, or scrub through a saved one");
    command->add_option("subject", options.subject, "scene file, or the folder of a run")
        ->required()
        ->type_name("SCENE|DIR");
    command->add_option("--set", options.overrides, "change a key of the scene: --set particles.spacing=0.02")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
    command->add_option("--threads", options.threads, "number of threads; default: all cores")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    command->add_option("--port", options.port, "port on the loopback address; default: any that is free")
        ->check(CLI::Range(1, 65535))
        ->type_name("N");
    command->add_option("--out", options.out, "folder for events.jsonl; default: out/NAME-view")
        ->type_name("DIR");
    command
        ->add_option("--speed", options.speed,
                     "simulated seconds in a second at most; 0: no limit; default: 1")
        ->check(within(0.0, 1000.0))
        ->type_name("X");
    command->add_flag("--paused", options.paused, "begin with time standing still");
    command->add_flag("--open", options.open, "open a browser");
    return command;
}

int view_command(const ViewOptions& options) {
    if (!fs::is_directory(options.subject)) return show_scene(options);
    if (!options.overrides.empty()) throw InputError("--set: a run that was saved cannot be changed");
    SavedRun saved(options.subject);
    show(saved, options, started_device(options.threads));
    return 0;
}

}  // namespace thixo
