#include "scene/presets.h"

#include <algorithm>

namespace thixo {

namespace {

// Constants are typical values of real matter, rounded to two or three digits; docs/materials.md is made from
// this table. Numerical choices (speed of sound, elastic model, damping) are left to their defaults, but for
// what a material needs to behave at all. Stiff matter is rigid when cold: as elastic matter its time step
// would be below a microsecond.
constexpr MaterialPreset presets[] = {
    {"water", "fresh water; freezes to ice of the same density", Phase::liquid, 20, 20, R"({
        "density": 998, "liquid": { "viscosity": 0.001 },
        "solid": { "cold": "rigid", "young_modulus": 9.1e9, "poisson_ratio": 0.33, "friction": 0.05 },
        "heat": { "specific_heat": 4182, "conductivity": 0.6, "latent_heat": 3.34e5, "melting_point": 0 } })",
     "`density`, `viscosity`, `specific_heat`, `conductivity` at 20 °C and `latent_heat`, `melting_point`: "
     "Haynes (ed.), *CRC Handbook of Chemistry and Physics*, sec. 6 (998.2, 0.001002, 4181.8, 0.598; "
     "333,600; ✓); `young_modulus`, `poisson_ratio`: as of `ice`; chosen: `friction`"},
    {"ice", "ice; melts to water of the same density, so that it floats in `water`", Phase::rigid, -5, 0, R"({
        "density": 917, "liquid": { "viscosity": 0.0018 },
        "solid": { "cold": "rigid", "young_modulus": 9.1e9, "poisson_ratio": 0.33, "friction": 0.05 },
        "heat": { "specific_heat": 2100, "conductivity": 2.2, "latent_heat": 3.34e5, "melting_point": 0 } })",
     "`density`, `melting_point`, `latent_heat`, `viscosity` of water at 0 °C: CRC Handbook, sec. 6 (916.7 "
     "at 0 °C, "
     "333,600; 0.00179; ✓); `specific_heat`: Çengel & Boles, *Thermodynamics*, table A-3 (2.11 kJ/(kg K) at "
     "0 °C; ✓); "
     "`conductivity`: "
     "Petrenko & Whitworth 1999, *Physics of Ice*, ch. 3 (2.1 to 2.3 W/(m K); 2.24 at 0 °C in other tables, "
     "✓); `young_modulus`, "
     "`poisson_ratio`: Gammon, Kiefte, Clouter & Denner 1983, *J. Glaciology* 29, 433 (polycrystal at −16 "
     "°C, 9.33 GPa and 0.325); chosen: `friction`"},
    {"honey", "honey with 17 % water", Phase::liquid, 20, 20, R"({
        "density": 1420,
        "liquid": { "viscosity_table": [ { "temperature": 10, "viscosity": 65 }, { "temperature": 20, "viscosity": 13 },
                                         { "temperature": 40, "viscosity": 1.6 }, { "temperature": 60, "viscosity": 0.44 } ] },
        "heat": { "specific_heat": 2300, "conductivity": 0.54 } })",
     "`viscosity_table`: clover honey with 16 % water (60 Pa s at 14 °C, 19 at 20 °C, 6.5 at 30 °C, 2 at 40 "
     "°C, 1 at 50 °C, 0.3 at 70 °C; ✓), shifted by the 3.5 K that 1 % of water is worth in the same table, "
     "as "
     "Krell 1996, *Value-added Products from Beekeeping*, FAO Agricultural Services Bulletin 124, ch. 2 has "
     "it within a factor of 1.5: honeys of the same moisture differ by two; `density` (1.423 at 17 % and 20 "
     "°C), `specific_heat` (2260 at 17.4 %, 0.54 to 0.6 cal/(g K)), `conductivity` (0.536 at 17 % and 21 "
     "°C): "
     "data sheets of producers (✓)"},
    {"oil", "olive oil", Phase::liquid, 20, 20, R"({
        "density": 914, "liquid": { "viscosity": 0.084 }, "heat": { "specific_heat": 1970, "conductivity": 0.17 } })",
     "`density`: 913.7 at 20 °C, 910.4 at 25 °C in tables of olive mills (✓); `viscosity` (84 mPa s at 20 "
     "°C), `specific_heat` (0.471 cal/(g K)): *CRC Handbook of Chemistry and Physics*, olive oil; order of "
     "magnitude: `conductivity` (vegetable oils)"},
    {"wax", "paraffin wax", Phase::rigid, 20, 80, R"({
        "density": 900, "liquid": { "viscosity": 0.006 },
        "solid": { "cold": "rigid", "young_modulus": 2e8, "poisson_ratio": 0.4, "friction": 0.3 },
        "heat": { "specific_heat": 2500, "conductivity": 0.25, "latent_heat": 2.1e5, "melting_point": 58 } })",
     "`density`, `specific_heat`, `conductivity`, `latent_heat`, `melting_point`: Ukrainczyk, Kurajica & "
     "Šipušić 2010, *Chem. Biochem. Eng. Q.* 24, 129 (five commercial paraffin waxes), rounded; within "
     "the ranges of encyclopaedias (900; 2140 to 2900; 0.2 to 0.4; 200 to 220 kJ/kg; 46 to 68 °C; ✓); order "
     "of "
     "magnitude: `viscosity` at 70 to 80 °C, `young_modulus`; chosen: `poisson_ratio`, `friction`"},
    {"chocolate", "dark chocolate; softens from 28 °C on", Phase::elastic, 18, 45, R"({
        "density": 1300, "liquid": { "viscosity": 3 },
        "solid": { "model": "corotated", "young_modulus": 1e8, "poisson_ratio": 0.35, "friction": 0.4, "break_stress": 1e6 },
        "heat": { "specific_heat": 1600, "conductivity": 0.26, "latent_heat": 4.6e4, "freezing_point": 28, "melting_point": 34 } })",
     "`specific_heat` (1590), `conductivity` (0.26), `latent_heat` (46 J/g), `density`: Beckett (ed.) 2009, "
     "*Industrial Chocolate Manufacture and Use*, useful physical constants, pp. 667–668 (✓); "
     "`melting_point`: "
     "cocoa butter of form V, the same, ch. 12; `freezing_point`: where it begins to soften; order of "
     "magnitude: `viscosity` (Casson viscosity at 40 °C, 2 to 5 Pa s), `young_modulus`, `break_stress` "
     "(bending of bars); chosen: `poisson_ratio`, `friction`"},
    {"jelly", "gelatine dessert, 5 % gelatine", Phase::elastic, 10, 45, R"({
        "density": 1020, "liquid": { "viscosity": 0.01 },
        "solid": { "model": "corotated", "young_modulus": 5e3, "poisson_ratio": 0.45, "friction": 0.2, "break_strain": 1 },
        "heat": { "specific_heat": 4000, "conductivity": 0.55, "freezing_point": 24, "melting_point": 32 } })",
     "`young_modulus`, `break_strain`: Bot, van Amerongen, Groot, Hoekstra & Agterof 1996, *Polymer Gels and "
     "Networks* 4, 189 (gels of gelatine, kilopascals; failure at strains near 1); Bonavia 2025, arXiv "
     "2512.20502 "
     "(20 parts of water to one of gelatine: 4.3 ± 0.6 kPa in compression; ✓ for `young_modulus`); "
     "`specific_heat`, "
     "`conductivity`, `density`, `viscosity`: of water with 5 % solids, lowered and raised accordingly; "
     "order of magnitude: `melting_point`, `freezing_point`; chosen: `poisson_ratio` (0.5 in nature, which "
     "no explicit method allows), `friction`"},
    {"rubber", "soft vulcanised natural rubber", Phase::elastic, 20, 20, R"({
        "density": 1100,
        "solid": { "model": "corotated", "young_modulus": 2e6, "poisson_ratio": 0.45, "friction": 0.8 },
        "heat": { "specific_heat": 1840, "conductivity": 0.15 } })",
     "`density`, `specific_heat`: Çengel & Boles, *Thermodynamics*, table A-3 (soft rubber, 1100 and 1840; "
     "✓); "
     "`conductivity`: Incropera & DeWitt, *Fundamentals of Heat and Mass Transfer*, table A.3 (soft rubber "
     "0.13, hard 0.16; 0.15 in data sheets of natural rubber, ✓); `young_modulus`: Gent (ed.) 2012, "
     "*Engineering with Rubber*, ch. 3 (1 to 5 MPa, by "
     "hardness); chosen: `poisson_ratio` (0.4999 in nature), `friction`"},
    {"clay", "wet potter's clay: keeps the shape that it is pressed into", Phase::elastic, 20, 20, R"({
        "density": 1900,
        "solid": { "model": "corotated", "young_modulus": 2e6, "poisson_ratio": 0.4, "friction": 0.6,
                   "elastic_limit": 0.02 },
        "heat": { "specific_heat": 1500, "conductivity": 1.3 } })",
     "`density`, `specific_heat`, `conductivity`: Farouki 1981, *Thermal Properties of Soils*, CRREL "
     "Monograph 81-1 (saturated clay, 1.1 to 1.6 W/(m K)), the heat from one part of water and three of "
     "mineral; de Vries 1963, clay soil with 40 % of water (1990, 1560, 1.4; ✓); `elastic_limit`, "
     "`young_modulus`: so that it yields at some 10 kPa (Andrade, Al-Qureshi & "
     "Hotza 2011, *Applied Clay Science* 51, 1) at the scale of centimetres; order of magnitude; chosen: "
     "`poisson_ratio`, `friction`"},
    {"steel", "mild steel; melts", Phase::rigid, 20, 1600, R"({
        "density": 7850, "liquid": { "viscosity": 0.006 },
        "solid": { "cold": "rigid", "young_modulus": 2e11, "poisson_ratio": 0.29, "friction": 0.5, "restitution": 0.3 },
        "heat": { "specific_heat": 490, "conductivity": 50, "latent_heat": 2.5e5, "melting_point": 1500 } })",
     "`density`, `young_modulus`, `poisson_ratio`: *Machinery's Handbook*, carbon steel; `specific_heat`, "
     "`conductivity`: Incropera & DeWitt, *Fundamentals of Heat and Mass Transfer*, table A.1 (plain carbon "
     "steel, 487 at 400 K; 57 at 400 K and 48 at 600 K); `latent_heat`, `melting_point`: CRC Handbook, sec. "
     "6 (iron, 247 kJ/kg; low-carbon steel melts between 1480 and 1520 °C); `viscosity`: Iida & Guthrie "
     "1988, *The Physical Properties of Liquid Metals*, ch. 6 (iron at its melting point, 5 to 7 mPa s); "
     "`density`, `young_modulus`, `poisson_ratio` and `conductivity` agree with data sheets of AISI 1010 "
     "(✓); chosen: `friction`, `restitution`"},
    {"stone", "granite", Phase::rigid, 20, 20, R"({
        "density": 2650,
        "solid": { "cold": "rigid", "young_modulus": 5e10, "poisson_ratio": 0.25, "friction": 0.6, "restitution": 0.2, "break_stress": 1e7 },
        "heat": { "specific_heat": 790, "conductivity": 2.8 } })",
     "`density`, `specific_heat`, `conductivity`: Incropera & DeWitt, *Fundamentals of Heat and Mass "
     "Transfer*, table A.3 (Barre granite, 2630, 775, 2.79; rock of other tables 2700, 750, 2.9, ✓); "
     "`young_modulus`, `poisson_ratio`, "
     "`break_stress` (tension): Jaeger, Cook & Zimmerman 2007, *Fundamentals of Rock Mechanics*, ch. 4 and 5 "
     "(granite, 40 to 70 GPa, 0.2 to 0.3, some 10 MPa); chosen: `friction`, `restitution`"},
    {"lava", "basalt", Phase::liquid, 1200, 1200, R"({
        "density": 2600,
        "liquid": { "viscosity_table": [ { "temperature": 1050, "viscosity": 1e4 }, { "temperature": 1100, "viscosity": 1e3 },
                                         { "temperature": 1150, "viscosity": 200 }, { "temperature": 1200, "viscosity": 50 } ] },
        "solid": { "cold": "rigid", "young_modulus": 2e10, "poisson_ratio": 0.25, "friction": 0.6 },
        "heat": { "specific_heat": 1150, "conductivity": 1.5, "latent_heat": 3.5e5, "freezing_point": 1050, "melting_point": 1050 } })",
     "`viscosity_table`: Griffiths 2000, *Annu. Rev. Fluid Mech.* 32, 477 (basalt at eruption, 10 to 100 Pa "
     "s; a thousand times more where crystals form; Kilauea 10 to 100, Stromboli 100 to 1000 in lecture "
     "notes, ✓); `density`, `specific_heat`, `latent_heat`: the same, "
     "and Turcotte & Schubert, *Geodynamics*, app. (2600 to 2800; 1000 to 1200; 320 to 400 kJ/kg); "
     "`conductivity`: *Geodynamics*, app. (basalt 1.3 to 2.9; 0.8 to 2.9 elsewhere, ✓); `melting_point`, "
     "`freezing_point`: near the "
     "solidus of basalt; order of magnitude: `young_modulus`, `poisson_ratio` (porous basalt); chosen: "
     "`friction`"},
    {"glass", "soda-lime glass; has no melting point, flows above about 700 °C", Phase::rigid, 20, 1100, R"({
        "density": 2500,
        "liquid": { "viscosity_table": [ { "temperature": 720, "viscosity": 5e6 }, { "temperature": 820, "viscosity": 1e5 },
                                         { "temperature": 1000, "viscosity": 1400 }, { "temperature": 1200, "viscosity": 80 },
                                         { "temperature": 1450, "viscosity": 9 } ] },
        "solid": { "cold": "rigid", "young_modulus": 7e10, "poisson_ratio": 0.2, "friction": 0.4, "break_stress": 4.5e7 },
        "heat": { "specific_heat": 720, "conductivity": 1.0, "melting_point": 720 } })",
     "`density`, `young_modulus`, `poisson_ratio`, `specific_heat`, `conductivity`, `break_stress` (bending, "
     "annealed): EN 572-1 (✓), *Glass in building: basic soda lime silicate glass products*; "
     "`viscosity_table`: "
     "Napolitano & Hawkins 1964, *J. Res. Natl. Bur. Stand.* 68A, 439 (standard glass 710), rounded; "
     "`melting_point`: its softening point, 724 °C; chosen: `friction`"},
};

}  // namespace

std::span<const MaterialPreset> material_presets() { return presets; }

const MaterialPreset* find_preset(std::string_view name) {
    const auto found = std::find_if(std::begin(presets), std::end(presets),
                                    [&](const MaterialPreset& preset) { return preset.name == name; });
    return found == std::end(presets) ? nullptr : found;
}

}  // namespace thixo
