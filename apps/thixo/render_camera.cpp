#include "render_camera.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/error.h"
#include "render_look.h"
#include "scene/wording.h"

namespace thixo {
namespace {

/// "1.5:2,1,3:0,0.5,0"
std::optional<CameraKey> key_of(const std::string& text) {
    double numbers[7];
    const char* at = text.data();
    const char* const end = at + text.size();
    bool good = true;
    for (int k = 0; k < 7 && good; ++k) {
        const auto [rest, error] = std::from_chars(at, end, numbers[k]);
        const char separator = k == 0 || k == 3 ? ':' : ',';
        good = error == std::errc() && std::abs(numbers[k]) <= farthest_drawn &&
               (k == 6 ? rest == end : rest != end && *rest == separator);
        at = rest + 1;
    }
    if (!good) return {};
    return CameraKey{numbers[0], {numbers[1], numbers[2], numbers[3]}, {numbers[4], numbers[5], numbers[6]}};
}

CameraKey parsed(const std::string& text) {
    const std::optional<CameraKey> key = key_of(text);
    if (!key)
        throw InputError(
            fmt::format("--key {}: expected time:x,y,z:x,y,z in s and m: when, where the camera is, and what "
                        "it looks at, such as "
                        "1.5:2,1,3:0,0.5,0",
                        thixo::quoted(text)));
    if (norm(key->target - key->eye) == 0)
        throw InputError(fmt::format("--key {}: the camera is where it looks at", thixo::quoted(text)));
    return *key;
}

/// Cubic Hermite between b and c, with the slopes of Catmull and Rom.
Vec3d between(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, double t) {
    const Vec3d m = 0.5 * (c - a), n = 0.5 * (d - b);
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * b + (t3 - 2 * t2 + t) * m + (3 * t2 - 2 * t3) * c + (t3 - t2) * n;
}

}  // namespace

std::vector<NamedCamera> named_cameras(const std::vector<std::string>& texts) {
    std::vector<NamedCamera> cameras;
    for (const std::string& text : texts) {
        const std::size_t colon = text.find(':');
        const std::string name = text.substr(0, colon);
        const bool good = colon != std::string::npos && !name.empty() && name.size() <= 64 &&
                          std::all_of(name.begin(), name.end(), [](unsigned char c) {
                              return std::isalnum(c) || c == '_' || c == '-';
                          });
        std::optional<CameraKey> key;
        if (good) key = key_of(std::string("0").append(text, colon));
        if (!key)
            throw InputError(
                fmt::format("--camera {}: expected name:x,y,z:x,y,z, a name of letters, digits, _ and -, and "
                            "in m where the camera is and what it looks at, such as side:3,1,0:0,0.5,0",
                            thixo::quoted(text)));
        if (norm(key->target - key->eye) == 0)
            throw InputError(
                fmt::format("--camera {}: the camera is where it looks at", thixo::quoted(text)));
        for (const NamedCamera& other : cameras)
            if (other.name == name)
                throw InputError(fmt::format("--camera: two are called {}", thixo::quoted(name)));
        cameras.push_back({name, key->eye, key->target});
    }
    return cameras;
}

std::vector<CameraKey> camera_keys(const std::vector<std::string>& texts) {
    std::vector<CameraKey> keys;
    for (const std::string& text : texts) keys.push_back(parsed(text));
    std::stable_sort(keys.begin(), keys.end(),
                     [](const CameraKey& a, const CameraKey& b) { return a.time < b.time; });
    return keys;
}

Camera camera_at(const Camera& camera, const std::vector<CameraKey>& keys, double time) {
    if (keys.empty()) return camera;
    Camera out = camera;
    out.perspective = true;
    const auto next = static_cast<std::size_t>(
        std::upper_bound(keys.begin(), keys.end(), time,
                         [](double t, const CameraKey& key) { return t < key.time; }) -
        keys.begin());
    const std::size_t last = keys.size() - 1, b = next > 0 ? next - 1 : 0, c = std::min(next, last);
    const std::size_t a = b > 0 ? b - 1 : b, d = std::min(c + 1, last);
    const double span = keys[c].time - keys[b].time,
                 t = span > 0 ? std::clamp((time - keys[b].time) / span, 0.0, 1.0) : 0;
    out.eye = between(keys[a].eye, keys[b].eye, keys[c].eye, keys[d].eye, t);
    out.target = between(keys[a].target, keys[b].target, keys[c].target, keys[d].target, t);
    return out;
}

Camera turned_camera(const Camera& camera, const Bounds& stage, double degrees) {
    if (degrees == 0) return camera;
    Camera out = camera;
    const double a = degrees * std::numbers::pi / 180, c = std::cos(a), s = std::sin(a);
    const Vec3d middle = stage.center();
    const auto turn = [&](const Vec3d& x) {
        const Vec3d d = x - middle;
        return middle + Vec3d{c * d.x + s * d.z, d.y, -s * d.x + c * d.z};
    };
    out.eye = turn(camera.eye);
    out.target = turn(camera.target);
    return out;
}

}  // namespace thixo
