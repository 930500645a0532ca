#include "render/colour_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/error.h"

namespace thixo {
namespace {

constexpr std::uint32_t viridis[] = {0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d,
                                     0x2c728e, 0x26828e, 0x21918c, 0x1fa088, 0x28ae80, 0x3fbc73,
                                     0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725};
constexpr std::uint32_t inferno[] = {0x000004, 0x0b0724, 0x210c4a, 0x3d0965, 0x57106e, 0x71196e,
                                     0x8a226a, 0xa32c61, 0xbc3754, 0xd24644, 0xe45a31, 0xf1731d,
                                     0xf98e09, 0xfcac11, 0xf9cb35, 0xf2ea69, 0xfcffa4};
/// inferno without its black end, which would hide the shading.
constexpr std::uint32_t thermal[] = {0x260c51, 0x3e0966, 0x550f6d, 0x6c186e, 0x801f6c, 0x972766,
                                     0xad305d, 0xc13a50, 0xd34743, 0xe35933, 0xef6e21, 0xf8850f,
                                     0xfb9d07, 0xfbb81d, 0xf7d340, 0xf1ed71, 0xfcffa4};
constexpr std::uint32_t coolwarm[] = {0x3b4cc0, 0x4e68d8, 0x6282ea, 0x779af7, 0x8db0fe, 0xa3c2fe,
                                      0xb9d0f9, 0xccd9ed, 0xdddcdc, 0xecd3c5, 0xf5c4ac, 0xf7b093,
                                      0xf4987a, 0xeb7d62, 0xdd5f4b, 0xca3b37, 0xb40426};
/// Deep water to foam. Lightness rises all the way, and most of it in the upper half, where the spray is.
constexpr std::uint32_t water[] = {0x0a3572, 0x0c4590, 0x0f57aa, 0x176abd, 0x257ecd,
                                   0x3a92d8, 0x62ade4, 0x93c9ee, 0xc4e2f6, 0xf4fafd};

/// Distinct in hue and lightness, so that neighbours differ in print and for colour-blind readers.
constexpr std::uint32_t category_colours[] = {0x2f7fd0, 0xf2a33a, 0xc8453b, 0x4fa65b, 0x8e63b8,
                                              0x35b5b0, 0xe07fb0, 0x96694c, 0xc9c043, 0x6f7f8f};

struct NamedMap {
    const char* name;
    std::span<const std::uint32_t> stops;
};

const NamedMap named_maps[] = {{"viridis", viridis},
                               {"inferno", inferno},
                               {"thermal", thermal},
                               {"coolwarm", coolwarm},
                               {"water", water}};

/// Between stops the encoded values are mixed: they were spaced evenly for the eye, not for a photometer.
Rgb between(std::uint32_t a, std::uint32_t b, float t) {
    const auto channel = [&](int shift) {
        const auto from = static_cast<float>(a >> shift & 255), to = static_cast<float>(b >> shift & 255);
        return srgb_decode((from + (to - from) * t) / 255);
    };
    return {channel(16), channel(8), channel(0)};
}

/// The same hue again: as it is, paler, darker.
Rgb shade(const Rgb& colour, std::size_t round) {
    return round == 0   ? colour
           : round == 1 ? blend(colour, Rgb{1, 1, 1}, 0.2f)
                        : blend(colour, Rgb{0, 0, 0}, 0.5f);
}

}  // namespace

ColourMap ColourMap::named(std::string_view name) {
    const auto* found = std::find_if(std::begin(named_maps), std::end(named_maps),
                                     [&](const NamedMap& map) { return map.name == name; });
    if (found == std::end(named_maps)) {
        throw InputError(fmt::format("unknown colour map \"{}\"; there are {}", name,
                                     fmt::join(colour_map_names(), ", ")));
    }
    ColourMap map;
    const auto last = found->stops.size() - 1;
    for (std::size_t i = 0; i < entries; ++i) {
        const float at = static_cast<float>(i * last) / (entries - 1);
        const auto stop = std::min(static_cast<std::size_t>(at), last - 1);
        map.table_[i] = between(found->stops[stop], found->stops[stop + 1], at - static_cast<float>(stop));
    }
    return map;
}

ColourMap ColourMap::categories() {
    ColourMap map;
    map.categorical_ = true;
    constexpr std::size_t hues = std::size(category_colours);
    static_assert(category_count == 3 * hues);
    for (std::size_t i = 0; i < entries; ++i)
        map.table_[i] = shade(rgb_from_hex(category_colours[i % hues]), i / hues % 3);
    return map;
}

ColourMap ColourMap::categories(const std::vector<Rgb>& colours) {
    ColourMap map = categories();
    map.count_ = std::clamp<std::size_t>(colours.size(), 1, entries);
    std::copy_n(colours.begin(), std::min(colours.size(), entries), map.table_.begin());
    return map;
}

Rgb ColourMap::operator()(float t) const {
    const float at =
        std::isfinite(t) ? std::clamp(t, 0.0f, 1.0f) * (entries - 1) : (t > 0 ? entries - 1.0f : 0);
    const auto i = std::min(static_cast<std::size_t>(at), entries - 2);
    return blend(table_[i], table_[i + 1], at - static_cast<float>(i));
}

const std::vector<std::string>& colour_map_names() {
    static const auto names = [] {
        std::vector<std::string> list;
        for (const NamedMap& map : named_maps) list.emplace_back(map.name);
        return list;
    }();
    return names;
}

Rgb ColourScale::operator()(float value) const {
    if (map.categorical()) {
        return map.category(value > 0 && std::isfinite(value) ? static_cast<std::size_t>(value) : 0);
    }
    return map(max > min ? (value - min) / (max - min) : 0.5f);
}

}  // namespace thixo
