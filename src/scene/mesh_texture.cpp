#include "scene/mesh_texture.h"

#include <sstream>

#include "core/error.h"
#include "core/input_file.h"

namespace thixo {

namespace {

/// What stands behind the keyword in the first line that begins with it; the last word of it if there are
/// options before.
std::string value_of(const std::string& text, std::string_view keyword) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line == "end_header") break;
        std::istringstream words(line);
        std::string first;
        words >> first;
        if (first == "comment") words >> first;
        if (first != keyword) continue;
        std::string rest;
        std::getline(words >> std::ws, rest);
        while (!rest.empty() && (rest.back() == '\r' || rest.back() == ' ')) rest.pop_back();
        if (rest.starts_with('-')) rest = rest.substr(rest.find_last_of(' ') + 1);
        return rest;
    }
    return {};
}

/// The bytes of a file that may be missing.
std::string read_if_there(const std::filesystem::path& file) {
    try {
        return std::filesystem::is_regular_file(file) ? read_whole(file) : std::string{};
    } catch (const InputError&) {
        return {};
    }
}

}  // namespace

std::string texture_named_by(const std::filesystem::path& mesh_file) {
    const std::string bytes = read_if_there(mesh_file);
    const std::filesystem::path folder = mesh_file.parent_path();
    std::string name;
    if (bytes.starts_with("ply"))
        name = value_of(bytes, "TextureFile");
    else if (const std::string library = value_of(bytes, "mtllib"); !library.empty())
        name = value_of(read_if_there(folder / library), "map_Kd");
    if (name.empty()) return {};
    const std::filesystem::path file = folder / name;
    return read_if_there(file).starts_with("\x89PNG") ? file.string() : std::string{};
}

}  // namespace thixo
