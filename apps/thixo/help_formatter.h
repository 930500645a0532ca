#pragma once

#include <CLI/CLI.hpp>

namespace thixo {

/// Help in two columns, wrapped to the width of the terminal: that of COLUMNS, or that of the terminal. What
/// goes into a pipe or file is not wrapped.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace thixo
