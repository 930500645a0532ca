#include "scene/presets.h"

#include <algorithm>

namespace thixo {

namespace {

// Constants are typical values of real matter, rounded to two or three digits; docs/materials.md is made from this table. Numerical
// choices (speed of sound, elastic model, damping) are left to their defaults, but for what a material needs to behave at all.
// Stiff matter is rigid when cold: as elastic matter its time step would be below a microsecond.
constexpr MaterialPreset presets[] = {
    {"water", "fresh water; freezes to ice of the same density", Phase::liquid, 20, 20, R"({
        "density": 998, "liquid": { "viscosity": 0.001 },
        "solid": { "cold": "rigid", "young_modulus": 9.1e9, "poisson_ratio": 0.33, "friction": 0.05 },
        "heat": { "specific_heat": 4182, "conductivity": 0.6, "latent_heat": 3.34e5, "melting_point": 0 } })",
     "Haynes (ed.), *CRC Handbook of Chemistry and Physics*, sec. 6: density, viscosity, heat capacity and "
     "conductivity at 20 °C, heat of fusion"},
    {"ice", "ice; melts to water of the same density, so that it floats in `water`", Phase::rigid, -5, 0, R"({
        "density": 917, "liquid": { "viscosity": 0.0018 },
        "solid": { "cold": "rigid", "young_modulus": 9.1e9, "poisson_ratio": 0.33, "friction": 0.05 },
        "heat": { "specific_heat": 2100, "conductivity": 2.2, "latent_heat": 3.34e5, "melting_point": 0 } })",
     "Petrenko & Whitworth 1999, *Physics of Ice*, ch. 3 (elastic constants) and ch. 2 (heat); viscosity of "
     "water at 0 °C: CRC Handbook"},
    {"honey", "honey with 18 % water", Phase::liquid, 20, 20, R"({
        "density": 1420,
        "liquid": { "viscosity_table": [ { "temperature": 10, "viscosity": 50 }, { "temperature": 20, "viscosity": 15 },
                                         { "temperature": 40, "viscosity": 2 }, { "temperature": 60, "viscosity": 0.4 } ] },
        "heat": { "specific_heat": 2300, "conductivity": 0.35 } })",
     "Yanniotis, Skaltsi & Karaburnioti 2006, *J. Food Eng.* 72: viscosity by temperature and moisture; "
     "Crane 1975, *Honey: a Comprehensive Survey*: density and heat"},
    {"oil", "olive oil", Phase::liquid, 20, 20, R"({
        "density": 911, "liquid": { "viscosity": 0.084 }, "heat": { "specific_heat": 1970, "conductivity": 0.17 } })",
     "CRC Handbook; Abramovič & Klofutar 1998, *Acta Chim. Slov.* 45: viscosity of vegetable oils"},
    {"wax", "paraffin wax", Phase::rigid, 20, 80, R"({
        "density": 900, "liquid": { "viscosity": 0.006 },
        "solid": { "cold": "rigid", "young_modulus": 2e8, "poisson_ratio": 0.4, "friction": 0.3 },
        "heat": { "specific_heat": 2500, "conductivity": 0.25, "latent_heat": 2.1e5, "melting_point": 58 } })",
     "Ukrainczyk, Kurajica & Šipušić 2010, *Chem. Biochem. Eng. Q.* 24: heat, melting and viscosity of five "
     "commercial waxes; Young's modulus: order of magnitude"},
    {"chocolate", "dark chocolate; softens from 28 °C on", Phase::elastic, 18, 45, R"({
        "density": 1300, "liquid": { "viscosity": 3 },
        "solid": { "model": "corotated", "young_modulus": 1e8, "poisson_ratio": 0.35, "friction": 0.4, "break_stress": 1e6 },
        "heat": { "specific_heat": 1600, "conductivity": 0.26, "latent_heat": 4.6e4, "freezing_point": 28, "melting_point": 34 } })",
     "Beckett (ed.) 2009, *Industrial Chocolate Manufacture and Use*, useful physical constants: heat, "
     "density, viscosity; modulus and strength: order of magnitude of three-point bending"},
    {"jelly", "gelatine dessert, 5 % gelatine", Phase::elastic, 10, 45, R"({
        "density": 1020, "liquid": { "viscosity": 0.01 },
        "solid": { "model": "corotated", "young_modulus": 5e3, "poisson_ratio": 0.45, "friction": 0.2, "break_strain": 1 },
        "heat": { "specific_heat": 4000, "conductivity": 0.55, "freezing_point": 24, "melting_point": 32 } })",
     "Bot, van Amerongen, Groot, Hoekstra & Agterof 1996, *Polymer Gels and Networks* 4: modulus and strain "
     "at failure; Poisson's ratio is 0.5 in nature"},
    {"rubber", "soft vulcanised natural rubber", Phase::elastic, 20, 20, R"({
        "density": 1100,
        "solid": { "model": "corotated", "young_modulus": 2e6, "poisson_ratio": 0.45, "friction": 0.8 },
        "heat": { "specific_heat": 1900, "conductivity": 0.15 } })",
     "Mark (ed.) 2009, *Polymer Data Handbook*: natural rubber; Poisson's ratio is 0.4999 in nature"},
    {"clay", "wet potter's clay: keeps the shape that it is pressed into", Phase::elastic, 20, 20, R"({
        "density": 1900,
        "solid": { "model": "corotated", "young_modulus": 2e6, "poisson_ratio": 0.4, "friction": 0.6,
                   "elastic_limit": 0.02 },
        "heat": { "specific_heat": 1500, "conductivity": 1.3 } })",
     "Andrade, Al-Qureshi & Hotza 2011, *Applied Clay Science* 51: yield stress of some 10 kPa; modulus: "
     "order of magnitude"},
    {"steel", "mild steel; melts", Phase::rigid, 20, 1600, R"({
        "density": 7850, "liquid": { "viscosity": 0.006 },
        "solid": { "cold": "rigid", "young_modulus": 2e11, "poisson_ratio": 0.29, "friction": 0.5, "restitution": 0.3 },
        "heat": { "specific_heat": 490, "conductivity": 50, "latent_heat": 2.5e5, "melting_point": 1500 } })",
     "CRC Handbook, sec. 12; Iida & Guthrie 1988, *The Physical Properties of Liquid Metals*: viscosity of "
     "liquid iron"},
    {"stone", "granite", Phase::rigid, 20, 20, R"({
        "density": 2650,
        "solid": { "cold": "rigid", "young_modulus": 5e10, "poisson_ratio": 0.25, "friction": 0.6, "restitution": 0.2, "break_stress": 1e7 },
        "heat": { "specific_heat": 790, "conductivity": 2.8 } })",
     "Jaeger, Cook & Zimmerman 2007, *Fundamentals of Rock Mechanics*; Clauser & Huenges 1995, *Rock Physics "
     "and Phase Relations*: conductivity"},
    {"lava", "basalt", Phase::liquid, 1200, 1200, R"({
        "density": 2600,
        "liquid": { "viscosity_table": [ { "temperature": 1050, "viscosity": 1e4 }, { "temperature": 1100, "viscosity": 1e3 },
                                         { "temperature": 1150, "viscosity": 200 }, { "temperature": 1200, "viscosity": 50 } ] },
        "solid": { "cold": "rigid", "young_modulus": 2e10, "poisson_ratio": 0.25, "friction": 0.6 },
        "heat": { "specific_heat": 1150, "conductivity": 1.5, "latent_heat": 3.5e5, "freezing_point": 1050, "melting_point": 1050 } })",
     "Griffiths 2000, *Annu. Rev. Fluid Mech.* 32; Giordano, Russell & Dingwell 2008, *Earth Planet. Sci. "
     "Lett.* 271: viscosity of the melt; crystals make cooler lava stiffer"},
    {"glass", "soda-lime glass; has no melting point, flows above about 700 °C", Phase::rigid, 20, 1100, R"({
        "density": 2500,
        "liquid": { "viscosity_table": [ { "temperature": 720, "viscosity": 4e6 }, { "temperature": 820, "viscosity": 1e5 },
                                         { "temperature": 1000, "viscosity": 1000 }, { "temperature": 1200, "viscosity": 65 },
                                         { "temperature": 1450, "viscosity": 10 } ] },
        "solid": { "cold": "rigid", "young_modulus": 7.2e10, "poisson_ratio": 0.23, "friction": 0.4, "break_stress": 5e7 },
        "heat": { "specific_heat": 860, "conductivity": 1.0, "melting_point": 720 } })",
     "Napolitano & Hawkins 1964, *J. Res. Natl. Bur. Stand.* 68A: viscosity of the standard soda-lime-silica "
     "glass 710; elastic constants and heat: CRC Handbook"},
};

}  // namespace

std::span<const MaterialPreset> material_presets() { return presets; }

const MaterialPreset* find_preset(std::string_view name) {
    const auto found = std::find_if(std::begin(presets), std::end(presets),
                                    [&](const MaterialPreset& preset) { return preset.name == name; });
    return found == std::end(presets) ? nullptr : found;
}

}  // namespace thixo
