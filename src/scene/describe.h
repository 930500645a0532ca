#pragma once

#include <array>

#include "scene/rule.h"
#include "scene/scene.h"

/// The table of the scene format, the only place where a key is declared. Reading, checking, writing, the
/// JSON Schema and docs/scene.md are walks over it, each a class with these members:
///
///     field(name, member, rule)          a number, flag, text, vector, name of an enumeration, shape, struct, or list
///     map(name, member, key, rule)       a list of structs written as an object, `key` being the member with the name
///     ignored(name, help)                accepted, not used
///     alternative<T>(name, rule, help)   one kind of a variant
///
/// A new key is one line here. After a change: THIXO_UPDATE_DOCS=1 unit_scene.
namespace thixo {

constexpr double farthest = 1e6;  // m; floats are 6 cm apart out there

constexpr auto choices(Tag<Lattice>) {
    return std::array{
        Choice<Lattice>{"cubic", Lattice::cubic,
                        "on the corners of a grid; rests against walls from the start"},
        Choice<Lattice>{
            "closest", Lattice::closest,
            "cubic closest packed in 3D, hexagonal in 2D; between walls it sinks a little at first"},
        Choice<Lattice>{
            "layered_hexagonal", Lattice::layered_hexagonal,
            "as dense as `closest`, in level hexagonal layers that lie flat on a floor; in 2D the "
            "same as `closest`"}};
}

constexpr auto choices(Tag<Phase>) {
    return std::array{Choice<Phase>{"liquid", Phase::liquid, "flows"},
                      Choice<Phase>{"elastic", Phase::elastic, "returns to its shape"},
                      Choice<Phase>{"rigid", Phase::rigid, "keeps its shape"}};
}

constexpr auto choices(Tag<ColdState>) {
    return std::array{Choice<ColdState>{"elastic", ColdState::elastic, "at its full stiffness"},
                      Choice<ColdState>{"rigid", ColdState::rigid, "does not deform at all"}};
}

constexpr auto choices(Tag<PressureMethod>) {
    using enum PressureMethod;
    return std::array{
        Choice<PressureMethod>{"state_equation", state_equation,
                               "proportional to the compression, with the material's speed of sound"},
        Choice<PressureMethod>{"tait", tait,
                               "stiffens with the seventh power of the density; same speed of sound at rest"},
        Choice<PressureMethod>{
            "dfsph", dfsph,
            "incompressible: solved for in each step, which the flow limits and not sound; for "
            "`summation`"}};
}

constexpr auto choices(Tag<DensityMethod>) {
    return std::array{
        Choice<DensityMethod>{"summation", DensityMethod::summation,
                              "summed over the neighbours in each step"},
        Choice<DensityMethod>{
            "continuity", DensityMethod::continuity,
            "advanced by the velocities around; free surfaces keep their density, errors add up"}};
}

constexpr auto choices(Tag<ViscosityMethod>) {
    using enum ViscosityMethod;
    return std::array{Choice<ViscosityMethod>{"laplacian", laplacian,
                                              "Laplacian of the velocity with the material's viscosity"},
                      Choice<ViscosityMethod>{
                          "artificial", artificial,
                          "slows particles that approach each other, by the material's artificial_viscosity"},
                      Choice<ViscosityMethod>{
                          "implicit", implicit,
                          "solved for with the material's viscosity; for honey and lava, any time step"}};
}

constexpr auto choices(Tag<ElasticIntegrator>) {
    using enum ElasticIntegrator;
    return std::array{
        Choice<ElasticIntegrator>{"explicit", leapfrog,
                                  "by the forces of each step; the elastic wave limits its length"},
        Choice<ElasticIntegrator>{
            "implicit", implicit,
            "solved for in each step, which the elastic wave does not limit; vibrations that "
            "are faster than the step are damped"}};
}

constexpr auto choices(Tag<TimeStepMethod>) {
    return std::array{
        Choice<TimeStepMethod>{"global", TimeStepMethod::global, "one time step for all particles"},
        Choice<TimeStepMethod>{
            "individual", TimeStepMethod::individual,
            "each particle takes the longest step that is stable for it; solids take the same. For "
            "`continuity`, with `tait` or `state_equation`"}};
}

constexpr auto choices(Tag<KernelName>) {
    using enum KernelName;
    return std::array{Choice<KernelName>{"spiky", spiky, "(1 − q)³, steep at the centre"},
                      Choice<KernelName>{"poly6", poly6, "(1 − q²)³, flat at the centre"},
                      Choice<KernelName>{"cubic_spline", cubic_spline, "the classical M4 spline"},
                      Choice<KernelName>{"wendland_c2", wendland_c2, "does not let particles pair up"},
                      Choice<KernelName>{"cosine", cosine, "1 − sin(πq/2)"}};
}

constexpr auto choices(Tag<SolidModel>) {
    using enum SolidModel;
    return std::array{
        Choice<SolidModel>{"corrected", corrected,
                           "corrected gradients, turned by the rotation of the deformation: keeps energy and "
                           "angular momentum"},
        Choice<SolidModel>{"corotated", corotated,
                           "Becker et al. 2009: SPH gradients, turned with each neighbourhood"},
        Choice<SolidModel>{"mls", mls, "moving least squares, turned with each neighbourhood"},
        Choice<SolidModel>{
            "green", green,
            "Solenthaler et al. 2007: SPH gradients, not turned; bodies that rotate feel false forces"},
        Choice<SolidModel>{
            "lattice", lattice,
            "Wicke et al. 2006: particles hold on to whoever is where their crystal lattice "
            "wants a neighbour; bends, flows and cracks without a memory of who was next to whom"}};
}

constexpr auto choices(Tag<StrainMeasure>) {
    return std::array{
        Choice<StrainMeasure>{"linear", StrainMeasure::linear, "Cauchy's, of the deformation turned back"},
        Choice<StrainMeasure>{"green", StrainMeasure::green, "½ (JᵀJ − I)"}};
}

constexpr auto choices(Tag<PhaseTransition>) {
    using enum PhaseTransition;
    return std::array{Choice<PhaseTransition>{"sudden", sudden, "as soon as its temperature says so"},
                      Choice<PhaseTransition>{
                          "stochastic", stochastic,
                          "Wicke et al. 2006: by chance, the sooner the farther it is beyond its melting or "
                          "freezing point, and the more solid neighbours there are to freeze to"}};
}

constexpr auto choices(Tag<ParticleFormat>) {
    return std::array{Choice<ParticleFormat>{"ply", ParticleFormat::ply, "binary PLY"},
                      Choice<ParticleFormat>{"vtu", ParticleFormat::vtu, "for ParaView"},
                      Choice<ParticleFormat>{"bgeo", ParticleFormat::bgeo, "for Houdini"}};
}

constexpr auto choices(Tag<Interpolation>) {
    return std::array{
        Choice<Interpolation>{"linear", Interpolation::linear, "constant speed between keyframes"},
        Choice<Interpolation>{"smooth", Interpolation::smooth,
                              "speed does not jump (Catmull-Rom); rests at the ends unless it repeats"}};
}

template <class Walk>
void describe(Walk& walk, Tag<Box>) {
    walk.field("min", &Box::min,
               {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "lowest corner"});
    walk.field("max", &Box::max,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .help = "highest corner; above `min` in every dimension"});
}

template <class Walk>
void describe(Walk& walk, Tag<Sphere>) {
    walk.field("center", &Sphere::center,
               {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "centre"});
    walk.field("radius", &Sphere::radius,
               {.unit = "m", .above = 0, .max = farthest, .required = true, .help = "radius"});
}

template <class Walk>
void describe(Walk& walk, Tag<Plane>) {
    walk.field("point", &Plane::point,
               {.unit = "m", .min = -farthest, .max = farthest, .help = "any point of the plane"});
    walk.field("normal", &Plane::normal,
               {.min = -farthest, .max = farthest, .help = "points to the free side; any length but zero"});
}

template <class Walk>
void describe(Walk& walk, Tag<Ellipsoid>) {
    walk.field("center", &Ellipsoid::center,
               {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "centre"});
    walk.field("radii", &Ellipsoid::radii,
               {.unit = "m",
                .above = 0,
                .max = farthest,
                .required = true,
                .help = "half the length along each axis; in 2D the third number is ignored"});
}

/// Cylinder and capsule.
template <class Kind, class Walk>
void describe_ends(Walk& walk, std::string_view end) {
    const Rule rule{.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = end};
    walk.field("from", &Kind::from, rule);
    walk.field("to", &Kind::to, rule);
    walk.field("radius", &Kind::radius,
               {.unit = "m", .above = 0, .max = farthest, .required = true, .help = "radius"});
}

template <class Walk>
void describe(Walk& walk, Tag<Cylinder>) {
    describe_ends<Cylinder>(walk, "centre of one end");
}

template <class Walk>
void describe(Walk& walk, Tag<Capsule>) {
    describe_ends<Capsule>(walk, "centre of the ball at one end");
}

template <class Walk>
void describe(Walk& walk, Tag<Torus>) {
    walk.field("center", &Torus::center,
               {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "centre"});
    walk.field("axis", &Torus::axis,
               {.min = -farthest,
                .max = farthest,
                .help = "direction through the hole; any length but zero; in 2D always z"});
    walk.field("major_radius", &Torus::major_radius,
               {.unit = "m",
                .above = 0,
                .max = farthest,
                .required = true,
                .help = "from the centre to the middle of the tube"});
    walk.field("minor_radius", &Torus::minor_radius,
               {.unit = "m",
                .above = 0,
                .max = farthest,
                .required = true,
                .help = "of the tube; below `major_radius`"});
}

template <class Walk>
void describe(Walk& walk, Tag<Union>) {
    walk.field("shapes", &Union::shapes, {.required = true, .not_empty = true, .help = "its parts"});
}

template <class Walk>
void describe(Walk& walk, Tag<Difference>) {
    walk.field("shapes", &Difference::shapes,
               {.required = true,
                .not_empty = true,
                .help = "the first is what remains, all others are taken away from it"});
}

template <class Walk>
void describe(Walk& walk, Tag<SmoothUnion>) {
    walk.field("blend", &SmoothUnion::blend,
               {.unit = "m",
                .above = 0,
                .max = farthest,
                .required = true,
                .help = "surfaces closer to each other than this flow together"});
    walk.field("shapes", &SmoothUnion::shapes, {.required = true, .not_empty = true, .help = "its parts"});
}

/// Bunny and duck.
template <class Kind, class Walk>
void describe_figure(Walk& walk, std::string_view help) {
    walk.field("height", &Kind::height,
               {.unit = "m", .above = 0, .max = farthest, .required = true, .help = help});
}

template <class Walk>
void describe(Walk& walk, Tag<Bunny>) {
    describe_figure<Bunny>(walk, "from the ground to the tips of the ears");
}

template <class Walk>
void describe(Walk& walk, Tag<Duck>) {
    describe_figure<Duck>(walk, "from the ground to the top of the head");
}

template <class Walk>
void describe(Walk& walk, Tag<Mesh>) {
    walk.field(
        "file", &Mesh::file,
        {.required = true,
         .not_empty = true,
         .help = "an .obj, .ply or .stl file, in metres; its path starts at the folder of the scene file"});
}

/// Height field and height sheet.
template <class S, class Walk>
void describe_heights(Walk& walk) {
    walk.field(
        "formula", &S::formula,
        {.fallback = "none; either `formula` or `image` must be given",
         .help =
             "height in m, of `x` and `z` in m: numbers, `pi`, `+ - * / ^ ( )`, and sin cos tan asin acos "
             "atan sinh cosh tanh exp log sqrt abs floor ceil sign(a), min max pow hypot atan2 mod(a, b); "
             "cut off at the bottom and top of the box"});
    walk.field(
        "image", &S::image,
        {.fallback = "none",
         .help =
             "a grey .png or .pgm of 8 or 16 bits, seen from above: x to the right, z down the picture; "
             "black is the bottom of the box, white its top; in 2D its middle row counts; its path starts "
             "at the folder of the scene file"});
    walk.field("min", &S::min,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .help = "lowest corner of the box"});
    walk.field("max", &S::max,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .help = "highest corner of the box; above `min` in every dimension"});
}

template <class Walk>
void describe(Walk& walk, Tag<HeightField>) {
    describe_heights<HeightField>(walk);
}

template <class Walk>
void describe(Walk& walk, Tag<HeightSheet>) {
    describe_heights<HeightSheet>(walk);
}

constexpr Rule center_rule{.unit = "m", .min = -farthest, .max = farthest, .help = "centre"};

/// A length above zero that must be told.
constexpr Rule length_rule(std::string_view help) {
    return {.unit = "m", .above = 0, .max = farthest, .required = true, .help = help};
}

template <class Walk>
void describe(Walk& walk, Tag<RectangleSheet>) {
    walk.field("center", &RectangleSheet::center, center_rule);
    walk.field("width", &RectangleSheet::width, length_rule("extent along x"));
    walk.field("depth", &RectangleSheet::depth, length_rule("extent along z"));
    walk.field("layers", &RectangleSheet::layers,
               {.min = 1, .max = 1000, .help = "sheets of particles, one spacing above the other"});
}

template <class Walk>
void describe(Walk& walk, Tag<DiscSheet>) {
    walk.field("center", &DiscSheet::center, center_rule);
    walk.field("radius", &DiscSheet::radius, length_rule("radius"));
}

template <class Walk>
void describe(Walk& walk, Tag<Sombrero>) {
    walk.field("center", &Sombrero::center,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .help = "centre; far from the crown the brim ripples around its height"});
    walk.field("size", &Sombrero::size, length_rule("side of the square"));
    walk.field("height", &Sombrero::height,
               {.unit = "m", .min = -farthest, .max = farthest, .required = true, .help = "of the crown"});
    walk.field("waves", &Sombrero::waves,
               {.min = 0, .max = 32, .help = "wavelengths from side to side; 0 is flat"});
}

template <class Walk>
void describe(Walk& walk, Tag<MeshSurface>) {
    walk.field(
        "file", &MeshSurface::file,
        {.required = true,
         .not_empty = true,
         .help = "an .obj, .ply or .stl file, in metres; its path starts at the folder of the scene file"});
}

template <class Walk>
void describe(Walk& walk, Tag<Curve>) {
    walk.field("points", &Curve::points,
               {.unit = "m",
                .min = -farthest,
                .max = farthest,
                .required = true,
                .not_empty = true,
                .help = "at least two, of a closed one three; each differs from the one before"});
    walk.field(
        "smooth", &Curve::smooth,
        {.help = "true: bent smoothly through the points (Catmull-Rom); false: straight between them"});
    walk.field("closed", &Curve::closed, {.help = "true: leads back from the last point to the first"});
}

template <class Walk>
void describe(Walk& walk, Tag<Helix>) {
    walk.field("center", &Helix::center,
               {.unit = "m", .min = -farthest, .max = farthest, .help = "centre of the first turn"});
    walk.field("radius", &Helix::radius, length_rule("from the axis"));
    walk.field("pitch", &Helix::pitch, length_rule("rise of a turn"));
    walk.field("turns", &Helix::turns,
               {.above = 0, .max = 10000, .required = true, .help = "how often it goes around; 2.5 is fine"});
}

template <class Walk>
void describe(Walk& walk, Tag<Placement>) {
    walk.field("scale", &Placement::scale, {.min = 1e-6, .max = 1e6, .help = "factor on all lengths"});
    walk.field("rotate", &Placement::rotate,
               {.unit = "degrees",
                .min = -36000,
                .max = 36000,
                .help = "about the x, then the y, then the z axis; in 2D about z only"});
    walk.field("translate", &Placement::translate,
               {.unit = "m", .min = -farthest, .max = farthest, .help = "shift"});
}

template <class Walk>
void describe(Walk& walk, Tag<ShapeKind>) {
    constexpr Rule fillable{.bounded = true};
    walk.template alternative<Box>("box", fillable, "A box with faces along the axes; in 2D a rectangle.");
    walk.template alternative<Sphere>("sphere", fillable, "A ball; in 2D a disc.");
    walk.template alternative<Plane>("plane", {.bounded = false},
                                     "Everything below a plane. Unbounded: for obstacles, and to cut other "
                                     "shapes by a `difference`.");
    walk.template alternative<Ellipsoid>("ellipsoid", fillable,
                                         "A ball stretched along the axes; in 2D an ellipse.");
    walk.template alternative<Cylinder>(
        "cylinder", fillable, "A cylinder with flat ends; in 2D a rectangle between its end points.");
    walk.template alternative<Capsule>("capsule", fillable, "A cylinder with round ends; in 2D a stadium.");
    walk.template alternative<Torus>("torus", fillable, "A ring; in 2D the area between two circles.");
    walk.template alternative<Union>("union", fillable, "All of its parts.");
    walk.template alternative<Difference>("difference", fillable, "A shape without other shapes.");
    walk.template alternative<SmoothUnion>("smooth_union", fillable,
                                           "All of its parts, with the seams between them filled.");
    walk.template alternative<Bunny>(
        "bunny", fillable,
        "A sitting bunny. It stands on y = 0 at the origin and looks along x; in "
        "2D its outline from the side.");
    walk.template alternative<Duck>(
        "duck", fillable,
        "A rubber duck. It stands on y = 0 at the origin and looks along x; in 2D "
        "its outline from the side.");
    walk.template alternative<Mesh>("mesh", fillable,
                                    "A triangle mesh from a file. It must be closed: every edge has two "
                                    "triangles, which agree about what is "
                                    "outside. In 2D its outline in the plane z = 0.");
    walk.template alternative<HeightField>(
        "height_field", {.bounded = false},
        "Ground whose height y is told for each x and z within a box, solid below without end. Beyond the "
        "sides of "
        "the box it goes on as it is at the border. Unbounded: for obstacles, and to cut other shapes by a "
        "`difference`. In 2D a curve over x.");
    constexpr Rule layer{.bounded = true, .layer = true};
    walk.template alternative<RectangleSheet>("rectangle", layer,
                                              "A flat sheet across y. With the lattice `cubic` its particles "
                                              "form squares, with the others triangles "
                                              "of equal sides.");
    walk.template alternative<DiscSheet>("disc", layer, "A round flat sheet across y, evenly scattered.");
    walk.template alternative<Sombrero>("sombrero", layer,
                                        "A square sheet with the height y = height × sin(kr)/(kr) at the "
                                        "distance r from its centre, with k = "
                                        "2π × waves / size; evenly scattered.");
    walk.template alternative<HeightSheet>(
        "height_sheet", layer,
        "A sheet whose height y is told for each x and z within a box, as that of a `height_field`; evenly "
        "scattered, also where it is steep.");
    walk.template alternative<MeshSurface>("mesh_surface", layer,
                                           "The surface of a triangle mesh from a file, closed or with "
                                           "borders; evenly scattered. Parts of it that "
                                           "are nearer to each other than a spacing stick together.");
    walk.template alternative<Curve>(
        "curve", layer, "A rod through points, its particles evenly spaced along it. In 2D too.");
    walk.template alternative<Helix>("helix", layer,
                                     "A rod wound about the y axis, upwards, its particles evenly spaced "
                                     "along it; it starts on the side of "
                                     "x.");
}

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
void describe(Walk& walk, Tag<OutputSettings>) {
    using S = OutputSettings;
    walk.field("particles", &S::particles,
               {.unique = true,
                .help = "formats in which each frame's particles are written; an empty list writes none"});
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
