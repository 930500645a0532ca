#pragma once

#include "scene/describe_materials.h"
#include "scene/describe_shapes.h"

/// Part of the table of the scene format (describe.h): what is in a scene, and what happens to it.
namespace thixo {

template <class Walk>
void describe(Walk& walk, Tag<HeldRegion>) {
    walk.field(
        "region", &HeldRegion::region,
        {.required = true, .help = "particles of the object whose centre is inside at the start are held"});
    walk.field(
        "motion", &HeldRegion::motion,
        {.help = "where they are led; at t = 0 it must leave them where they are; without keyframes they "
                 "are fixed"});
    walk.field("until", &HeldRegion::until,
               {.unit = "s",
                .above = 0,
                .max = end_of_time,
                .fallback = "never",
                .help = "when they are let go, with the velocity they have"});
}

template <class Walk>
void describe(Walk& walk, Tag<Object>) {
    walk.field("name", &Object::name,
               {.not_empty = true,
                .fallback = "`object 1`, `object 2`, … by its place in the list",
                .help = "unique name"});
    walk.field("material", &Object::material, {.required = true, .help = "name of an entry of `materials`"});
    walk.field("phase", &Object::phase, {.help = "state of matter at the start"});
    walk.field("temperature", &Object::temperature,
               {.unit = "°C", .min = -273.15, .max = 1e5, .help = "temperature at the start"});
    walk.field("velocity", &Object::velocity,
               {.unit = "m/s", .min = -1e5, .max = 1e5, .help = "velocity at the start"});
    walk.field("angular_velocity", &Object::angular_velocity,
               {.unit = "rad/s",
                .min = -1e5,
                .max = 1e5,
                .help = "rotation about the shape's centre at the start; in 2D about z only"});
    walk.field("lattice", &Object::lattice,
               {.fallback = "`cubic`; of a solid of the model `lattice` `closest`",
                .help = "arrangement of the particles at the start"});
    walk.field(
        "orientation", &Object::orientation,
        {.unit = "degrees",
         .min = -36000,
         .max = 36000,
         .help = "turns the lattice within the shape, about x, then y, then z; in 2D about z only. With "
                 "a shape that is rotated it turns anyway"});
    walk.field("shape", &Object::shape,
               {.required = true,
                .bounded = true,
                .layer = true,
                .help = "what is filled with particles, or covered by a single layer of them"});
    walk.field(
        "held", &Object::held,
        {.help = "parts that are fixed or led along keyframes; of parts that overlap the first holds"});
    walk.field("release", &Object::release,
               {.unit = "s",
                .min = 0,
                .max = end_of_time,
                .help = "until then all of it stays where it is; then it starts with its `velocity` and "
                        "`angular_velocity`"});
}

template <class Walk>
void describe(Walk& walk, Tag<Keyframe>) {
    walk.field("time", &Keyframe::time,
               {.unit = "s", .min = -1e6, .max = 1e6, .required = true, .help = "later than the one before"});
    walk.field(
        "translate", &Keyframe::translate,
        {.unit = "m", .min = -farthest, .max = farthest, .help = "shift from where the shape is written"});
    walk.field(
        "rotate", &Keyframe::rotate,
        {.unit = "degrees",
         .min = -1e9,
         .max = 1e9,
         .help = "angles about x, then y, then z through the pivot; 3600 are ten turns; in 2D about z only"});
}

template <class Walk>
void describe(Walk& walk, Tag<Motion>) {
    walk.field("keyframes", &Motion::keyframes,
               {.help = "where it is at which time; before the first and after the last it stands still"});
    walk.field("pivot", &Motion::pivot,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .help = "point that rotations leave in place; it moves with `translate`"});
    walk.field(
        "interpolation", &Motion::interpolation,
        {.help = "how it gets from one keyframe to the next; angles as written, not the shortest way"});
    walk.field(
        "repeat", &Motion::repeat,
        {.help = "true: start over after the last keyframe, which must be the same place as the first"});
}

template <class Walk>
void describe(Walk& walk, Tag<Obstacle>) {
    walk.field("name", &Obstacle::name,
               {.not_empty = true,
                .fallback = "`obstacle 1`, `obstacle 2`, … by its place in the list",
                .help = "unique name"});
    walk.field("shape", &Obstacle::shape, {.required = true, .help = "what particles cannot enter"});
    walk.field("inside", &Obstacle::inside,
               {.help = "true: the shape is a container and matter stays inside it"});
    walk.field("friction", &Obstacle::friction,
               {.min = 0, .max = 100, .help = "Coulomb coefficient; 0 slides freely"});
    walk.field(
        "no_slip", &Obstacle::no_slip,
        {.help = "true: viscous fluid sticks to it, as it does to real walls; false: it slides along; for "
                 "`laplacian` and `implicit` viscosity, `artificial` always slides"});
    walk.field("restitution", &Obstacle::restitution,
               {.min = 0, .max = 1, .help = "share of the normal speed that a bouncing particle keeps"});
    walk.field("motion", &Obstacle::motion, {.help = "prescribed motion; without keyframes it stands still"});
    walk.field("temperature", &Obstacle::temperature,
               {.unit = "°C",
                .min = coldest,
                .max = hottest,
                .fallback = "none: no heat passes",
                .help = "of its surface; what touches it is heated or cooled"});
    walk.field("heat_transfer", &Obstacle::heat_transfer,
               {.unit = "W/(m² K)",
                .above = 0,
                .max = 1e9,
                .fallback = "perfect contact",
                .help = "heat that passes its surface, for an area and a difference of temperature"});
}

template <class Walk>
void describe(Walk& walk, Tag<Disc>) {
    walk.field("radius", &Disc::radius,
               {.unit = "m", .above = 0, .max = farthest, .required = true, .help = "radius"});
}

template <class Walk>
void describe(Walk& walk, Tag<Rectangle>) {
    walk.field("width", &Rectangle::width,
               {.unit = "m", .above = 0, .max = farthest, .required = true, .help = "extent across `up`"});
    walk.field("height", &Rectangle::height,
               {.unit = "m",
                .above = 0,
                .max = farthest,
                .required = true,
                .help = "extent along `up`; means nothing in 2D"});
}

template <class Walk>
void describe(Walk& walk, Tag<Opening>) {
    walk.template alternative<Disc>("disc", {.bounded = true},
                                    "A disc; in 2D a segment twice its radius long.");
    walk.template alternative<Rectangle>("rectangle", {.bounded = true},
                                         "A rectangle; in 2D a segment of its width.");
}

template <class Walk>
void describe(Walk& walk, Tag<Emitter>) {
    walk.field("name", &Emitter::name,
               {.not_empty = true,
                .fallback = "`emitter 1`, `emitter 2`, … by its place in the list",
                .help = "unique name"});
    walk.field("material", &Emitter::material, {.required = true, .help = "name of an entry of `materials`"});
    walk.field("opening", &Emitter::opening, {.required = true, .help = "where particles come out"});
    walk.field("position", &Emitter::position,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .help = "centre of the opening; in a fluid put it half a spacing from a wall, or it draws in "
                        "what is behind it"});
    walk.field("direction", &Emitter::direction,
               {.min = -farthest, .max = farthest, .help = "of the jet; any length but zero"});
    walk.field("up", &Emitter::up,
               {.min = -farthest,
                .max = farthest,
                .fallback = "as upright as the direction allows",
                .help = "direction of a rectangle's height"});
    walk.field("speed", &Emitter::speed,
               {.unit = "m/s", .above = 0, .max = 1e5, .help = "of the particles when they come out"});
    walk.field("rate", &Emitter::rate,
               {.unit = "m³/s",
                .above = 0,
                .max = 1e12,
                .fallback = "area of the opening × speed",
                .help = "volume a second, in 2D m²/s; at most area × speed, which fills the jet: below that "
                        "its layers stand farther apart"});
    walk.field("temperature", &Emitter::temperature,
               {.unit = "°C", .min = -273.15, .max = 1e5, .help = "temperature of the particles"});
    walk.field("start", &Emitter::start,
               {.unit = "s", .min = 0, .max = end_of_time, .help = "when it opens"});
    walk.field("stop", &Emitter::stop,
               {.unit = "s", .min = 0, .max = end_of_time, .fallback = "never", .help = "when it closes"});
}

template <class Walk>
void describe(Walk& walk, Tag<Sink>) {
    walk.field("name", &Sink::name,
               {.not_empty = true,
                .fallback = "`sink 1`, `sink 2`, … by its place in the list",
                .help = "unique name"});
    walk.field("shape", &Sink::shape,
               {.required = true,
                .help = "liquid particles whose centre is inside are removed; bodies pass unharmed"});
    walk.field("start", &Sink::start, {.unit = "s", .min = 0, .max = end_of_time, .help = "when it opens"});
    walk.field("stop", &Sink::stop,
               {.unit = "s", .min = 0, .max = end_of_time, .fallback = "never", .help = "when it closes"});
}

template <class Walk>
void describe(Walk& walk, Tag<Heater>) {
    walk.field("name", &Heater::name,
               {.not_empty = true,
                .fallback = "`heater 1`, `heater 2`, … by its place in the list",
                .help = "unique name"});
    walk.field("region", &Heater::region,
               {.required = true, .help = "particles whose centre is inside are heated or cooled"});
    walk.field(
        "power", &Heater::power,
        {.unit = "W",
         .min = -1e15,
         .max = 1e15,
         .fallback = "none; either `power` or `temperature` must be given",
         .help = "heat a second, spread over the masses in the region; below zero it cools; in 2D for a "
                 "metre of depth"});
    walk.field("temperature", &Heater::temperature,
               {.unit = "°C",
                .min = coldest,
                .max = hottest,
                .fallback = "none",
                .help = "what is in the region is brought to this temperature"});
    walk.field("response", &Heater::response,
               {.unit = "s",
                .min = 1e-6,
                .max = end_of_time,
                .help = "time in which the difference to `temperature` falls to 37 %"});
    walk.field("start", &Heater::start,
               {.unit = "s", .min = 0, .max = end_of_time, .help = "when it is turned on"});
    walk.field(
        "stop", &Heater::stop,
        {.unit = "s", .min = 0, .max = end_of_time, .fallback = "never", .help = "when it is turned off"});
    walk.field("motion", &Heater::motion,
               {.help = "prescribed motion of the region; without keyframes it stands still"});
}

template <class Walk>
void describe(Walk& walk, Tag<Pause>) {
    walk.field(
        "objects", &Pause::objects,
        {.fallback = "all",
         .help = "names of objects or emitters: what came from one of them stands still, whatever became of "
                 "it"});
    walk.field("materials", &Pause::materials,
               {.fallback = "all", .help = "names of entries of `materials`: what is of one of them"});
    walk.field("start", &Pause::start,
               {.unit = "s",
                .min = 0,
                .max = end_of_time,
                .help = "from then on it stands still, an obstacle to all others. Heat still flows"});
    walk.field("stop", &Pause::stop,
               {.unit = "s",
                .min = 0,
                .max = end_of_time,
                .fallback = "never",
                .help = "from then on it goes on, with the velocities that it had"});
}

template <class Walk>
void describe(Walk& walk, Tag<Grab>) {
    walk.field("name", &Grab::name,
               {.not_empty = true,
                .fallback = "`grab 1`, `grab 2`, … by its place in the list",
                .help = "unique name"});
    walk.field(
        "region", &Grab::region,
        {.required = true,
         .help = "solid particles whose centre is inside when it starts are taken; of rigid bodies all "
                 "particles. What is held already stays where it is held, and what melts is let go"});
    walk.field("objects", &Grab::objects,
               {.fallback = "all", .help = "names of objects or emitters: only what came from one of them"});
    walk.field("materials", &Grab::materials,
               {.fallback = "all", .help = "names of entries of `materials`: only what is of one of them"});
    walk.field("whole_bodies", &Grab::whole_bodies,
               {.help = "true: all that hangs together with what is inside is taken with it"});
    walk.field("start", &Grab::start,
               {.unit = "s", .min = 0, .max = end_of_time, .help = "when it takes hold"});
    walk.field("stop", &Grab::stop,
               {.unit = "s",
                .min = 0,
                .max = end_of_time,
                .fallback = "never",
                .help = "when it lets go, with the velocity of the motion"});
    walk.field(
        "motion", &Grab::motion,
        {.help = "where they are led, from where the motion is at `start` on; times are those of the scene; "
                 "without keyframes they are fixed"});
}

template <class Walk>
void describe(Walk& walk, Tag<Ambient>) {
    walk.field("temperature", &Ambient::temperature,
               {.unit = "°C", .min = coldest, .max = hottest, .help = "of the air"});
    walk.field(
        "heat_transfer", &Ambient::heat_transfer,
        {.unit = "W/(m² K)",
         .min = 0,
         .max = 1e9,
         .help = "heat that passes free surfaces, for an area and a difference of temperature; still air 10, "
                 "wind 50; 0: none"});
}

}  // namespace thixo
