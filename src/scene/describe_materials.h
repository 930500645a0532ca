#pragma once

#include "scene/describe_choices.h"

/// Part of the table of the scene format (describe.h): what matter is made of.
namespace thixo {

constexpr double coldest = -273.15, hottest = 1e5;  // °C

template <class Walk>
void describe(Walk& walk, Tag<ViscosityPoint>) {
    walk.field(
        "temperature", &ViscosityPoint::temperature,
        {.unit = "°C", .min = coldest, .max = hottest, .required = true, .help = "above the one before"});
    walk.field(
        "viscosity", &ViscosityPoint::viscosity,
        {.unit = "Pa s", .above = 0, .max = 1e12, .required = true, .help = "dynamic viscosity there"});
}

template <class Walk>
void describe(Walk& walk, Tag<LiquidSettings>) {
    using S = LiquidSettings;
    walk.field(
        "sound_speed", &S::sound_speed,
        {.unit = "m/s",
         .min = 0.001,
         .max = 1e5,
         .help = "speed of sound; about ten times the fastest flow keeps compression below 1 %, and "
                 "the time step shrinks as it grows; `dfsph` takes no pressure from it, only "
                 "`artificial` viscosity; for elastic objects, how hard their surface is against others "
                 "and walls, with every solver"});
    walk.field(
        "viscosity", &S::viscosity,
        {.unit = "Pa s",
         .min = 0,
         .max = 1e12,
         .help = "dynamic viscosity, for `laplacian` and `implicit`; water 0.001, oil 0.1, honey 10; below "
                 "about 0.001 × density × sound speed × support nothing calms the jitter after an "
                 "impact"});
    walk.field(
        "viscosity_table", &S::viscosity_table,
        {.help = "viscosity at some temperatures, which takes the place of `viscosity`; between them its "
                 "logarithm is "
                 "interpolated, beyond them it stays as it is at the first and the last; for `laplacian` "
                 "and `implicit`"});
    walk.field("artificial_viscosity", &S::artificial_viscosity,
               {.min = 0,
                .max = 100,
                .help = "strength of the `artificial` viscosity, without a unit; 0.1 is lively, 0.5 calm"});
    walk.field("surface_tension", &S::surface_tension,
               {.unit = "N/m",
                .min = 0,
                .max = 1e6,
                .help = "pulls the surface tight, against empty space and against any other material; water "
                        "0.07; a viscosity of about 0.1 × √(density × surface tension × spacing) keeps the "
                        "surface calm"});
}

template <class Walk>
void describe(Walk& walk, Tag<SolidSettings>) {
    using S = SolidSettings;
    walk.field(
        "cold", &S::cold,
        {.help = "what matter with a `heat.melting_point` is below its freezing point; between the two it "
                 "is elastic, the softer the warmer"});
    walk.field("model", &S::model, {.help = "how stress follows from deformation"});
    walk.field("strain", &S::strain, {.help = "measure of deformation; `green` always uses Green's"});
    walk.field("young_modulus", &S::young_modulus,
               {.unit = "Pa",
                .min = 1e-3,
                .max = 1e12,
                .help = "stiffness: jelly 1e4, rubber 1e6, wood 1e10; the time step shrinks with its root"});
    walk.field(
        "poisson_ratio", &S::poisson_ratio,
        {.min = 0,
         .max = 0.49,
         .fallback = "0.3; of the model `lattice` 0",
         .help = "how much a pulled bar gets thinner, as a share of the stretch; lattices can only have 0"});
    walk.field("hourglass", &S::hourglass,
               {.min = 0,
                .max = 10,
                .help = "resists deformations that the strain does not see; without a unit, about 0.1 to 1"});
    walk.field(
        "bending", &S::bending,
        {.min = 0,
         .max = 1e6,
         .help = "resistance of single layers and rods to bending, as a multiple of that of a plate or "
                 "beam one spacing thick"});
    walk.field("damping", &S::damping,
               {.unit = "s",
                .min = 0,
                .max = 1e3,
                .help = "stress by the rate of strain, as a multiple of that by strain; calms vibrations and "
                        "leaves rigid "
                        "motion alone"});
    walk.field(
        "elastic_limit", &S::elastic_limit,
        {.min = 0, .max = 1e3, .help = "deviatoric strain beyond which it deforms for good; 0: never"});
    walk.field("plastic_limit", &S::plastic_limit,
               {.min = 0, .max = 1e3, .help = "plastic strain at which it stops yielding; 0: no limit"});
    walk.field(
        "friction", &S::friction,
        {.min = 0,
         .max = 10,
         .help = "Coulomb's coefficient of friction on other bodies, without a unit: the geometric mean of "
                 "both counts; rubber 0.8, wood 0.4, ice 0.05; walls have their own"});
    walk.field("break_strain", &S::break_strain,
               {.min = 0,
                .max = 1e3,
                .help = "stretch at which neighbours let go of each other, as a share of their distance at "
                        "rest; 0: never"});
    walk.field(
        "break_stress", &S::break_stress,
        {.unit = "Pa",
         .min = 0,
         .max = 1e12,
         .help = "tension along the line between neighbours at which they let go of each other; 0: never. In "
                 "a `lattice` only with a `docking_rate`"});
    walk.field("reach", &S::reach,
               {.min = 0,
                .max = 1.9,
                .fallback = "1.5 in 2D, 1.3 in 3D",
                .help = "of the model `lattice`: how far apart neighbours still hold on to each other, in "
                        "spacings; brittle 1.25, ductile 1.5"});
    walk.field(
        "docking_rate", &S::docking_rate,
        {.unit = "1/s",
         .min = 0,
         .max = 1e9,
         .help = "of the model `lattice`: chance per second that a lost neighbour is taken back; it "
                 "falls while there is none, and where it is 0 the lattice is cracked for good. About 10 "
                 "over the time step; 0: neighbours are always taken, and nothing cracks"});
    walk.field("docking_time", &S::docking_time,
               {.unit = "s",
                .min = 0,
                .max = 1e3,
                .help = "of the model `lattice`: how long a neighbour must be missing until the docking rate "
                        "has fallen to 0; 0: 20 of the material's own time steps"});
    walk.field("restitution", &S::restitution,
               {.min = 0,
                .max = 1,
                .help = "share of the normal speed that a rigid body keeps when it bounces; of both sides' "
                        "the larger one counts"});
}

template <class Walk>
void describe(Walk& walk, Tag<DfsphSettings>) {
    using S = DfsphSettings;
    walk.field(
        "density_error", &S::density_error,
        {.above = 0,
         .max = 1,
         .help = "mean compression at which iterations on the density end, per step that flow and "
                 "pressure would allow; less, in proportion, where viscosity or else cuts steps short"});
    walk.field("divergence_error", &S::divergence_error,
               {.above = 0,
                .max = 1,
                .help = "mean compression at which iterations on the divergence end, per step likewise"});
    walk.field("min_iterations", &S::min_iterations,
               {.min = 1, .max = 1000, .help = "at least so many on the density, half on the divergence"});
    walk.field("max_iterations", &S::max_iterations,
               {.min = 1, .max = 10000, .help = "at most so many on either"});
}

template <class Walk>
void describe(Walk& walk, Tag<HeatSettings>) {
    walk.field(
        "specific_heat", &HeatSettings::specific_heat,
        {.unit = "J/(kg K)", .min = 0.001, .max = 1e6, .help = "heat that warms one kilogram by one degree"});
    walk.field("conductivity", &HeatSettings::conductivity,
               {.unit = "W/(m K)",
                .min = 0,
                .max = 1e9,
                .help = "how well it conducts heat; water 0.6, wax 0.2, iron 80; 0: it does not, unless "
                        "`diffusivity` is given"});
    walk.field(
        "diffusivity", &HeatSettings::diffusivity,
        {.unit = "m²/s",
         .min = 0,
         .max = 1e6,
         .help = "instead of `conductivity`: conductivity / (density × specific heat), which says how fast "
                 "heat spreads; over a length L it takes about L²/diffusivity; water 1.4e-7, iron 2e-5"});
    walk.field(
        "latent_heat", &HeatSettings::latent_heat,
        {.unit = "J/kg",
         .min = 0,
         .max = 1e9,
         .help = "heat that melts one kilogram, taken up between `freezing_point` and `melting_point`; ice "
                 "3.3e5"});
    const Rule point{.unit = "°C", .min = coldest, .max = hottest};
    Rule melting = point, freezing = point;
    melting.fallback = "it does not melt";
    melting.help = "from here on all of it is molten";
    freezing.fallback = "`melting_point`";
    freezing.help = "from here down all of it is frozen; at most the melting point";
    walk.field("melting_point", &HeatSettings::melting_point, melting);
    walk.field("freezing_point", &HeatSettings::freezing_point, freezing);
    walk.field("transition", &HeatSettings::transition, {.help = "how it changes its phase"});
    walk.field("melting_rate", &HeatSettings::melting_rate,
               {.unit = "1/(s K)",
                .min = 0,
                .max = 1e9,
                .help = "of stochastic transitions: chance per second that a solid particle melts, for each "
                        "degree above the melting point"});
    walk.field("freezing_rate", &HeatSettings::freezing_rate,
               {.unit = "1/(s K)",
                .min = 0,
                .max = 1e9,
                .help = "of stochastic transitions: chance per second that a liquid particle freezes, for "
                        "each degree below the freezing point and each solid neighbour within 1.3 spacings "
                        "beyond `freezing_neighbours`"});
    walk.field("freezing_neighbours", &HeatSettings::freezing_neighbours,
               {.min = 0,
                .max = 20,
                .help = "of stochastic transitions: solid neighbours that do not count; with 0 liquids "
                        "freeze without any, at the rate of one"});
    walk.field("freezing_speed", &HeatSettings::freezing_speed,
               {.unit = "m/s",
                .min = 0,
                .max = 1e6,
                .help = "of stochastic transitions: speed past solid neighbours that halves the chance to "
                        "freeze on them; 0: motion does not matter"});
}

template <class Walk>
void describe(Walk& walk, Tag<Material>) {
    walk.field("density", &Material::density,
               {.unit = "kg/m³", .min = 0.001, .max = 1e6, .help = "density at rest"});
    walk.field("liquid", &Material::liquid, {.help = "while it is liquid"});
    walk.field("solid", &Material::solid, {.help = "while it is elastic or rigid"});
    walk.field("heat", &Material::heat, {.help = "thermal constants"});
}

}  // namespace thixo
