#pragma once

namespace thixo {

/// Later than any run ends, s.
inline constexpr double end_of_time = 1e6;

}  // namespace thixo
