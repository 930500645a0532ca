#include "scene/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace thixo {

std::string json_text(double value) {
    if (value == 0 && std::signbit(value)) return "-0.0";  // "-0" would be read as the integer 0
    return fmt::format("{}", value);
}

std::string json_text(const std::string& value) {
    return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_text(const Vec3d& value) {
    return fmt::format("[{}, {}, {}]", json_text(value.x), json_text(value.y), json_text(value.z));
}

}  // namespace thixo
