#include "completion.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "scene/wording.h"

namespace thixo {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Long names, with their dashes.
std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> out;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
    return out;
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
    std::vector<std::string> out;
    for (const CLI::App* command : commands) out.push_back(command->get_name());
    return out;
}

std::string bash(const CLI::App& app) {
    std::string cases;
    for (const CLI::App* command : commands_of(app))
        cases +=
            fmt::format("        {}) words=\"{}\" ;;\n", command->get_name(), joined(options_of(*command)));
    return fmt::format(
        "# bash: eval \"$(thixo completion bash)\"\n_thixo() {{\n    local word=${{COMP_WORDS[COMP_CWORD]}} "
        "words\n"
        "    case ${{COMP_WORDS[1]}} in\n{}        *) words=\"{} {}\" ;;\n    esac\n"
        "    if [[ $COMP_CWORD -gt 1 && $word != -* ]]; then\n        COMPREPLY=($(compgen -f -- "
        "\"$word\"))\n"
        "    else\n        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n    fi\n}}\n"
        "complete -o filenames -F _thixo thixo\n",
        cases, joined(names_of(commands_of(app))), joined(options_of(app)));
}

/// A description within single quotes.
std::string in_quotes(std::string text) {
    for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
        text.replace(at, 1, "'\\''");
    return "'" + text + "'";
}

std::string fish(const CLI::App& app) {
    std::string out = "# fish: thixo completion fish | source\n";
    for (const CLI::App* command : commands_of(app)) {
        out += fmt::format("complete -c thixo -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                           in_quotes(command->get_description()));
        for (const CLI::Option* option : command->get_options())
            for (const std::string& name : option->get_lnames())
                out += fmt::format("complete -c thixo -n '__fish_seen_subcommand_from {}' -l {} -d {}\n",
                                   command->get_name(), name, in_quotes(option->get_description()));
    }
    return out;
}

/// Text for troff: a backslash, and a dot or quote at the start of a line, would be commands.
std::string roff(std::string_view text) {
    std::string out;
    for (const char letter : text) {
        if (letter == '\\')
            out += "\\\\";
        else if (letter == '-')
            out += "\\-";
        else
            out += letter;
        if (letter == '\n') out += "\\&";
    }
    return "\\&" + out;
}

std::string man_options(const CLI::App& command) {
    std::string out;
    for (const CLI::Option* option : command.get_options()) {
        out += fmt::format(".TP\n.B {}\n{}\n",
                           roff(option->get_name(true, true) + " " +
                                (option->get_items_expected_max() > 0 ? option->get_type_name() : "")),
                           roff(option->get_description()));
    }
    return out;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
    if (shell == "fish") return fish(app);
    if (shell == "zsh")
        return "# zsh: eval \"$(thixo completion zsh)\"\nautoload -U +X bashcompinit && bashcompinit\n" +
               bash(app);
    return bash(app);
}

std::string man_page(const CLI::App& app, const std::string& version) {
    std::string out = fmt::format(
        ".TH THIXO 1 \"\" \"{}\"\n.SH NAME\nthixo \\- matter that changes state\n.SH SYNOPSIS\n.B thixo\n"
        "COMMAND [OPTION]...\n.SH DESCRIPTION\n{}\n",
        roff(version).substr(2), roff(app.get_description()));
    for (const CLI::App* command : commands_of(app))
        out += fmt::format(".SH {}\n{}\n{}", roff(command->get_name()).substr(2),
                           roff(command->get_description()), man_options(*command));
    return out + ".SH EXIT STATUS\n0: done. 1: a run failed. 2: the input is wrong. 130: interrupted.\n";
}

std::string misspelt(const CLI::App& app, int argc, const char* const* argv) {
    if (argc < 2) return {};
    const std::string_view first = argv[1];
    const auto commands = commands_of(app);
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const CLI::App* command) { return command->get_name() == first; });
    if (found == commands.end()) {
        if (first.starts_with("-")) return {};
        const std::vector<std::string> names = names_of(commands);
        return fmt::format("there is no command {}{}", thixo::quoted(first),
                           suggestion(first, std::vector<std::string_view>(names.begin(), names.end())));
    }
    const std::vector<std::string> options = options_of(**found);
    for (int k = 2; k < argc; ++k) {
        const std::string_view whole = argv[k], word = whole.substr(0, whole.find('='));
        if (whole == "--") break;
        if (!word.starts_with("--") || std::find(options.begin(), options.end(), word) != options.end())
            continue;
        return fmt::format("`thixo {}` has no option {}{}", first, thixo::quoted(word),
                           suggestion(word, std::vector<std::string_view>(options.begin(), options.end())));
    }
    return {};
}

}  // namespace thixo
