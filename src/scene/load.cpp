#include "scene/load.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "scene/finish.h"
#include "scene/json_reader.h"
#include "scene/overrides.h"
#include "scene/presets.h"
#include "scene/read.h"
#include "scene/scale.h"
#include "scene/wording.h"

namespace thixo {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view reason) {
    throw InputError(fmt::format("{}: {}", printable(file.string(), 500), reason));
}

std::string too_large() { return fmt::format("the file is larger than {} MB", largest_scene_bytes >> 20); }

struct Descriptor {
    int number;

    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
    void wait(int milliseconds) const {
        pollfd input{number, POLLIN, 0};
        ::poll(&input, 1, milliseconds);
    }
};

/// The whole file, but never more than the limit: it may be a pipe or a device without a size.
std::string read_text(const std::filesystem::path& file) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found) refuse(file, "there is no such file");
    if (error) refuse(file, fmt::format("the file cannot be read: {}", error.message()));
    if (std::filesystem::is_directory(status)) refuse(file, "this is a folder, not a scene file");
    if (std::filesystem::is_regular_file(status) &&
        std::filesystem::file_size(file, error) > largest_scene_bytes && !error)
        refuse(file, too_large());

    // Opening a pipe that no process writes to would wait forever.
    const Descriptor in{::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    if (in.number < 0) refuse(file, fmt::format("the file cannot be read: {}", std::strerror(errno)));
    const bool is_pipe = std::filesystem::is_fifo(status);
    bool waited = false;
    std::string text;
    char block[65536];
    for (;;) {
        const ssize_t count = ::read(in.number, block, sizeof block);
        if (count > 0) {
            text.append(block, static_cast<std::size_t>(count));
            if (text.size() > largest_scene_bytes) refuse(file, too_large());
        } else if (count < 0 && errno == EAGAIN) {
            in.wait(-1);  // the process that writes takes its time
        } else if (count == 0 && is_pipe && text.empty() && !waited) {
            in.wait(1000);  // one that was waiting for us to open it comes now
            waited = true;
        } else if (count == 0) {
            break;
        } else {
            refuse(file, fmt::format("the file cannot be read: {}", std::strerror(errno)));
        }
    }
    if (text.empty() && is_pipe) refuse(file, "this is a pipe that no process writes to");
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
    expand_presets(result.root, problems);
    result.scene = read_scene(result.root, problems);
    problems.throw_if_any();
    complete(result.scene, result.root, file_name);
    load_shapes(result.scene, result.root, file_name, problems);
    check_whole(result.scene, result.root, problems);
    problems.throw_if_any();
    apply_scale(result.scene, [&](const std::string& path, const std::string& message) {
        problems.add(position_of(result.root, path), path, message);
    });
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
