#include "render/texture.h"

#include <array>
#include <cmath>

namespace thixo {
namespace {

const std::array<float, 256>& linear_light() {
    static const std::array<float, 256> table = [] {
        std::array<float, 256> t;
        for (int k = 0; k < 256; ++k) t[k] = srgb_decode(static_cast<float>(k) / 255);
        return t;
    }();
    return table;
}

/// The pixel below a coordinate, its neighbour, and how far it is on the way to it.
struct Between {
    int low, high;
    float t;

    Between(float coordinate, int count) {
        const float x = (coordinate - std::floor(coordinate)) * static_cast<float>(count) - 0.5f;
        const int cell = static_cast<int>(std::floor(x));
        t = x - static_cast<float>(cell);
        low = (cell + count) % count;
        high = (cell + 1) % count;
    }
};

}  // namespace

Rgb Texture::at(float u, float v) const {
    if (!std::isfinite(u) || !std::isfinite(v)) return {};
    const Between x(u, image_.width), y(1 - v, image_.height);
    const auto pixel = [&](int i, int j) {
        const std::uint8_t* p =
            image_.pixels.data() + 3 * (static_cast<std::size_t>(j) * static_cast<std::size_t>(image_.width) +
                                        static_cast<std::size_t>(i));
        return Rgb{linear_light()[p[0]], linear_light()[p[1]], linear_light()[p[2]]};
    };
    return blend(blend(pixel(x.low, y.low), pixel(x.high, y.low), x.t),
                 blend(pixel(x.low, y.high), pixel(x.high, y.high), x.t), y.t);
}

}  // namespace thixo
