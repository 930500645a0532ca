#pragma once

#include "scene/describe_instruments.h"
#include "scene/describe_things.h"

/// The table of the scene format, with its parts describe_*.h the only place where a key is declared.
/// Reading, checking, writing, the JSON Schema and docs/scene.md are walks over it, each a class with these
/// members:
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
                .help = "support radius: particles closer than this interact; wall terms are derived for 2; "
                        "from 2.5 on use `wendland_c2`, since with the other kernels particles form pairs"});
}

template <class Walk>
void describe(Walk& walk, Tag<SolverSettings>) {
    using S = SolverSettings;
    walk.field(
        "preset", &S::preset,
        {.help =
             "methods and tolerances for all keys of `solver` that the file does not contain; with `--set` "
             "for those that it contains, too"});
    walk.field("pressure", &S::pressure, {.help = "pressure solver"});
    walk.field("density", &S::density, {.help = "how density is computed"});
    walk.field("viscosity", &S::viscosity, {.help = "viscosity model"});
    walk.field("kernel", &S::kernel, {.help = "smoothing kernel"});
    walk.field("elastic_kernel", &S::elastic_kernel, {.help = "smoothing kernel within elastic bodies"});
    walk.field("tension", &S::tension,
               {.help = "true: allow negative pressure, which holds matter together. Needs `continuity` "
                        "(with `summation` particles clump at free surfaces, and `dfsph` has no negative "
                        "pressure) and a scene without solid objects"});
    walk.field("xsph", &S::xsph,
               {.min = 0,
                .max = 1,
                .help = "XSPH: weight of the neighbours' mean velocity in the velocity that moves a "
                        "particle; 0 is off, 0.1 to 0.5 gives smoother flows; momentum is conserved"});
    walk.field("dfsph", &S::dfsph, {.help = "tolerances of the incompressible solver"});
    walk.field("viscosity_error", &S::viscosity_error,
               {.above = 0,
                .max = 1,
                .help = "tolerance of the implicit viscosity solver, relative to the velocities"});
    walk.field("elasticity", &S::elasticity,
               {.help = "time integration of elastic bodies and lattice solids"});
    walk.field("elasticity_error", &S::elasticity_error,
               {.above = 0,
                .max = 1,
                .help = "tolerance of the implicit elasticity solver, relative to the forces"});
    walk.field("elasticity_iterations", &S::elasticity_iterations,
               {.min = 1,
                .max = 10000,
                .help = "largest number of iterations of the implicit elasticity solver in a step"});
    walk.field("time_step", &S::time_step,
               {.help = "one time step for all particles, or individual time steps"});
    walk.field("time_step_scale", &S::time_step_scale,
               {.above = 0,
                .max = 100,
                .help = "factor on the automatic time step; above 1 a run may become unstable"});
}

template <class Walk>
void describe(Walk& walk, Tag<AdaptivitySettings>) {
    using S = AdaptivitySettings;
    walk.field("coarsest", &S::coarsest,
               {.unit = "spacings",
                .min = 1,
                .max = 5,
                .help = "spacing of the largest particles, in multiples of particles.spacing, the spacing of "
                        "the finest; 1: no adaptivity"});
    walk.field("detail", &S::detail,
               {.min = 0,
                .max = 1,
                .help = "sets `refine`, `simplify`, and how slowly particle sizes grow away from surfaces; "
                        "0: fast and coarse, 1: fine particles almost everywhere"});
    walk.field(
        "surface", &S::surface,
        {.unit = "spacings",
         .min = 1,
         .max = 5,
         .fallback = "by `detail`: 4 at 0, 2 at 0.5, 1 at 1",
         .help = "spacing of the largest particles at free surfaces, in multiples of particles.spacing"});
    walk.field(
        "refine", &S::refine,
        {.above = 0,
         .max = 1e6,
         .fallback = "by `detail`",
         .help =
             "a particle splits where its density differs from a neighbour's by more than this fraction; the "
             "threshold holds for the finest particles and falls in proportion to the mass of larger ones"});
    walk.field("simplify", &S::simplify,
               {.min = 0,
                .max = 1e6,
                .fallback = "a tenth of `refine`",
                .help = "particles merge where the density differs by less than this fraction; keep it below "
                        "a seventh of `refine`, or particles split and merge in turns"});
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
    walk.field("slivers", within(settings, &SurfaceSettings::slivers),
               {.unit = "cells",
                .min = 0,
                .max = 0.5,
                .help = "edges shorter than this are collapsed where the shape allows it; 0.3 removes most "
                        "thin triangles, 0 leaves the mesh as it is"});
    walk.field("rest", &S::rest,
               {.help = "true: vertices carry where their matter was at the start, or where it froze: "
                        "`rest_x`, `rest_y`, `rest_z`"});
    walk.field("skins", &S::skins,
               {.help = "true: objects with a `skin` are shown by it where they are solid"});
    walk.field("formats", &S::formats,
               {.not_empty = true, .unique = true, .help = "files that are written of each frame"});
}

template <class Walk>
void describe(Walk& walk, Tag<PictureOutput>) {
    using P = PictureOutput;
    walk.field("colour_by", &P::colour_by,
               {.fallback = "in 3D `look`; in 2D `temperature` where it varies, else `speed`",
                .help = "what the colours show"});
    walk.field("min", &P::min,
               {.min = -1e12,
                .max = 1e12,
                .fallback = "from the particles of all frames",
                .help = "lower end of the colour scale, in the unit of the attribute"});
    walk.field("max", &P::max,
               {.min = -1e12,
                .max = 1e12,
                .fallback = "from the particles of all frames",
                .help = "upper end of the colour scale"});
}

template <class Walk>
void describe(Walk& walk, Tag<OutputSettings>) {
    using S = OutputSettings;
    walk.field("particles", &S::particles,
               {.unique = true,
                .help = "formats in which each frame's particles are written; an empty list writes none"});
    walk.field("surface", &S::surface,
               {.fallback = "no surfaces; `thixo surface` makes them later",
                .help = "closed surfaces of each frame, in 2D outlines, in `surface/` and `surface.csv`"});
    walk.field("picture", &S::picture, {.help = "what `thixo render` shows where its options do not say"});
    walk.field("checkpoint_every", &S::checkpoint_every,
               {.unit = "frames",
                .min = 0,
                .max = 1e6,
                .help = "keep a checkpoint every this many frames; 0: keep only the newest"});
}

template <class Walk>
void describe(Walk& walk, Tag<Provenance>) {
    using P = Provenance;
    walk.field("program", &P::program, {.help = "name and version of the program that ran the scene"});
    walk.field("commit", &P::commit, {.help = "commit it was built from; `+`: with changes"});
    walk.field("compiler", &P::compiler, {.help = "compiler, and processor that it was built for"});
    walk.field("command", &P::command, {.longest = 4000, .help = "command line"});
    walk.field("date", &P::date, {.help = "start of the run, UTC"});
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
    walk.field("seed", within(model, &Model::seed), {.help = "seed of all random numbers"});
    walk.field("gravity", within(model, &Model::gravity),
               {.unit = "m/s²", .min = -1e5, .max = 1e5, .help = "acceleration due to gravity"});
    walk.field("particles", within(model, &Model::particles), {.help = "size of the particles"});
    walk.field("solver", within(model, &Model::solver), {.help = "numerical methods"});
    walk.field("adaptivity", within(model, &Model::adaptivity),
               {.help = "larger particles in calm regions of liquids"});
    walk.map(
        "materials", within(model, &Model::materials), &Material::name,
        {.not_empty = true, .help = "substances by name; presets ([materials](materials.md)) need no entry"});
    walk.field("contact_angles", within(model, &Model::contact_angles),
               {.help = "how liquids wet solids; liquids do not adhere to what is not in the list"});
    walk.field("scale", &Scene::scale,
               {.help = "factors on the constants of all materials, walls, heaters and the air, to make slow "
                        "processes visible and stiff matter affordable ([choosing constants]"
                        "(choosing_constants.md))"});
    walk.field("objects", within(model, &Model::objects),
               {.help = "shapes filled with particles at the start; at least one, unless there are emitters. "
                        "Particles that would overlap an obstacle or an earlier object are left out"});
    walk.field("obstacles", within(model, &Model::obstacles),
               {.help = "scenery that is not made of particles"});
    walk.field("emitters", within(model, &Model::emitters),
               {.help = "openings that emit particles; emitters are numbered after the objects"});
    walk.field("sinks", within(model, &Model::sinks), {.help = "regions that remove particles"});
    walk.field("heaters", within(model, &Model::heaters),
               {.help = "regions in which matter is heated or cooled"});
    walk.field("pauses", within(model, &Model::pauses),
               {.help = "time intervals in which some matter is fixed"});
    walk.field("grabs", within(model, &Model::grabs),
               {.help = "solids that are grabbed, moved along keyframes and released"});
    walk.field("force_fields", within(model, &Model::force_fields),
               {.help = "wind, attractors, vortices and volumes that damp"});
    walk.field("probes", within(model, &Model::probes),
               {.help = "instruments; a run writes what they measure into `probes.csv`"});
    walk.field("ambient", within(model, &Model::ambient), {.help = "the air around free surfaces"});
    walk.field("output", &Scene::output, {.help = "what a run writes"});
    walk.field("provenance", &Scene::provenance,
               {.fallback = "none",
                .help = "written into `scene.json` by a run, and passed over when a scene is read"});
}

}  // namespace thixo
