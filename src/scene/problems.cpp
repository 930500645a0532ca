#include "scene/problems.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/wording.h"

namespace thixo {

namespace {
constexpr std::size_t most_shown = 10;
constexpr std::size_t most_kept = 100;
}  // namespace

Sources::Sources(std::string_view file_name) : names_{printable(file_name, 500)} {}

std::uint32_t Sources::add_override(std::string_view text) {
    names_.push_back("--set " + printable(text, 100));
    return static_cast<std::uint32_t>(names_.size() - 1);
}

std::string Sources::where(const Position& at) const {
    const std::string& name = names_.at(at.source);
    return at.line == 0 ? name : fmt::format("{}:{}:{}", name, at.line, at.column);
}

std::string Sources::line(const Position& at, std::string_view path, std::string_view message) const {
    if (path.empty()) return fmt::format("{}: {}", where(at), message);
    return fmt::format("{}: {}: {}", where(at), path, message);
}

void Problems::add(const Position& at, std::string_view path, std::string_view message) {
    // Limits memory: a hostile file can contain millions of mistakes.
    if (lines_.size() < most_kept) lines_.emplace_back(at, sources_->line(at, path, message));
    if (lines_.size() == most_kept) throw_if_any();
}

void Problems::throw_if_any() {
    if (lines_.empty()) return;
    std::sort(lines_.begin(), lines_.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(lines_.size(), most_shown); ++i)
        text += (i > 0 ? "\n" : "") + lines_[i].second;
    if (lines_.size() > most_shown) text += fmt::format("\n… and {} more", lines_.size() - most_shown);
    throw InputError(text);
}

}  // namespace thixo
