#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace thixo {

// Made from the same table as --help, so that they cannot differ from it.

/// What completes commands and options in a shell: bash, zsh or fish.
std::string completion_script(const CLI::App& app, const std::string& shell);

/// The man page thixo(1).
std::string man_page(const CLI::App& app, const std::string& version);

/// A message for a command or an option that there is not, with the nearest one that there is; empty if that
/// is not what is wrong.
std::string misspelt(const CLI::App& app, int argc, const char* const* argv);

}  // namespace thixo
