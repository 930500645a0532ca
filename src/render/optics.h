#pragma once

#include <string_view>

#include "particles/material.h"
#include "render/image.h"

namespace thixo {

/// How matter meets light: a look with all its numbers.
struct Optics {
    Rgb colour{0.5f, 0.5f,
               0.5f};        ///< of light that comes back from below the surface; of metal: at its surface
    float roughness = 0.5f;  ///< α of GGX is its square
    float refractive_index = 1.5f;
    float metal = 0;       ///< 0 or 1, and between where materials mix
    Rgb spread{};          ///< m; how far light travels below the surface before it comes back, by colour
    float glow = 0;        ///< factor on the black body radiation
    bool clear = false;    ///< light goes through it; `colour` and `spread` do not count
    Rgb absorption{};      ///< 1/m, of what is clear
    float scattering = 0;  ///< 1/m, of what is clear and cloudy
};

Optics blend(const Optics& a, const Optics& b, float t);

/// The look of a material in one of its phases; `automatic` is replaced by what its name says. Solids and
/// liquids never get the same colour. `number`: of the material, for those whose name says nothing.
LookSettings look_of(const Material& material, bool solid, std::size_t number);

/// `size`: m, of the scene; it sets the depth at which clear matter shows its colour where the look does not
/// say.
Optics optics_of(const LookSettings& look, double size);

/// Light that a black body emits (°C → radiance), by Planck's law at three wavelengths. A body of 1130 °C has
/// a red of 3.
Rgb black_body(float temperature);

}  // namespace thixo
