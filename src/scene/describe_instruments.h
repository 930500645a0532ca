#pragma once

#include "scene/describe_choices.h"
#include "scene/describe_shapes.h"

/// Part of the table of the scene format (describe.h): forces from outside, and what is measured.
namespace thixo {

template <class Walk>
void describe(Walk& walk, Tag<FieldKeyframe>) {
    walk.field(
        "time", &FieldKeyframe::time,
        {.unit = "s", .min = -1e6, .max = 1e6, .required = true, .help = "later than the keyframe before"});
    walk.field("factor", &FieldKeyframe::factor,
               {.min = -1e6, .max = 1e6, .required = true, .help = "factor on the force"});
}

template <class Walk>
void describe(Walk& walk, Tag<ForceField>) {
    using F = ForceField;
    walk.field("name", &F::name,
               {.not_empty = true,
                .fallback = "`force field 1`, `force field 2`, … by its place in the list",
                .help = "unique name"});
    walk.field("kind", &F::kind, {.required = true, .help = "what it does"});
    walk.field("region", &F::region,
               {.fallback = "everywhere", .help = "acts on particles whose centre lies inside"});
    walk.field("velocity", &F::velocity,
               {.unit = "m/s", .min = -1e4, .max = 1e4, .help = "of `wind`: velocity of the air"});
    walk.field(
        "drag", &F::drag,
        {.min = 0,
         .max = 100,
         .help = "of `wind`: drag coefficient; the force on a surface is drag × air density × speed² / 2 "
                 "× the area that faces the wind; a plate 1.2, a ball 0.5"});
    walk.field("air_density", &F::air_density,
               {.unit = "kg/m³", .min = 0, .max = 1e5, .help = "of `wind`: density of the air"});
    walk.field("center", &F::center,
               {.unit = "m", .min = -farthest, .max = farthest, .help = "the point, or a point of the line"});
    walk.field("axis", &F::axis,
               {.min = -farthest,
                .max = farthest,
                .help = "direction of the line; any length but zero; in 2D always z"});
    walk.field(
        "strength", &F::strength,
        {.unit = "m/s²",
         .min = -1e6,
         .max = 1e6,
         .help = "acceleration at `radius`; it rises linearly from the centre to there; negative: away, or "
                 "the other way round"});
    walk.field("radius", &F::radius,
               {.unit = "m", .above = 0, .max = farthest, .help = "distance at which `strength` holds"});
    walk.field("falloff", &F::falloff,
               {.min = 0, .max = 10, .help = "beyond `radius` the strength falls as (radius/r)^falloff"});
    walk.field("rate", &F::rate,
               {.unit = "1/s",
                .min = 0,
                .max = 1e6,
                .help = "of `damping`: velocities fall by the factor e in 1/rate seconds"});
    walk.field("keyframes", &F::keyframes,
               {.fallback = "a factor of 1",
                .help = "the factor on the force over time, linear in between, constant before and after"});
}

template <class Walk>
void describe(Walk& walk, Tag<Probe>) {
    using P = Probe;
    walk.field("name", &P::name,
               {.not_empty = true,
                .fallback = "`probe 1`, `probe 2`, … by its place in the list",
                .help = "unique name; columns of `probes.csv` begin with it"});
    walk.field("kind", &P::kind, {.required = true, .help = "what it measures"});
    walk.field(
        "of", &P::of,
        {.fallback = "any liquid",
         .help = "`force`: name of an obstacle, a grab, or an object with `held` regions, required; `body`: "
                 "name of an object, required; `level`, `front`, `point`, `flow`: name of a material"});
    walk.field(
        "at", &P::at,
        {.unit = "m",
         .min = -farthest,
         .max = farthest,
         .help = "the place; of `level` a point of the column, of `flow` the centre of the rectangle, of "
                 "`force` the point that torques are about"});
    walk.field(
        "direction", &P::direction,
        {.min = -farthest,
         .max = farthest,
         .help = "of `front` and `flow`: direction of motion, across the rectangle; any length but zero"});
    walk.field("up", &P::up,
               {.min = -farthest, .max = farthest, .help = "of `flow`: direction of the rectangle's height"});
    walk.field("width", &P::width,
               {.unit = "m",
                .min = 0,
                .max = farthest,
                .help = "of `flow`: width of the rectangle; in 2D its length"});
    walk.field("height", &P::height,
               {.unit = "m",
                .min = 0,
                .max = farthest,
                .help = "of `flow`: height of the rectangle; not used in 2D"});
    walk.field("radius", &P::radius,
               {.unit = "m",
                .min = 0,
                .max = farthest,
                .fallback = "the support radius",
                .help = "of `level`: radius of the column that particles count in"});
}

}  // namespace thixo
