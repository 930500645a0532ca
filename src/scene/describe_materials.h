#pragma once

#include "scene/describe_choices.h"

/// Part of the table of the scene format (describe.h): what matter is made of.
namespace thixo {

constexpr double coldest = -273.15, hottest = 1e5;  // °C

template <class Walk>
void describe(Walk& walk, Tag<ViscosityPoint>) {
    walk.field("temperature", &ViscosityPoint::temperature,
               {.unit = "°C",
                .min = coldest,
                .max = hottest,
                .required = true,
                .help = "higher than that of the entry before"});
    walk.field("viscosity", &ViscosityPoint::viscosity,
               {.unit = "Pa s",
                .above = 0,
                .max = 1e12,
                .required = true,
                .help = "dynamic viscosity at this temperature"});
}

template <class Walk>
void describe(Walk& walk, Tag<LiquidSettings>) {
    using S = LiquidSettings;
    walk.field(
        "sound_speed", &S::sound_speed,
        {.unit = "m/s",
         .min = 0.001,
         .max = 1e5,
         .help = "numerical speed of sound; ten times the fastest flow keeps compression below 1 %; the time "
                 "step is inversely proportional to it. With `dfsph` only `artificial` viscosity uses it. "
                 "For elastic objects it sets the contact stiffness of their surface, with every solver"});
    walk.field(
        "viscosity", &S::viscosity,
        {.unit = "Pa s",
         .min = 0,
         .max = 1e12,
         .help =
             "dynamic viscosity, for `laplacian` and `implicit`; water 0.001, oil 0.1, honey 10; below about "
             "0.001 × density × sound speed × support radius, noise after an impact is not damped"});
    walk.field("viscosity_table", &S::viscosity_table,
               {.help = "viscosity by temperature, instead of `viscosity`: the logarithm is interpolated "
                        "linearly, and constant outside the table; for `laplacian` and `implicit`"});
    walk.field("artificial_viscosity", &S::artificial_viscosity,
               {.min = 0,
                .max = 100,
                .help = "coefficient of the `artificial` viscosity, dimensionless; 0.1 is lively, 0.5 calm"});
    walk.field(
        "surface_tension", &S::surface_tension,
        {.unit = "N/m",
         .min = 0,
         .max = 1e6,
         .help = "surface tension towards empty space and towards any other material; water 0.07; a "
                 "viscosity of about 0.1 × √(density × surface tension × spacing) prevents surface noise"});
}

template <class Walk>
void describe(Walk& walk, Tag<SolidSettings>) {
    using S = SolidSettings;
    walk.field("cold", &S::cold,
               {.help = "phase below the freezing point, for materials with a `heat.melting_point`; between "
                        "the two points matter is elastic and softens with temperature"});
    walk.field("model", &S::model, {.help = "constitutive model"});
    walk.field("strain", &S::strain,
               {.help = "strain measure; the model `green` always uses the Green strain"});
    walk.field("young_modulus", &S::young_modulus,
               {.unit = "Pa",
                .min = 1e-3,
                .max = 1e12,
                .help = "Young's modulus: jelly 1e4, rubber 1e6, wood 1e10; the time step is inversely "
                        "proportional to its square root"});
    walk.field("poisson_ratio", &S::poisson_ratio,
               {.min = 0,
                .max = 0.49,
                .fallback = "0.3; 0 for the model `lattice`",
                .help = "Poisson's ratio; the model `lattice` only allows 0"});
    walk.field("hourglass", &S::hourglass,
               {.min = 0,
                .max = 10,
                .help = "hourglass control: resists zero-energy modes; dimensionless, about 0.1 to 1"});
    walk.field("bending", &S::bending,
               {.min = 0,
                .max = 1e6,
                .help = "bending stiffness of single layers and rods, as a multiple of that of a plate or "
                        "beam one spacing thick"});
    walk.field("damping", &S::damping,
               {.unit = "s",
                .min = 0,
                .max = 1e3,
                .help = "Kelvin-Voigt damping: ratio of the viscous to the elastic stress, per strain rate; "
                        "damps vibrations, not rigid motion"});
    walk.field("elastic_limit", &S::elastic_limit,
               {.min = 0,
                .max = 1e3,
                .help = "yield point: deviatoric strain beyond which the deformation is plastic; 0: never"});
    walk.field("plastic_limit", &S::plastic_limit,
               {.min = 0, .max = 1e3, .help = "largest plastic strain; 0: no limit"});
    walk.field("friction", &S::friction,
               {.min = 0,
                .max = 10,
                .help = "Coulomb friction coefficient with other bodies: the geometric mean of both "
                        "materials applies; rubber 0.8, wood 0.4, ice 0.05; obstacles have their own"});
    walk.field(
        "break_strain", &S::break_strain,
        {.min = 0,
         .max = 1e3,
         .help =
             "stretch at which the link between neighbours breaks, relative to its rest length; 0: never"});
    walk.field("break_stress", &S::break_stress,
               {.unit = "Pa",
                .min = 0,
                .max = 1e12,
                .help = "tensile stress along a link at which it breaks; 0: never. For the model `lattice` "
                        "it needs a `docking_rate`"});
    walk.field("reach", &S::reach,
               {.min = 0,
                .max = 1.9,
                .fallback = "1.5 in 2D, 1.3 in 3D",
                .help = "model `lattice`: largest distance of bonded neighbours, in spacings; brittle 1.25, "
                        "ductile 1.5"});
    walk.field("docking_rate", &S::docking_rate,
               {.unit = "1/s",
                .min = 0,
                .max = 1e9,
                .help = "model `lattice`: probability per second that a particle docks on a free lattice "
                        "point; the rate decreases while a point is free, and a point with rate 0 is cracked "
                        "permanently. About 10 / time step; 0: docking always succeeds, and nothing cracks"});
    walk.field("docking_time", &S::docking_time,
               {.unit = "s",
                .min = 0,
                .max = 1e3,
                .help = "model `lattice`: time in which the docking rate of a free lattice point falls to 0; "
                        "0: 20 stable time steps of the material"});
    walk.field("restitution", &S::restitution,
               {.min = 0,
                .max = 1,
                .help = "coefficient of restitution of rigid bodies; the larger one of both sides applies"});
}

template <class Walk>
void describe(Walk& walk, Tag<DfsphSettings>) {
    using S = DfsphSettings;
    walk.field(
        "density_error", &S::density_error,
        {.above = 0,
         .max = 1,
         .help = "tolerance of the density solver: mean compression after a step of the length that flow and "
                 "pressure allow; a step shortened by another limit has a proportionally smaller tolerance"});
    walk.field(
        "divergence_error", &S::divergence_error,
        {.above = 0, .max = 1, .help = "tolerance of the divergence solver, for the same length of step"});
    walk.field("min_iterations", &S::min_iterations,
               {.min = 1,
                .max = 1000,
                .help = "fewest iterations of the density solver; half as many of the divergence solver"});
    walk.field("max_iterations", &S::max_iterations,
               {.min = 1, .max = 10000, .help = "most iterations of each solver"});
    walk.field(
        "long_steps", &S::long_steps,
        {.help = "steps as long as the velocities at their end allow, up to 1.6 times as long where only "
                 "weight limits them; what falls freely is up to half a step ahead"});
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
                .help = "thermal conductivity; water 0.6, wax 0.2, iron 80; 0: no conduction, unless "
                        "`diffusivity` is given"});
    walk.field("diffusivity", &HeatSettings::diffusivity,
               {.unit = "m²/s",
                .min = 0,
                .max = 1e6,
                .help = "thermal diffusivity, instead of `conductivity`: conductivity / (density × specific "
                        "heat); heat crosses a length L in about L²/diffusivity; water 1.4e-7, iron 2e-5"});
    walk.field("expansion", &HeatSettings::expansion,
               {.unit = "1/K",
                .min = -0.1,
                .max = 0.1,
                .help = "volumetric thermal expansion of the liquid (Boussinesq: gravity acts on a density "
                        "that falls by this fraction "
                        "for each degree above `reference_temperature`); water at 20 °C 2e-4, oil 7e-4"});
    walk.field("reference_temperature", &HeatSettings::reference_temperature,
               {.unit = "°C",
                .min = coldest,
                .max = hottest,
                .help = "temperature at which the liquid has its `density`, for `expansion`"});
    walk.field(
        "latent_heat", &HeatSettings::latent_heat,
        {.unit = "J/kg",
         .min = 0,
         .max = 1e9,
         .help = "latent heat of fusion, absorbed between `freezing_point` and `melting_point`; ice 3.3e5"});
    const Rule point{.unit = "°C", .min = coldest, .max = hottest};
    Rule melting = point, freezing = point;
    melting.fallback = "none: does not melt";
    melting.help = "temperature above which all matter is liquid";
    freezing.fallback = "`melting_point`";
    freezing.help = "temperature below which all matter is solid; at most the melting point";
    walk.field("melting_point", &HeatSettings::melting_point, melting);
    walk.field("freezing_point", &HeatSettings::freezing_point, freezing);
    walk.field("transition", &HeatSettings::transition, {.help = "how particles melt and freeze"});
    walk.field("melting_rate", &HeatSettings::melting_rate,
               {.unit = "1/(s K)",
                .min = 0,
                .max = 1e9,
                .help = "stochastic transition: probability per second that a solid particle melts, for each "
                        "degree above the melting point"});
    walk.field("freezing_rate", &HeatSettings::freezing_rate,
               {.unit = "1/(s K)",
                .min = 0,
                .max = 1e9,
                .help = "stochastic transition: probability per second that a liquid particle freezes, for "
                        "each degree below the freezing point and for each solid neighbour within 1.3 "
                        "spacings in excess of `freezing_neighbours`"});
    walk.field("freezing_neighbours", &HeatSettings::freezing_neighbours,
               {.min = 0,
                .max = 20,
                .help = "stochastic transition: number of solid neighbours that are not counted; with 0, a "
                        "particle without solid neighbours freezes at the rate of one neighbour"});
    walk.field("freezing_speed", &HeatSettings::freezing_speed,
               {.unit = "m/s",
                .min = 0,
                .max = 1e6,
                .help = "stochastic transition: speed relative to the solid neighbours that halves the "
                        "probability to freeze; 0: no effect"});
}

/// A look may be written as the name of its preset alone.
constexpr auto shorthand(Tag<LookSettings>) { return &LookSettings::preset; }
constexpr auto shorthand(Tag<MaterialLook>) { return within(&MaterialLook::both, &LookSettings::preset); }

/// Keys of a look, wherever it is.
template <class Walk, class Access>
void describe_look(Walk& walk, Access access) {
    using S = LookSettings;
    walk.field("preset", access(&S::preset), {.help = "what it is like"});
    walk.field("colour", access(&S::colour),
               {.min = 0,
                .max = 1,
                .fallback = "that of the preset",
                .help = "sRGB from 0 to 1; of clear matter: white light that has crossed `depth` of it"});
    walk.field("roughness", access(&S::roughness),
               {.min = 0, .max = 1, .fallback = "that of the preset", .help = "0: polished, 1: dull"});
    walk.field(
        "refractive_index", access(&S::refractive_index),
        {.min = 1,
         .max = 3,
         .fallback = "that of the preset",
         .help = "water 1.33, ice 1.31, glass 1.5; of matter that is not clear: strength of the gloss"});
    walk.field("depth", access(&S::depth),
               {.unit = "m",
                .above = 0,
                .max = 1e6,
                .fallback = "by the preset and the size of the scene",
                .help = "thickness of clear matter that gives it its colour; how far light spreads in "
                        "cloudy matter"});
    walk.field("glow", access(&S::glow),
               {.min = 0,
                .max = 1e6,
                .fallback = "that of the preset",
                .help = "factor on the light that hot matter emits as a black body"});
}

template <class Walk>
void describe(Walk& walk, Tag<LookSettings>) {
    describe_look(walk, [](auto member) { return member; });
}

template <class Walk>
void describe(Walk& walk, Tag<MaterialLook>) {
    describe_look(walk, [](auto member) { return within(&MaterialLook::both, member); });
    walk.field("liquid", &MaterialLook::liquid,
               {.fallback = "as above", .help = "look of the liquid phase, if it is another one"});
    walk.field(
        "solid", &MaterialLook::solid,
        {.fallback = "as above", .help = "look of the elastic and rigid phases, if it is another one"});
}

template <class Walk>
void describe(Walk& walk, Tag<Scale>) {
    using S = Scale;
    walk.field(
        "heat", &S::heat,
        {.min = 1e-6,
         .max = 1e6,
         .help = "factor on conduction and on all exchange of heat: 100 shows in one second what takes "
                 "100 s in nature"});
    walk.field(
        "stiffness", &S::stiffness,
        {.min = 1e-9,
         .max = 1e3,
         .help = "factor on `young_modulus` and `break_stress`; the time step is inversely proportional "
                 "to its square root"});
    walk.field("viscosity", &S::viscosity, {.min = 1e-9, .max = 1e9, .help = "factor on viscosities"});
    walk.field(
        "applied", &S::applied,
        {.help = "true: the constants of the scene are scaled already, as in the `scene.json` of a run"});
}

template <class Walk>
void describe(Walk& walk, Tag<Material>) {
    walk.ignored(
        "like",
        "name of a preset ([materials](materials.md)), whose constants hold where this entry has none");
    walk.field("density", &Material::density,
               {.unit = "kg/m³", .min = 0.001, .max = 1e6, .help = "density at rest"});
    walk.field("liquid", &Material::liquid, {.help = "constants of the liquid phase"});
    walk.field("solid", &Material::solid, {.help = "constants of the elastic and rigid phases"});
    walk.field("heat", &Material::heat, {.help = "thermal constants"});
    walk.field(
        "look", &Material::look,
        {.help = "what it looks like in pictures; the name of a preset is enough: `\"look\": \"water\"`"});
    walk.field("scale", &Material::scale, {.help = "factors on its constants, beside those of the scene"});
}

}  // namespace thixo
