#include <fmt/format.h>

#include "io/particle_files.h"

namespace thixo {

namespace {

/// On one line: names of scenes may come from that of a folder and hold anything.
std::string on_one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return line;
}

/// Headers of PLY files are ASCII.
std::string in_ascii(std::string_view text) {
    std::string line = on_one_line(text);
    for (char& c : line)
        if (static_cast<unsigned char>(c) > '~') c = '?';
    return line;
}

}  // namespace

std::string provenance_lines(const FrameInfo& frame, std::string_view prefix) {
    std::string text;
    if (!frame.program.empty()) text += fmt::format("{}program {}\n", prefix, in_ascii(frame.program));
    if (!frame.scene.empty()) text += fmt::format("{}scene {}\n", prefix, in_ascii(frame.scene));
    return text;
}

std::string provenance_in_xml(const FrameInfo& frame) {
    std::string text;
    if (!frame.program.empty()) text += fmt::format(" program: {}.", on_one_line(frame.program));
    if (!frame.scene.empty()) text += fmt::format(" scene: {}.", on_one_line(frame.scene));
    for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) text.replace(at, 2, "- -");
    return text;
}

}  // namespace thixo
