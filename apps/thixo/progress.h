#pragma once

#include <chrono>
#include <string>

namespace thixo {

/// A bar with ETA that is redrawn in place on a terminal; plain lines otherwise.
class Progress {
public:
    /// `unit` is what is counted: "frame"; `quiet` shows nothing at all.
    Progress(std::string unit, int total, bool quiet);
    ~Progress();

    /// `done` of the total are finished (fractions allowed); `text` says what they were like.
    void show(double done, const std::string& text);

    /// Ends the bar's line, so that other output can follow.
    void end_line();

private:
    std::string bar(double done, const std::string& text) const;

    std::string unit_;
    int total_;
    bool quiet_, terminal_;
    bool line_open_ = false;
    double first_done_ = -1;  ///< where this run began: a resumed one does not begin at zero
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_shown_{};
};

}  // namespace thixo
