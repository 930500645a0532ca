#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/atomic_file.h"
#include "io/particle_files.h"

namespace thixo {
namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

}  // namespace

void write_pvd(const std::filesystem::path& path, std::span<const SeriesEntry> entries) {
    std::string text = "<?xml version=\"1.0\"?>\n";
    text += "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  <Collection>\n";
    for (const SeriesEntry& entry : entries)
        text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                            escaped(entry.file));
    text += "  </Collection>\n</VTKFile>\n";
    write_whole(path, text);
}

}  // namespace thixo
