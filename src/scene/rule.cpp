#include "scene/rule.h"

#include <fmt/format.h>

#include <cmath>

namespace thixo {

bool Rule::limited() const { return std::isfinite(above) || std::isfinite(min) || std::isfinite(max); }

std::string Rule::range_text() const {
    const std::string suffix = unit.empty() ? "" : fmt::format(" {}", unit);
    if (std::isfinite(min) && std::isfinite(max)) return fmt::format("{} to {}{}", min, max, suffix);
    std::string text;
    if (std::isfinite(above)) text = fmt::format("above {}{}", above, suffix);
    if (std::isfinite(min)) text = fmt::format("at least {}{}", min, suffix);
    if (std::isfinite(max)) text += fmt::format("{}at most {}{}", text.empty() ? "" : ", ", max, suffix);
    return text;
}

}  // namespace thixo
