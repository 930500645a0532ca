#include "render/optics.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

#include "render/colour_map.h"

namespace thixo {
namespace {

struct Preset {
    LookPreset name;
    std::uint32_t colour;  ///< sRGB
    float roughness;
    float refractive_index;
    float depth;           ///< in sizes of the scene
    float cloudiness = 0;  ///< scattering of clear matter, 1/depth
    float metal = 0, glow = 0;
    bool clear = false, spreads = false;
};

constexpr Preset presets[] = {
    {.name = LookPreset::water,
     .colour = 0x5fb4dc,
     .roughness = 0,
     .refractive_index = 1.33f,
     .depth = 0.5f,
     .clear = true},
    {.name = LookPreset::tea,
     .colour = 0xb5651d,
     .roughness = 0,
     .refractive_index = 1.33f,
     .depth = 0.5f,
     .clear = true},
    {.name = LookPreset::ice,
     .colour = 0xcfe8f5,
     .roughness = 0.22f,
     .refractive_index = 1.31f,
     .depth = 0.4f,
     .cloudiness = 2.5f,
     .clear = true},
    {.name = LookPreset::glass,
     .colour = 0xdff0e8,
     .roughness = 0,
     .refractive_index = 1.5f,
     .depth = 0.7f,
     .clear = true},
    {.name = LookPreset::jelly,
     .colour = 0xd81e3c,
     .roughness = 0.1f,
     .refractive_index = 1.35f,
     .depth = 0.12f,
     .cloudiness = 0.7f,
     .clear = true},
    {.name = LookPreset::wax,
     .colour = 0xe9d3a2,
     .roughness = 0.42f,
     .refractive_index = 1.44f,
     .depth = 0.012f,
     .spreads = true},
    {.name = LookPreset::chocolate,
     .colour = 0x5a2f1a,
     .roughness = 0.34f,
     .refractive_index = 1.5f,
     .depth = 0},
    {.name = LookPreset::clay, .colour = 0xb5714a, .roughness = 0.8f, .refractive_index = 1.3f, .depth = 0},
    {.name = LookPreset::rubber,
     .colour = 0x3f7f6b,
     .roughness = 0.55f,
     .refractive_index = 1.5f,
     .depth = 0},
    {.name = LookPreset::metal,
     .colour = 0xc9ccd2,
     .roughness = 0.28f,
     .refractive_index = 1.5f,
     .depth = 0,
     .metal = 1,
     .glow = 1},
    {.name = LookPreset::stone, .colour = 0x8d8a84, .roughness = 0.9f, .refractive_index = 1.35f, .depth = 0},
    {.name = LookPreset::lava,
     .colour = 0x2e2724,
     .roughness = 0.7f,
     .refractive_index = 1.45f,
     .depth = 0,
     .glow = 1},
};

const Preset& preset(LookPreset name) {
    for (const Preset& p : presets)
        if (p.name == name) return p;
    return preset(LookPreset::clay);
}

/// A word, or two, in the name of a material, and what it says. Of several the last one in this list counts.
struct NamedLook {
    std::string_view word;
    LookPreset liquid, solid;
    std::uint32_t colour = 0;  ///< 0: that of the preset
};

constexpr NamedLook named_looks[] = {
    {"water", LookPreset::water, LookPreset::ice},
    {"liquid", LookPreset::water, LookPreset::ice},
    {"fluid", LookPreset::water, LookPreset::ice},
    {"drink", LookPreset::tea, LookPreset::ice},
    {"tea", LookPreset::tea, LookPreset::ice},
    {"broth", LookPreset::tea, LookPreset::wax, 0xd9a23c},
    {"syrup", LookPreset::tea, LookPreset::wax, 0xc8701e},
    {"honey", LookPreset::tea, LookPreset::wax, 0xe0941a},
    {"oil", LookPreset::tea, LookPreset::wax, 0xe8c53a},
    {"ice", LookPreset::water, LookPreset::ice},
    {"glass", LookPreset::glass, LookPreset::glass},
    {"jelly", LookPreset::tea, LookPreset::jelly, 0xd81e3c},
    {"goo", LookPreset::jelly, LookPreset::wax, 0x4fae3a},
    {"wax", LookPreset::wax, LookPreset::wax},
    {"cream", LookPreset::wax, LookPreset::wax, 0xf6efe0},
    {"ivory", LookPreset::wax, LookPreset::wax, 0xefe6d2},
    {"pudding", LookPreset::wax, LookPreset::wax, 0xe8b45a},
    {"butter", LookPreset::wax, LookPreset::wax, 0xf0cf62},
    {"cheese", LookPreset::wax, LookPreset::wax, 0xe8b03c},
    {"chocolate", LookPreset::chocolate, LookPreset::chocolate},
    {"white chocolate", LookPreset::wax, LookPreset::wax, 0xf0dfc0},
    {"clay", LookPreset::clay, LookPreset::clay},
    {"cork", LookPreset::clay, LookPreset::clay, 0xc09a6b},
    {"felt", LookPreset::clay, LookPreset::clay, 0xa8743f},
    {"biscuit", LookPreset::clay, LookPreset::clay, 0xc89a5a},
    {"putty", LookPreset::clay, LookPreset::clay, 0x9a8f86},
    {"wood", LookPreset::clay, LookPreset::clay, 0xb98a55},
    {"rubber", LookPreset::rubber, LookPreset::rubber},
    {"duck", LookPreset::rubber, LookPreset::rubber, 0xf2c230},
    {"membrane", LookPreset::rubber, LookPreset::rubber, 0x3c78b4},
    {"paint", LookPreset::chocolate, LookPreset::rubber, 0x3a6ea8},
    {"metal", LookPreset::metal, LookPreset::metal},
    {"steel", LookPreset::metal, LookPreset::metal},
    {"iron", LookPreset::metal, LookPreset::metal, 0xb4b2b0},
    {"lead", LookPreset::metal, LookPreset::metal, 0x8f949c},
    {"gold", LookPreset::metal, LookPreset::metal, 0xf2c24e},
    {"copper", LookPreset::metal, LookPreset::metal, 0xe39a72},
    {"stone", LookPreset::stone, LookPreset::stone},
    {"rock", LookPreset::stone, LookPreset::stone},
    {"lava", LookPreset::lava, LookPreset::lava},
    {"magma", LookPreset::lava, LookPreset::lava},
    {"basalt", LookPreset::lava, LookPreset::lava},
};

/// Colours of solids whose names say nothing.
constexpr std::uint32_t plain_colours[] = {0xc8643c, 0x4a7fb5, 0x7a9a3a, 0xc9a227,
                                           0x8a5fa8, 0x3f9c94, 0xb8506e, 0x6d6a63};

Vec3d srgb(std::uint32_t hex) {
    return {((hex >> 16) & 255) / 255.0, ((hex >> 8) & 255) / 255.0, (hex & 255) / 255.0};
}

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Of materials without a telling name: what only flows is water; what melts keeps its hue, paler and
/// glossier.
LookSettings plain_look(const Material& material, bool solid, std::size_t number) {
    const bool flows_only = !material.heat.melting_point;
    if (!solid && flows_only && number == 0) return {.preset = LookPreset::water};
    const Vec3d colour = srgb(plain_colours[number % std::size(plain_colours)]);
    if (!solid && flows_only) return {.preset = LookPreset::tea, .colour = colour};
    if (solid) return {.preset = LookPreset::rubber, .colour = colour};
    return {.preset = LookPreset::chocolate, .colour = colour * 0.6 + Vec3d{0.4, 0.4, 0.4}};
}

/// "hot_wax2" has the word "wax", "juice" has not the word "ice". Several are the same word: "ducks".
bool has_word(const std::string& name, std::string_view word) {
    const auto is_letter = [&](std::size_t k) {
        return k < name.size() && (std::isalpha(static_cast<unsigned char>(name[k])) || (name[k] & 0x80));
    };
    for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool ends = !is_letter(end) || (name[end] == 's' && !is_letter(end + 1));
        if ((at == 0 || !is_letter(at - 1)) && ends) return true;
    }
    return false;
}

/// Small letters, with spaces between words: "White_chocolate" and "whiteChocolate" are "white chocolate".
std::string spaced(const std::string& name) {
    std::string out;
    bool was_small = false;
    for (const char c : name) {
        if (was_small && std::isupper(static_cast<unsigned char>(c))) out += ' ';
        was_small = std::islower(static_cast<unsigned char>(c));
        out += c == '_' || c == '-' || c == '.' ? ' ' : c;
    }
    return lower(out);
}

LookSettings automatic_look(const Material& material, bool solid, std::size_t number) {
    const std::string name = spaced(material.name);
    const NamedLook* found = nullptr;
    for (const NamedLook& look : named_looks)
        if (has_word(name, look.word)) found = &look;
    if (!found) return plain_look(material, solid, number);
    LookSettings look{.preset = solid ? found->solid : found->liquid};
    if (found->colour != 0) look.colour = srgb(found->colour);
    return look;
}

/// What molten matter keeps of the colour of the solid: it is deeper and warmer; what is dark already is
/// paler.
Vec3d molten_colour(const Vec3d& c) {
    if (std::max({c.x, c.y, c.z}) < 0.45) return 0.8 * c + Vec3d{0.13, 0.13, 0.13};
    return {0.86 * c.x, 0.81 * c.y, 0.71 * c.z};
}

constexpr std::uint32_t molten_glass = 0xf2b060;

/// Molten matter is smoother than the solid and has another colour, unless it is clear.
LookSettings molten(LookSettings look, bool melts) {
    const Preset& p = preset(look.preset);
    if (p.clear) return look;
    if (!look.roughness) look.roughness = 0.4 * p.roughness;
    if (melts) look.colour = molten_colour(look.colour.value_or(srgb(p.colour)));
    return look;
}

}  // namespace

LookSettings look_of(const Material& material, bool solid, std::size_t number) {
    const std::optional<LookSettings>& own = solid ? material.look.solid : material.look.liquid;
    const LookSettings given = own.value_or(material.look.both);
    LookSettings look = given;
    if (given.preset == LookPreset::automatic) {
        look = automatic_look(material, solid, number);
        if (given.colour) look.colour = given.colour;
        if (given.roughness) look.roughness = given.roughness;
        if (given.refractive_index) look.refractive_index = given.refractive_index;
        if (given.depth) look.depth = given.depth;
        if (given.glow) look.glow = given.glow;
    }
    // A look that was given for both phases: what freezes of clear liquids is ice, and molten jelly has no
    // clouds.
    if (!own && solid && look.preset == LookPreset::water) look.preset = LookPreset::ice;
    const auto turned_to = [&](LookPreset from, LookPreset to) {
        if (own || given.preset != from) return;
        if (!look.colour) look.colour = srgb(preset(from).colour);
        look.preset = to;
    };
    if (solid) turned_to(LookPreset::tea, LookPreset::ice);
    if (!solid) turned_to(LookPreset::jelly, LookPreset::tea);
    if (!own && !solid && look.preset == LookPreset::ice) look.preset = LookPreset::water, look.colour = {};
    // Glass that is molten is the colour of honey.
    if (!own && !solid && look.preset == LookPreset::glass && !look.colour && material.heat.melting_point)
        look.colour = srgb(molten_glass);
    return own || solid ? look : molten(look, material.heat.melting_point.has_value());
}

Optics optics_of(const LookSettings& look, double size) {
    const Preset& p = preset(look.preset);
    const Vec3d encoded = look.colour.value_or(srgb(p.colour));
    Optics o;
    o.colour = {srgb_decode(static_cast<float>(encoded.x)), srgb_decode(static_cast<float>(encoded.y)),
                srgb_decode(static_cast<float>(encoded.z))};
    o.roughness = static_cast<float>(look.roughness.value_or(p.roughness));
    o.refractive_index = static_cast<float>(look.refractive_index.value_or(p.refractive_index));
    o.metal = p.metal;
    o.glow = static_cast<float>(look.glow.value_or(p.glow));
    o.clear = p.clear;
    const auto depth = static_cast<float>(look.depth.value_or(p.depth * size));
    if (p.clear) {
        // Beer–Lambert: exp(−σ depth) is the colour.
        const auto absorbed = [&](float c) { return -std::log(std::clamp(c, 0.002f, 1.0f)) / depth; };
        o.absorption = {absorbed(o.colour.x), absorbed(o.colour.y), absorbed(o.colour.z)};
        o.scattering = p.cloudiness / depth;
    } else if (p.spreads) {
        // Red light is absorbed least and travels farthest.
        o.spread = Rgb{1.0f, 0.6f, 0.35f} * depth;
    }
    return o;
}

Optics blend(const Optics& a, const Optics& b, float t) {
    Optics o = t < 0.5f ? a : b;
    const auto mixed = [t](float x, float y) { return x + t * (y - x); };
    o.colour = blend(a.colour, b.colour, t);
    o.roughness = mixed(a.roughness, b.roughness);
    o.refractive_index = mixed(a.refractive_index, b.refractive_index);
    o.metal = mixed(a.metal, b.metal);
    o.spread = blend(a.spread, b.spread, t);
    o.glow = mixed(a.glow, b.glow);
    return o;
}

/// B(λ, T) ∝ λ⁻⁵ / (exp(c₂/λT) − 1), at 610, 550 and 465 nm, relative to red at 1400 K.
Rgb black_body(float temperature) {
    const double kelvin = double{temperature} + 273.15;
    if (kelvin < 600) return {};
    const auto planck = [](double nanometres, double t) {
        return std::pow(nanometres / 610, -5) / std::expm1(1.4388e7 / (nanometres * t));
    };
    const double scale = 3 / planck(610, 1400);
    return {static_cast<float>(scale * planck(610, kelvin)), static_cast<float>(scale * planck(550, kelvin)),
            static_cast<float>(scale * planck(465, kelvin))};
}

}  // namespace thixo
