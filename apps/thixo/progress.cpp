#include "progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>

#include "interrupt.h"
#include "text.h"

namespace thixo {

namespace {

std::size_t terminal_width() {
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The start of a line up to the width, cut between characters.
std::string shortened(std::string line, std::size_t width) {
    std::size_t shown = 0, end = 0;
    for (; end < line.size(); ++end) {
        const bool begins_character = (static_cast<unsigned char>(line[end]) & 0xc0) != 0x80;
        if (begins_character && shown++ == width) break;
    }
    line.resize(end);
    return line;
}

}  // namespace

Progress::Progress(std::string unit, int total, bool quiet)
    : unit_(std::move(unit)), total_(total), quiet_(quiet), terminal_(isatty(STDOUT_FILENO) == 1) {}

Progress::~Progress() { end_line(); }

void Progress::show(double done, const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (first_done_ < 0) {
        first_done_ = done;
        start_ = now;
    }
    if (quiet_) return;
    const bool whole = done == static_cast<int>(done);
    if (terminal_) {
        if (!whole && now - last_shown_ < std::chrono::milliseconds(100)) return;
        fmt::print("\r{}\x1b[K", shortened(bar(done, text), terminal_width() - 1));
        line_open_ = true;
    } else if (whole) {
        fmt::print("{}\n", bar(done, text));
    }
    last_shown_ = now;
    std::fflush(stdout);
}

std::string Progress::bar(double done, const std::string& text) const {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double here = done - first_done_;
    std::string line = fmt::format("{} {}/{}", unit_, static_cast<int>(done), total_);
    if (terminal_) {
        constexpr int width = 20;
        const int filled = total_ > 0 ? std::clamp(static_cast<int>(width * done / total_), 0, width) : width;
        line = fmt::format("[{}{}] {}", std::string(filled, '#'), std::string(width - filled, '.'), line);
    }
    // Before the details: a narrow terminal cuts the line.
    if (here > 0 && done < total_)
        line += fmt::format("  ETA {}", human_seconds(elapsed / here * (total_ - done)));
    return line + "  " + text;
}

void Progress::end_line() {
    if (line_open_) std::fputc('\n', stdout);
    line_open_ = false;
}

int Progress::exit_code_if_interrupted() {
    if (interrupted_by() == 0) return 0;
    end_line();
    if (!quiet_) fmt::print("interrupted; the same command goes on with the frames that are missing\n");
    return 128 + interrupted_by();
}

}  // namespace thixo
