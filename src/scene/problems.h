#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "scene/json_value.h"

namespace thixo {

/// The texts a scene was read from: the file, then the overrides of the command line. A file without a name
/// is no place worth telling: the scene was put together in code.
class Sources {
public:
    explicit Sources(std::string_view file_name);

    /// Returns the number to be used as Position::source.
    std::uint32_t add_override(std::string_view text);

    /// `scenes/x.json:12:7` or `--set materials.water.density=3`.
    std::string where(const Position& at) const;

    /// `WHERE: PATH: MESSAGE`, one line.
    std::string line(const Position& at, std::string_view path, std::string_view message) const;

private:
    std::vector<std::string> names_;
};

/// Collects the problems of a scene, so that one run of `thixo check` reports all of them.
class Problems {
public:
    explicit Problems(const Sources& sources) : sources_(&sources) {}

    void add(const Position& at, std::string_view path, std::string_view message);
    std::size_t count() const { return lines_.size(); }
    bool any() const { return !lines_.empty(); }

    /// Throws an InputError with one line per problem in the order of the file, the first ten at most.
    void throw_if_any();

private:
    const Sources* sources_;
    std::vector<std::pair<Position, std::string>> lines_;
};

}  // namespace thixo
