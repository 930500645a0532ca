#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace thixo {

struct CheckOptions {
    std::filesystem::path scene;
    std::vector<std::string> overrides;
    int threads = 0;  ///< 0: all
};

struct RunOptions {
    std::filesystem::path scene;
    std::vector<std::string> overrides;
    std::string command;           ///< as it was typed
    std::filesystem::path out;     ///< empty: out/ and the scene file's name
    std::filesystem::path events;  ///< empty: none
    std::optional<int> frames;
    std::optional<double> until;
    int threads = 0;  ///< 0: all
    bool resume = false, force = false, quiet = false;
};

// Each returns the exit code; wrong input is an InputError, a run that fails a RunError.
int check_command(const CheckOptions& options);
int run_command(const RunOptions& options);
int info_command(const std::filesystem::path& path);

}  // namespace thixo
