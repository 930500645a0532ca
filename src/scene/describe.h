#pragma once

#include "scene/describe_things.h"

/// The table of the scene format, with its parts describe_*.h the only place where a key is declared. Reading, checking, writing, the
/// JSON Schema and docs/scene.md are walks over it, each a class with these members:
///
///     field(name, member, rule)          a number, flag, text, vector, name of an enumeration, shape, struct, or list
///     map(name, member, key, rule)       a list of structs written as an object, `key` being the member with the name
///     ignored(name, help)                accepted, not used
///     alternative<T>(name, rule, help)   one kind of a variant
///
/// A new key is one line. After a change: THIXO_UPDATE_DOCS=1 unit_scene.
namespace thixo {

template <class Walk>
void describe(Walk& walk, Tag<ParticleSettings>) {
    using S = ParticleSettings;
    walk.field(
        "spacing", &S::spacing,
        {.unit = "m", .min = 1e-6, .max = 1e4, .help = "distance between neighbouring particles at rest"});
    walk.field("support", &S::support,
               {.unit = "spacings",
                .min = 1.2,
                .max = 4,
                .help = "radius within which particles interact; walls are made for 2, and from 2.5 on only "
                        "`wendland_c2` "
                        "does not let particles pair up"});
}

template <class Walk>
void describe(Walk& walk, Tag<SolverSettings>) {
    using S = SolverSettings;
    walk.field("pressure", &S::pressure, {.help = "how pressure is found"});
    walk.field("density", &S::density, {.help = "how density is found"});
    walk.field("viscosity", &S::viscosity, {.help = "how viscosity acts"});
    walk.field("kernel", &S::kernel, {.help = "smoothing kernel"});
    walk.field("elastic_kernel", &S::elastic_kernel,
               {.help = "kernel that weighs the neighbours within elastic bodies"});
    walk.field(
        "tension", &S::tension,
        {.help = "true: pressures may fall below zero and hold matter together; for `continuity`: with "
                 "`summation` free surfaces clump, `dfsph` never pulls; not beside solid objects"});
    walk.field(
        "xsph", &S::xsph,
        {.min = 0,
         .max = 1,
         .help = "share of the neighbours' mean velocity in the one that moves a particle; 0 is off, 0.1 to "
                 "0.5 makes flows orderly, and takes nothing from their momentum"});
    walk.field("dfsph", &S::dfsph, {.help = "when the incompressible solver is content"});
    walk.field("viscosity_error", &S::viscosity_error,
               {.above = 0,
                .max = 1,
                .help = "relative error of velocities at which `implicit` viscosity is content"});
    walk.field("elasticity", &S::elasticity, {.help = "how elastic bodies are brought forward in time"});
    walk.field("elasticity_error", &S::elasticity_error,
               {.above = 0,
                .max = 1,
                .help = "error at which `implicit` elasticity is content, as a share of the forces"});
    walk.field(
        "elasticity_iterations", &S::elasticity_iterations,
        {.min = 1, .max = 10000, .help = "at most so many iterations in a step of `implicit` elasticity"});
    walk.field("time_step", &S::time_step, {.help = "how time advances"});
    walk.field(
        "time_step_scale", &S::time_step_scale,
        {.above = 0, .max = 100, .help = "multiplies the automatic time step; above 1 at your own risk"});
}

template <class Walk>
void describe(Walk& walk, Tag<AdaptivitySettings>) {
    using S = AdaptivitySettings;
    walk.field(
        "coarsest", &S::coarsest,
        {.unit = "spacings",
         .min = 1,
         .max = 5,
         .help = "spacing of the largest particles, in that of the finest, which is particles.spacing; 1: "
                 "all particles stay as they are"});
    walk.field("detail", &S::detail,
               {.min = 0,
                .max = 1,
                .help = "sets `refine` and `simplify`, and how slowly particles grow away from surfaces; 0 "
                        "for a quick look, "
                        "1 for fine particles almost everywhere"});
    walk.field(
        "surface", &S::surface,
        {.unit = "spacings",
         .min = 1,
         .max = 5,
         .fallback = "by `detail`: 4 at 0, 2 at 0.5, 1 at 1",
         .help = "spacing of the largest particles at free surfaces, where nothing else asks for finer "
                 "ones"});
    walk.field(
        "refine", &S::refine,
        {.above = 0,
         .max = 1e6,
         .fallback = "by `detail`",
         .help = "particles split where the density differs from a neighbour's by this share; for the finest "
                 "particles, and as much less for larger ones as they are heavier"});
    walk.field(
        "simplify", &S::simplify,
        {.min = 0,
         .max = 1e6,
         .fallback = "a tenth of `refine`",
         .help = "particles merge where it differs by less than this share; below a seventh of `refine`, or "
                 "they would split and merge in turns"});
}

template <class Walk>
void describe(Walk& walk, Tag<SurfaceOutput>) {
    using S = SurfaceOutput;
    constexpr auto settings = &S::settings;
    walk.field("method", within(settings, &SurfaceSettings::method), {.help = "how the surface is found"});
    walk.field("resolution", within(settings, &SurfaceSettings::resolution),
               {.unit = "radii",
                .min = 0.05,
                .max = 10,
                .help = "edge of a grid cell, in radii of the finest particles"});
    walk.field("smooth", within(settings, &SurfaceSettings::smooth),
               {.min = 0,
                .max = 1000,
                .help = "steps of smoothing; the volume is kept, and single drops stay round"});
    walk.field("by", &S::by, {.help = "which particles share a surface"});
    walk.field("match_volume", within(settings, &SurfaceSettings::match_volume),
               {.help = "true: the surface is shifted, by a radius at most, until it encloses the volume of "
                        "the matter at rest"});
    walk.field("specks", within(settings, &SurfaceSettings::specks),
               {.unit = "particles",
                .min = 0,
                .max = 1e9,
                .help = "components of less volume than so many particles are dropped"});
    walk.field("formats", &S::formats,
               {.not_empty = true, .unique = true, .help = "files that are written of each frame"});
}

template <class Walk>
void describe(Walk& walk, Tag<OutputSettings>) {
    using S = OutputSettings;
    walk.field("particles", &S::particles,
               {.unique = true,
                .help = "formats in which each frame's particles are written; an empty list writes none"});
    walk.field("surface", &S::surface,
               {.fallback = "no surfaces; `thixo surface` makes them later",
                .help = "closed surfaces of each frame, in `surface/` and `surface.csv`; in 3D"});
    walk.field("checkpoint_every", &S::checkpoint_every,
               {.unit = "frames",
                .min = 0,
                .max = 1e6,
                .help = "distance between checkpoints that are kept; 0 keeps the newest only"});
}

template <class Walk>
void describe(Walk& walk, Tag<Scene>) {
    constexpr auto model = &Scene::model;
    walk.ignored("$schema", "where editors find the JSON Schema of this format");
    walk.field("name", &Scene::name,
               {.not_empty = true,
                .folder_name = true,
                .fallback = "the file's name without `.json`",
                .help = "title in reports and pictures, and name of the folder a run writes: out/NAME"});
    walk.field("dimensions", within(model, &Model::dimensions),
               {.min = 2, .max = 3, .help = "3, or 2 for the plane z = 0"});
    walk.field("duration", &Scene::duration, {.unit = "s", .above = 0, .max = 1e6, .help = "simulated time"});
    walk.field("frame_rate", &Scene::frame_rate,
               {.unit = "frames/s", .above = 0, .max = 1e6, .help = "frames per simulated second"});
    walk.field("seed", within(model, &Model::seed), {.help = "of all random numbers"});
    walk.field("gravity", within(model, &Model::gravity),
               {.unit = "m/s²", .min = -1e5, .max = 1e5, .help = "acceleration of everything"});
    walk.field("particles", within(model, &Model::particles), {.help = "size of the particles"});
    walk.field("solver", within(model, &Model::solver), {.help = "numerical methods"});
    walk.field("adaptivity", within(model, &Model::adaptivity),
               {.help = "liquids of fewer, larger particles where little happens"});
    walk.map("materials", within(model, &Model::materials), &Material::name,
             {.required = true, .not_empty = true, .help = "substances by name"});
    walk.field(
        "objects", &Scene::objects,
        {.help = "what is made of particles from the start; at least one, unless there are emitters. Where "
                 "an obstacle or an earlier object is in the way, particles are left out"});
    walk.field("obstacles", within(model, &Model::obstacles),
               {.help = "scenery that is not made of particles"});
    walk.field(
        "emitters", within(model, &Model::emitters),
        {.help =
             "openings that particles come out of; those carry the object numbers after the last object's"});
    walk.field("sinks", within(model, &Model::sinks), {.help = "places where particles vanish"});
    walk.field("heaters", within(model, &Model::heaters),
               {.help = "regions in which matter is heated or cooled"});
    walk.field("pauses", within(model, &Model::pauses), {.help = "times in which some matter stands still"});
    walk.field("grabs", within(model, &Model::grabs),
               {.help = "solids that are taken hold of, led along keyframes and let go"});
    walk.field("ambient", within(model, &Model::ambient), {.help = "the air that free surfaces face"});
    walk.field("output", &Scene::output, {.help = "what a run writes"});
}

}  // namespace thixo
