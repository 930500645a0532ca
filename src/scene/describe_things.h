#pragma once

#include "scene/describe_materials.h"
#include "scene/describe_shapes.h"

/// Part of the table of the scene format (describe.h): what is in a scene, and what happens to it.
namespace thixo {

template <class Walk>
void describe(Walk& walk, Tag<HeldRegion>) {
    walk.field(
        "region", &HeldRegion::region,
        {.required = true,
         .help = "particles of the object whose centre lies inside at the start have prescribed motion"});
    walk.field("motion", &HeldRegion::motion,
               {.help = "prescribed motion; at t = 0 it must be the identity; without keyframes the "
                        "particles are fixed"});
    walk.field("until", &HeldRegion::until,
               {.unit = "s",
                .above = 0,
                .max = end_of_time,
                .fallback = "never",
                .help = "when they are released, with their current velocity"});
}

template <class Walk>
void describe(Walk& walk, Tag<ContactAngle>) {
    walk.field("liquid", &ContactAngle::liquid,
               {.required = true, .help = "name of an entry of `materials` with a `surface_tension`"});
    walk.field("solid", &ContactAngle::solid,
               {.required = true, .help = "name of an obstacle, or of a material: what is solid of it"});
    walk.field(
        "angle", &ContactAngle::angle,
        {.unit = "degrees",
         .min = 0,
         .max = 180,
         .help = "contact angle, measured in the liquid: 0 spreads out, 90 is neutral, 180 does not adhere"});
}

template <class Walk>
void describe(Walk& walk, Tag<SkinSettings>) {
    walk.field("mesh", &SkinSettings::mesh,
               {.not_empty = true,
                .longest = 4000,
                .help = "`shape`: the object's own shape, with sharp edges; or a closed mesh in an OBJ, PLY, "
                        "STL or glTF file, relative to the scene file, placed like the shape"});
    walk.field("texture", &SkinSettings::texture,
               {.longest = 4000,
                .fallback = "none",
                .help = "a PNG file, relative to the scene file; the mesh must have texture coordinates"});
}

/// `"skin": "shape"`
inline auto shorthand(Tag<SkinSettings>) { return &SkinSettings::mesh; }

template <class Walk>
void describe(Walk& walk, Tag<Object>) {
    walk.field("name", &Object::name,
               {.not_empty = true,
                .fallback = "`object 1`, `object 2`, … by its place in the list",
                .help = "unique name"});
    walk.field("material", &Object::material,
               {.required = true,
                .help = "name of an entry of `materials`, or of a preset ([materials](materials.md))"});
    walk.field("phase", &Object::phase,
               {.fallback = "`liquid`; of a preset: its own", .help = "state of matter at the start"});
    walk.field("temperature", &Object::temperature,
               {.unit = "°C",
                .min = -273.15,
                .max = 1e5,
                .fallback = "`20`; of a preset: its own",
                .help = "temperature at the start"});
    walk.field("velocity", &Object::velocity,
               {.unit = "m/s", .min = -1e5, .max = 1e5, .help = "velocity at the start"});
    walk.field("angular_velocity", &Object::angular_velocity,
               {.unit = "rad/s",
                .min = -1e5,
                .max = 1e5,
                .help = "rotation about the shape's centre at the start; in 2D about z only"});
    walk.field("lattice", &Object::lattice,
               {.fallback = "`cubic`; for solids of the model `lattice`: `closest`",
                .help = "arrangement of the particles at the start"});
    walk.field("orientation", &Object::orientation,
               {.unit = "degrees",
                .min = -36000,
                .max = 36000,
                .help = "rotation of the lattice within the shape, about x, then y, then z; in 2D about z "
                        "only. The rotation of the shape itself is applied after it"});
    walk.field(
        "jitter", &Object::jitter,
        {.unit = "spacings",
         .min = 0,
         .max = 0.2,
         .help =
             "largest random displacement of a particle at the start, by `seed`: breaks the symmetry of the "
             "lattice, 0.05 is enough. Not for solids of the model `lattice`"});
    walk.field("shape", &Object::shape,
               {.required = true,
                .bounded = true,
                .layer = true,
                .help = "what is filled with particles, or covered by a single layer of them"});
    walk.field("held", &Object::held,
               {.help = "regions of the object that are fixed or follow keyframes; if regions overlap, the "
                        "first in the list applies"});
    walk.field("release", &Object::release,
               {.unit = "s",
                .min = 0,
                .max = end_of_time,
                .help = "until this time the object is fixed; then it starts with its `velocity` and "
                        "`angular_velocity`"});
    walk.field("skin", &Object::skin,
               {.fallback = "none: its surface is that of its particles",
                .help = "a closed mesh that is carried by the particles; surfaces and pictures show it as "
                        "long as the matter is "
                        "solid. `\"shape\"` or the name of a mesh file is enough"});
}

template <class Walk>
void describe(Walk& walk, Tag<Keyframe>) {
    walk.field(
        "time", &Keyframe::time,
        {.unit = "s", .min = -1e6, .max = 1e6, .required = true, .help = "later than the keyframe before"});
    walk.field("translate", &Keyframe::translate,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .help = "displacement from the position given in the scene"});
    walk.field("rotate", &Keyframe::rotate,
               {.unit = "degrees",
                .min = -1e9,
                .max = 1e9,
                .help = "rotation about x, then y, then z through the pivot; 3600 degrees are ten turns; in "
                        "2D about z only"});
}

template <class Walk>
void describe(Walk& walk, Tag<Motion>) {
    walk.field("keyframes", &Motion::keyframes,
               {.help = "poses over time; fixed before the first and after the last"});
    walk.field("pivot", &Motion::pivot,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .help = "centre of rotation; it moves with `translate`"});
    walk.field("interpolation", &Motion::interpolation,
               {.help = "interpolation between keyframes; angles are interpolated as written, not along the "
                        "shortest rotation"});
    walk.field("repeat", &Motion::repeat,
               {.help = "true: repeat after the last keyframe, which must have the same pose as the first"});
}

template <class Walk>
void describe(Walk& walk, Tag<MeshAnimation>) {
    walk.field("last_file", &MeshAnimation::last_file,
               {.longest = 4000,
                .fallback = "none: the mesh of the shape is a glTF file with an animation",
                .help = "last file of the sequence, relative to the scene file. The mesh of the shape is the "
                        "first; the number at the end of the name counts up. All files have the same faces"});
    walk.field("clip", &MeshAnimation::clip,
               {.longest = 4000,
                .fallback = "the first of the file",
                .help = "name of an animation of the glTF file"});
    walk.field(
        "frame_rate", &MeshAnimation::frame_rate,
        {.unit = "1/s",
         .above = 0,
         .max = 1e6,
         .help = "meshes per second: files of a sequence, samples of a glTF animation; vertices move at "
                 "constant velocities in between"});
    walk.field("start", &MeshAnimation::start,
               {.unit = "s", .min = 0, .max = end_of_time, .help = "time of the first mesh"});
    walk.field("repeat", &MeshAnimation::repeat,
               {.help = "true: after the last mesh it deforms to the first within one frame and starts over; "
                        "false: it stays as it is at the end"});
}

template <class Walk>
void describe(Walk& walk, Tag<Obstacle>) {
    walk.field("name", &Obstacle::name,
               {.not_empty = true,
                .fallback = "`obstacle 1`, `obstacle 2`, … by its place in the list",
                .help = "unique name"});
    walk.field("shape", &Obstacle::shape, {.required = true, .help = "what particles cannot enter"});
    walk.field("inside", &Obstacle::inside, {.help = "true: the shape is a container; matter stays inside"});
    walk.field("friction", &Obstacle::friction,
               {.min = 0, .max = 100, .help = "Coulomb friction coefficient; 0: no friction"});
    walk.field("no_slip", &Obstacle::no_slip,
               {.help = "true: no-slip wall for viscous liquids; false: free slip; for `laplacian` and "
                        "`implicit` viscosity (`artificial` is always free slip)"});
    walk.field("restitution", &Obstacle::restitution,
               {.min = 0, .max = 1, .help = "coefficient of restitution"});
    walk.field("motion", &Obstacle::motion, {.help = "prescribed motion; without keyframes it is fixed"});
    walk.field("animation", &Obstacle::animation,
               {.fallback = "none: the shape is rigid",
                .help = "the shape is a `mesh` that deforms as a sequence of files or a glTF file shows it. "
                        "`motion` moves it as a whole on top of that. In 2D vertices may not move along z"});
    walk.field("temperature", &Obstacle::temperature,
               {.unit = "°C",
                .min = coldest,
                .max = hottest,
                .fallback = "none: adiabatic",
                .help = "temperature of its surface; matter in contact is heated or cooled"});
    walk.field("heat_transfer", &Obstacle::heat_transfer,
               {.unit = "W/(m² K)",
                .above = 0,
                .max = 1e9,
                .fallback = "perfect contact",
                .help = "heat transfer coefficient of its surface"});
    walk.field("look", &Obstacle::look,
               {.help = "what it looks like in pictures; the name of a preset is enough"});
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
    walk.field("material", &Emitter::material,
               {.required = true, .help = "name of an entry of `materials`, or of a preset"});
    walk.field("opening", &Emitter::opening, {.required = true, .help = "shape of the opening"});
    walk.field("position", &Emitter::position,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .help = "centre of the opening; inside a liquid, place it half a spacing from a wall, or it "
                        "draws in the liquid behind it"});
    walk.field("direction", &Emitter::direction,
               {.min = -farthest, .max = farthest, .help = "direction of the jet; any length but zero"});
    walk.field("up", &Emitter::up,
               {.min = -farthest,
                .max = farthest,
                .fallback = "as upright as the direction allows",
                .help = "direction of a rectangle's height"});
    walk.field("speed", &Emitter::speed,
               {.unit = "m/s", .above = 0, .max = 1e5, .help = "speed of emitted particles"});
    walk.field("rate", &Emitter::rate,
               {.unit = "m³/s",
                .above = 0,
                .max = 1e12,
                .fallback = "area of the opening × speed",
                .help = "emitted volume per second (2D: m²/s); at most area × speed, which fills the jet; "
                        "with a lower rate its layers are farther apart"});
    walk.field("temperature", &Emitter::temperature,
               {.unit = "°C",
                .min = -273.15,
                .max = 1e5,
                .fallback = "`20`; of a preset: its own",
                .help = "temperature of emitted particles"});
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
    walk.field(
        "shape", &Sink::shape,
        {.required = true, .help = "liquid particles whose centre lies inside are removed; solids are not"});
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
               {.required = true, .help = "particles whose centre lies inside are heated or cooled"});
    walk.field("power", &Heater::power,
               {.unit = "W",
                .min = -1e15,
                .max = 1e15,
                .fallback = "none; either `power` or `temperature` must be given",
                .help = "total power, distributed by mass over the region; negative: cooling; in 2D per "
                        "metre of depth"});
    walk.field("temperature", &Heater::temperature,
               {.unit = "°C",
                .min = coldest,
                .max = hottest,
                .fallback = "none",
                .help = "target temperature of the region"});
    walk.field("response", &Heater::response,
               {.unit = "s",
                .min = 1e-6,
                .max = end_of_time,
                .help = "time constant: the difference to `temperature` falls to 37 % (1/e) in this time"});
    walk.field("start", &Heater::start,
               {.unit = "s", .min = 0, .max = end_of_time, .help = "when it is turned on"});
    walk.field(
        "stop", &Heater::stop,
        {.unit = "s", .min = 0, .max = end_of_time, .fallback = "never", .help = "when it is turned off"});
    walk.field("motion", &Heater::motion,
               {.help = "prescribed motion of the region; without keyframes it is fixed"});
}

template <class Walk>
void describe(Walk& walk, Tag<Pause>) {
    walk.field("objects", &Pause::objects,
               {.fallback = "all",
                .help = "names of objects or emitters whose particles are fixed, in any phase and body"});
    walk.field("materials", &Pause::materials,
               {.fallback = "all", .help = "names of entries of `materials` whose particles are fixed"});
    walk.field("start", &Pause::start,
               {.unit = "s",
                .min = 0,
                .max = end_of_time,
                .help = "when the particles become fixed; they act as obstacles, and still conduct heat"});
    walk.field("stop", &Pause::stop,
               {.unit = "s",
                .min = 0,
                .max = end_of_time,
                .fallback = "never",
                .help = "when they are released, with the velocities they had before"});
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
         .help = "solid particles whose centre lies inside at `start` are grabbed, rigid bodies as a whole. "
                 "Particles that are already held are not grabbed; particles that melt are released"});
    walk.field("objects", &Grab::objects,
               {.fallback = "all", .help = "names of objects or emitters whose particles may be grabbed"});
    walk.field("materials", &Grab::materials,
               {.fallback = "all", .help = "names of entries of `materials` whose particles may be grabbed"});
    walk.field("whole_bodies", &Grab::whole_bodies,
               {.help = "true: grab each body that has a particle in the region as a whole"});
    walk.field("start", &Grab::start, {.unit = "s", .min = 0, .max = end_of_time, .help = "when it grabs"});
    walk.field("stop", &Grab::stop,
               {.unit = "s",
                .min = 0,
                .max = end_of_time,
                .fallback = "never",
                .help = "when it releases, with the velocity of the motion"});
    walk.field("motion", &Grab::motion,
               {.help = "prescribed motion relative to its pose at `start`; keyframe times are scene times; "
                        "without keyframes the particles are fixed"});
}

template <class Walk>
void describe(Walk& walk, Tag<Ambient>) {
    walk.field("temperature", &Ambient::temperature,
               {.unit = "°C", .min = coldest, .max = hottest, .help = "temperature of the air"});
    walk.field("heat_transfer", &Ambient::heat_transfer,
               {.unit = "W/(m² K)",
                .min = 0,
                .max = 1e9,
                .help = "heat transfer coefficient of free surfaces; still air 10, wind 50; 0: none"});
}

}  // namespace thixo
