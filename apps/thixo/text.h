#pragma once

#include <cstdint>
#include <string>

namespace thixo {

/// 1234567 → "1,234,567"
std::string with_commas(std::uint64_t number);

/// 1536000 → "1.5 MB"
std::string human_bytes(double bytes);

/// 3725 → "1:02:05", 65 → "1:05", 2.5 → "2.5 s"
std::string human_seconds(double seconds);

}  // namespace thixo
