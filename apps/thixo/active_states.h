#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "surface/active.h"

namespace thixo {

/// The states of active surfaces, `surface/NAME/0012.active`: those of the newest frame and of the one
/// before. A run that is killed behind a frame's surfaces and before its checkpoint repeats the frame, and
/// needs the older one.
class ActiveStates {
public:
    explicit ActiveStates(std::filesystem::path surfaces) : surfaces_(std::move(surfaces)) {}

    /// Nothing if there is none. Throws InputError for a file that is damaged.
    std::optional<ActiveState> read(const std::string& name, int frame) const;
    void write(const std::string& name, int frame, const ActiveState& state) const;
    /// Whether there is one of that frame, of any surface.
    bool has(int frame) const;
    /// Removes those of frames before `frame`.
    void forget_before(int frame) const;

    static constexpr const char* ending = ".active";

private:
    std::filesystem::path file(const std::string& name, int frame) const;
    std::filesystem::path surfaces_;
};

}  // namespace thixo
