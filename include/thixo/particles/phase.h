#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace thixo {

enum class Phase : std::uint8_t { liquid = 0, elastic = 1, rigid = 2 };
inline constexpr std::array<std::string_view, 3> phase_names{"liquid", "elastic", "rigid"};

}  // namespace thixo
