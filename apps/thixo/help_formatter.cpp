#include "help_formatter.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace thixo {

namespace {

constexpr std::size_t names_width = 28, narrowest_text = 24;

std::size_t help_width() {
    if (const char* columns = std::getenv("COLUMNS"))
        if (const long width = std::strtol(columns, nullptr, 10); width > 0)
            return static_cast<std::size_t>(width);
    winsize size{};
    if (::isatty(STDOUT_FILENO) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return std::numeric_limits<std::size_t>::max();
}

std::string in_two_columns(const std::string& names, const std::string& text) {
    const std::size_t width = help_width();
    const std::size_t room = width > names_width + narrowest_text ? width - names_width : narrowest_text;
    std::string out = "  " + names, line;
    const auto end_line = [&] {
        const auto last = out.rfind('\n');
        const std::size_t used = out.size() - (last == std::string::npos ? 0 : last + 1);
        if (!line.empty() && used + 1 > names_width) out += '\n';
        const bool fresh = out.empty() || out.back() == '\n';
        out +=
            std::string(fresh ? names_width : names_width - std::min(names_width, used), ' ') + line + '\n';
        line.clear();
    };
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!line.empty() && line.size() + 1 + word.size() > room) end_line();
        line += (line.empty() ? "" : " ") + word;
    }
    end_line();
    return out;
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    return in_two_columns(make_option_name(option, is_positional) + make_option_opts(option),
                          make_option_desc(option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
    return in_two_columns(command->get_name(), command->get_description());
}

}  // namespace thixo
