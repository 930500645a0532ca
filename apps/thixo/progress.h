#pragma once

#include <chrono>
#include <string>

namespace thixo {

/// A bar with ETA that is redrawn in place on a terminal; plain lines otherwise.
class Progress {
public:
    /// `unit` is the noun that is counted, such as "frame"; `quiet` prints nothing.
    Progress(std::string unit, int total, bool quiet);
    ~Progress();

    /// `done` of the total are finished (fractions allowed); `text` is printed behind the count.
    void show(double done, const std::string& text);

    /// Ends the bar's line, so that other output can follow.
    void end_line();

    /// After a frame, for commands that go on where they were interrupted: if a signal has come
    /// (interrupt.h), says so and returns the exit code, otherwise 0.
    int exit_code_if_interrupted();

private:
    std::string bar(double done, const std::string& text) const;

    std::string unit_;
    int total_;
    bool quiet_, terminal_;
    bool line_open_ = false;
    double first_done_ = -1;  ///< count at the start of this run; above 0 if it was resumed
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_shown_{};
};

}  // namespace thixo
