#include "scene/load.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "scene/finish.h"
#include "scene/json_reader.h"
#include "scene/overrides.h"
#include "scene/read.h"
#include "scene/wording.h"

namespace thixo {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view reason) {
    throw InputError(fmt::format("{}: {}", printable(file.string(), 500), reason));
}

std::string too_large() { return fmt::format("the file is larger than {} MB", largest_scene_bytes >> 20); }

/// The whole file, but never more than the limit: it may be a pipe or a device without a size.
std::string read_text(const std::filesystem::path& file) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found) refuse(file, "there is no such file");
    if (std::filesystem::is_directory(status)) refuse(file, "this is a folder, not a scene file");
    if (std::filesystem::is_regular_file(status) &&
        std::filesystem::file_size(file, error) > largest_scene_bytes && !error)
        refuse(file, too_large());

    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                                 &std::fclose);
    if (!stream) refuse(file, fmt::format("the file cannot be read: {}", std::strerror(errno)));
    std::string text;
    char block[65536];
    while (const std::size_t count = std::fread(block, 1, sizeof block, stream.get())) {
        text.append(block, count);
        if (text.size() > largest_scene_bytes) refuse(file, too_large());
    }
    if (std::ferror(stream.get()))
        refuse(file, fmt::format("the file cannot be read: {}", std::strerror(errno)));
    return text;
}

}  // namespace

InputError SceneWithSource::error(std::string_view path, std::string_view message) const {
    return InputError(sources.line(position_of(root, path), path, message));
}

SceneWithSource parse_scene_with_source(std::string_view text, const std::string& file_name,
                                        std::span<const std::string> overrides) {
    SceneWithSource result{{}, {}, Sources(file_name)};
    if (text.empty()) throw InputError(result.sources.line({0, 1, 1}, "", "the file is empty"));
    try {
        result.root = parse_json(text);
    } catch (const JsonError& error) {
        throw InputError(result.sources.line(error.at, error.path, error.what()));
    }
    for (const std::string& text_of_override : overrides)
        apply_override(result.root, text_of_override, result.sources);

    Problems problems(result.sources);
    result.scene = read_scene(result.root, problems);
    problems.throw_if_any();
    complete(result.scene, result.root, file_name);
    load_shapes(result.scene, result.root, file_name, problems);
    check_whole(result.scene, result.root, problems);
    problems.throw_if_any();
    return result;
}

SceneWithSource load_scene_with_source(const std::filesystem::path& file,
                                       std::span<const std::string> overrides) {
    return parse_scene_with_source(read_text(file), file.string(), overrides);
}

Scene check_scene(const Scene& scene) {
    // Written and read back: every rule that holds for files holds here, and none is written twice.
    Scene named = scene;
    name_entries(named, "");
    return parse_scene(to_json(named), "");
}

Scene load_scene(const std::filesystem::path& file, std::span<const std::string> overrides) {
    return load_scene_with_source(file, overrides).scene;
}

Scene parse_scene(std::string_view text, const std::string& file_name,
                  std::span<const std::string> overrides) {
    return parse_scene_with_source(text, file_name, overrides).scene;
}

}  // namespace thixo
